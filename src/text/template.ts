import { copiesOf, wordHashes } from './shingles.ts';

/** Stands for a stretch that was put in from elsewhere; no word has this hash but by chance. */
const SLOT = 0x510751;

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
  const markCopied = copiesOf(source);
  const out: number[] = [];
  const slot = (): void => {
    if (out.at(-1) !== SLOT) out.push(SLOT);
  };
  if (greeting !== '') slot();
  for (const [at, piece] of pieces.entries()) {
    if (at > 0) slot();
    const words = wordHashes(piece);
    const isCopied = markCopied(words);
    for (let word = 0; word < words.length; word += 1) {
      if (isCopied[word] === 1) slot();
      else out.push(words[word]!);
    }
  }
  return Uint32Array.from(out);
}

/** The words of an answer that do not stand in stretches of three words and more of the text it answers. */
export function ownWords(words: Uint32Array, source: Uint32Array): Uint32Array {
  const isCopied = copiesOf(source)(words);
  return words.filter((_, at) => isCopied[at] === 0);
}

/** Whether something was taken out. */
export function isMasked(words: Uint32Array): boolean {
  return words.includes(SLOT);
}
