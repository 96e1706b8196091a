import { wordHashes } from './shingles.ts';

/** Stands for a stretch that was put in from elsewhere; no word has this hash but by chance. */
const SLOT = 0x510751;
/** Fewer words in a row are shared by any two texts about one thing. */
const COPIED_WORDS = 3;

const QUOTED =
  /“[^”]{1,300}”|"[^"]{1,300}"|«[^»]{1,300}»|(?<![\p{L}\p{N}])['‘](?:[^'’]|(?<=\p{L})['’](?=\p{L})){1,300}['’](?![\p{L}\p{N}])/gu;

/** A greeting with a name at the head of an answer: "Dear Anna,". */
const GREETING =
  /^\s*(?:dear|hello|hi|hey|namaste|hallo|liebe[rs]?|bonjour|chère?|hola|estimad[oa]|नमस्ते|प्रिय)(?:[ \t]+[\p{L}\p{M}\p{N}.'’-]+){1,3}[ \t]*[,!:\n]/iu;

/**
 * The words of an answer with what may have been put into a template taken out: a greeting with a name, quoted stretches,
 * and stretches of three words and more that stand in the text it answers. Answers made from one template are the same
 * after that.
 *
 * @example maskedWords("You say 'I feel cold at…'. See a doctor.", wordHashes('I feel cold at night')) // you say SLOT see a doctor
 */
export function maskedWords(answer: string, source: Uint32Array): Uint32Array {
  const greeting = GREETING.exec(answer)?.[0] ?? '';
  const pieces = answer.slice(greeting.length).split(QUOTED);
  const known = shinglesIn(source);
  const out: number[] = [];
  const slot = (): void => {
    if (out.at(-1) !== SLOT) out.push(SLOT);
  };
  if (greeting !== '') slot();
  for (const [at, piece] of pieces.entries()) {
    if (at > 0) slot();
    const words = wordHashes(piece);
    const isCopied = markCopied(words, known);
    for (let word = 0; word < words.length; word += 1) {
      if (isCopied[word] === 1) slot();
      else out.push(words[word]!);
    }
  }
  return Uint32Array.from(out);
}

/** The words of an answer that do not stand in stretches of three words and more of the text it answers. */
export function ownWords(words: Uint32Array, source: Uint32Array): Uint32Array {
  const isCopied = markCopied(words, shinglesIn(source));
  return words.filter((_, at) => isCopied[at] === 0);
}

/** Whether something was taken out. */
export function isMasked(words: Uint32Array): boolean {
  return words.includes(SLOT);
}

/** 1 for every word in a stretch that is known. */
function markCopied(words: Uint32Array, known: ReadonlySet<number>): Uint8Array {
  const isCopied = new Uint8Array(words.length);
  for (let from = 0; from + COPIED_WORDS <= words.length; from += 1)
    if (known.has(keyAt(words, from))) isCopied.fill(1, from, from + COPIED_WORDS);
  return isCopied;
}

function shinglesIn(words: Uint32Array): Set<number> {
  const found = new Set<number>();
  for (let from = 0; from + COPIED_WORDS <= words.length; from += 1) found.add(keyAt(words, from));
  return found;
}

function keyAt(words: Uint32Array, from: number): number {
  let hash = 0;
  for (let at = from; at < from + COPIED_WORDS; at += 1)
    hash = Math.imul(hash ^ words[at]!, 0x5bd1e995) ^ (hash >>> 15);
  return hash >>> 0;
}
