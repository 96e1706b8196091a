import { words } from '../../../plugin.ts';
import { utf8Text } from './text-table.ts';

/**
 * The character trigrams of a text as scikit-learn's `char_wb` analyser makes them: lower case, every word (between
 * white space) with a space on both sides, trigrams that do not go over words, in code points. A word of n characters
 * gives n of them, so even one of a single character gives one.
 *
 * @example charTrigrams('CT scan') // [' ct', 'ct ', ' sc', 'sca', 'can', 'an ']
 */
export function charTrigrams(text: string): string[] {
  const trigrams: string[] = [];
  for (const word of words(text.toLowerCase(), 'whitespace')) {
    const padded = [' ', ...word, ' '];
    for (let at = 2; at < padded.length; at += 1) trigrams.push(padded.slice(at - 2, at + 1).join(''));
  }
  return trigrams;
}

const SPACE = 0x20;
const NO_WORD = -1;

/**
 * Trigrams as small numbers, straight from UTF-8 bytes: names of concepts are ASCII but for a few, and a hundred million
 * little strings would cost more than all the rest of the work.
 */
export class TrigramNumbers {
  /** By number. */
  readonly trigrams: string[] = [];
  /** By the three characters of ASCII, seven bits each: the number plus one; 0 for none. */
  readonly #ascii = new Int32Array(1 << 21);
  readonly #others = new Map<string, number>();
  readonly #isOpen: boolean;

  /** Numbers every trigram as it comes, or, if `known` are given, only these. */
  constructor(known?: readonly string[]) {
    for (const trigram of known ?? []) this.#add(trigram);
    this.#isOpen = known === undefined;
  }

  /** Writes the numbers of the trigrams of a text into `out`, which needs a place for every byte; returns how many. */
  read(bytes: Uint8Array, start: number, end: number, out: Int32Array): number {
    const ascii = this.#ascii;
    let count = 0;
    let before = SPACE;
    let last = NO_WORD;
    // The end of the text ends a word as white space does.
    for (let at = start; at <= end; at += 1) {
      let byte = at === end ? SPACE : bytes[at]!;
      let code: number;
      if (byte >= 0x80) return this.#readText(utf8Text(bytes, start, end), out);
      if (byte >= 0x41 && byte <= 0x5a) byte += 0x20;
      if (isSpace(byte)) {
        if (last === NO_WORD) continue;
        code = (before << 14) | (last << 7) | SPACE;
        before = SPACE;
        last = NO_WORD;
      } else if (last === NO_WORD) {
        last = byte;
        continue;
      } else {
        code = (before << 14) | (last << 7) | byte;
        before = last;
        last = byte;
      }
      const number = ascii[code]! - 1;
      if (number >= 0) out[count++] = number;
      else if (this.#isOpen) out[count++] = this.#add(String.fromCharCode(code >> 14, (code >> 7) & 0x7f, code & 0x7f));
    }
    return count;
  }

  #readText(text: string, out: Int32Array): number {
    let count = 0;
    for (const trigram of charTrigrams(text)) {
      const code = asciiCode(trigram);
      const number = code === null ? (this.#others.get(trigram) ?? -1) : this.#ascii[code]! - 1;
      if (number >= 0) out[count++] = number;
      else if (this.#isOpen) out[count++] = this.#add(trigram);
    }
    return count;
  }

  #add(trigram: string): number {
    const number = this.trigrams.push(trigram) - 1;
    const code = asciiCode(trigram);
    if (code === null) this.#others.set(trigram, number);
    else this.#ascii[code] = number + 1;
    return number;
  }
}

/** The code of a trigram of ASCII characters, null for any other. */
export function asciiCode(trigram: string): number | null {
  const [a, b, c] = [trigram.charCodeAt(0), trigram.charCodeAt(1), trigram.charCodeAt(2)];
  return trigram.length === 3 && (a | b | c) < 0x80 ? (a << 14) | (b << 7) | c : null;
}

/** White space of ASCII as Python sees it. */
function isSpace(byte: number): boolean {
  return byte === SPACE || (byte >= 0x09 && byte <= 0x0d) || (byte >= 0x1c && byte <= 0x1f);
}
