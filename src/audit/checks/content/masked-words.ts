import { maskCopies, SLOT } from '../../../text/shingles.ts';
import { wordHashes } from '../../../text/text-scan.ts';

const QUOTED =
  /“[^”]{1,300}”|"[^"]{1,300}"|«[^»]{1,300}»|(?<![\p{L}\p{N}])['‘](?:[^'’]|(?<=\p{L})['’](?=\p{L})){1,300}['’](?![\p{L}\p{N}])/gu;
/** A greeting with a name at the head of an answer: "Dear Anna,". */
const GREETING =
  /^\s*(?:dear|hello|hi|hey|namaste|hallo|liebe[rs]?|bonjour|chère?|hola|estimad[oa]|नमस्ते|प्रिय)(?:[ \t]+[\p{L}\p{M}\p{N}.'’-]+){1,3}[ \t]*[,!:\n]/iu;

/**
 * The words of an answer with what may have been put into a template taken out: a greeting with a name, quoted stretches,
 * and stretches of three words and more that are in the text it answers. Answers made from one template are the same
 * after that.
 *
 * @example maskedWords("You say 'I feel cold at…'. See a doctor.", wordHashes('I feel cold at night')) // you say SLOT see a doctor
 */
export function maskedWords(answer: string, source: Uint32Array): Uint32Array {
  const greeting = GREETING.exec(answer)?.[0] ?? '';
  const maskCopied = maskCopies(source);
  const pieces = answer.slice(greeting.length).split(QUOTED);
  const masked = pieces.flatMap((piece, at) => [
    ...(at === 0 && greeting === '' ? [] : [SLOT]),
    ...maskCopied(wordHashes(piece)),
  ]);
  return Uint32Array.from(masked.filter((word, at) => word !== SLOT || masked[at - 1] !== SLOT));
}
