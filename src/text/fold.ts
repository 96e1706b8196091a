import type { Span } from './span.ts';
import { isWhiteSpace } from './white-space.ts';

/** What a fold overlooks; each level overlooks what the ones before it do. */
export type FoldLevel = 'case' | 'white-space' | 'punctuation';

/** A text in which some differences are gone, and for each of its units where in the original it came from. */
export interface Folded {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const INVISIBLE = /^\p{Cf}$/u;
const PUNCTUATION = /^\p{P}$/u;
const APOSTROPHES = "'’‘‛ʼ`´＇";

/**
 * Folds a text so that texts which differ in little become equal, and places in it can be traced back.
 *
 * - `case`: upper and lower case (also ß and SS, final sigma and sigma)
 * - `white-space`: also runs of white space are one space, and invisible characters such as the soft hyphen are gone
 * - `punctuation`: also apostrophes of all sorts are gone, and other punctuation is white space. It is not just taken
 *   out: 3.5 must not become 35, and "well-being" is to equal "well being".
 *
 * @example fold('Don’t —  STOP', 'punctuation').text // 'dont stop'
 */
export function fold(text: string, level: FoldLevel): Folded {
  const starts: number[] = [];
  const ends: number[] = [];
  let folded = '';
  let at = 0;
  for (const character of text) {
    const end = at + character.length;
    const piece = foldCharacter(character, level);
    const repeatsSpace = level !== 'case' && piece === ' ' && folded.endsWith(' ');
    if (!repeatsSpace) {
      folded += piece;
      for (let unit = 0; unit < piece.length; unit += 1) {
        starts.push(at);
        ends.push(end);
      }
    }
    at = end;
  }
  return { text: folded, starts, ends };
}

/**
 * Where in the original a stretch of the folded text, not an empty one, came from.
 *
 * @example origin(fold('Don’t', 'punctuation'), 2, 4) // { start: 2, end: 5 }
 */
export function origin(folded: Folded, start: number, end: number): Span {
  return { start: folded.starts[start] ?? 0, end: folded.ends[end - 1] ?? 0 };
}

function foldCharacter(character: string, level: FoldLevel): string {
  if (level !== 'case') {
    if (isWhiteSpace(character.charCodeAt(0))) return ' ';
    if (INVISIBLE.test(character)) return '';
  }
  if (level === 'punctuation') {
    if (APOSTROPHES.includes(character)) return '';
    if (PUNCTUATION.test(character)) return ' ';
  }
  // By way of upper case: lower-casing alone leaves ς beside σ and ß beside SS. First down, for ẞ has no other way to SS.
  return character.toLowerCase().toUpperCase().toLowerCase();
}
