import { charTrigrams } from './char-trigrams.ts';

/** Codes below this are trigrams of ASCII, seven bits a character; those from here on were given out one by one. */
export const ASCII_CODES = 1 << 21;

const SPACE = 0x20;
const NO_WORD = -1;

/**
 * Trigrams as small numbers, straight from UTF-8 bytes: names of concepts are ASCII but for a few, and a hundred million
 * little strings would cost more than all the rest of the work.
 */
export class TrigramCodes {
  readonly #wide = new Map<string, number>();
  readonly #isOpen: boolean;

  /** Open ones give every trigram a code; those made from a list know no others. */
  constructor(wide: readonly string[] | null = null) {
    this.#isOpen = wide === null;
    wide?.forEach((trigram, at) => this.#wide.set(trigram, ASCII_CODES + at));
  }

  /** How many codes there are: a table by code needs so many places. */
  get size(): number {
    return ASCII_CODES + this.#wide.size;
  }

  /** Those that are not ASCII, in the order of their codes. */
  wide(): string[] {
    return [...this.#wide.keys()];
  }

  /**
   * Writes the codes of the trigrams of a text into `out`, which needs a place for every byte, and says how many there
   * are. Trigrams that are not known are left out.
   */
  read(bytes: Uint8Array, start: number, end: number, out: Int32Array): number {
    let count = 0;
    let before = SPACE;
    let last = NO_WORD;
    for (let at = start; at < end; at += 1) {
      let byte = bytes[at]!;
      if (byte >= 0x80) return this.#readWide(bytes, start, end, out);
      if (isSpace(byte)) {
        if (last !== NO_WORD) out[count++] = (before << 14) | (last << 7) | SPACE;
        last = NO_WORD;
        continue;
      }
      if (byte >= 0x41 && byte <= 0x5a) byte += 0x20;
      if (last === NO_WORD) before = SPACE;
      else {
        out[count++] = (before << 14) | (last << 7) | byte;
        before = last;
      }
      last = byte;
    }
    if (last !== NO_WORD) out[count++] = (before << 14) | (last << 7) | SPACE;
    return count;
  }

  #readWide(bytes: Uint8Array, start: number, end: number, out: Int32Array): number {
    let count = 0;
    for (const trigram of charTrigrams(textOf(bytes, start, end))) {
      const code = this.#code(trigram);
      if (code !== null) out[count++] = code;
    }
    return count;
  }

  #code(trigram: string): number | null {
    const ascii = asciiCode(trigram);
    if (ascii !== null) return ascii;
    const known = this.#wide.get(trigram);
    if (known !== undefined) return known;
    if (!this.#isOpen) return null;
    const code = this.size;
    this.#wide.set(trigram, code);
    return code;
  }
}

/** The trigram of a code of ASCII. */
export function asciiTrigram(code: number): string {
  return String.fromCharCode(code >> 14, (code >> 7) & 0x7f, code & 0x7f);
}

/** The code of a trigram of ASCII characters, null for any other. */
export function asciiCode(trigram: string): number | null {
  const [a, b, c] = [trigram.charCodeAt(0), trigram.charCodeAt(1), trigram.charCodeAt(2)];
  return trigram.length === 3 && (a | b | c) < 0x80 ? (a << 14) | (b << 7) | c : null;
}

export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

/** White space of ASCII as Python sees it. */
function isSpace(byte: number): boolean {
  return byte === SPACE || (byte >= 0x09 && byte <= 0x0d) || (byte >= 0x1c && byte <= 0x1f);
}
