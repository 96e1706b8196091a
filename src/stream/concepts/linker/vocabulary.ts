import { compareText, naturalLog, words } from '../../../plugin.ts';
import { GrowingNumbers } from './growing-numbers.ts';
import { longestText, type PackedTexts, utf8Text } from './text-table.ts';

/** The trigrams that count, numbered: first those of ASCII, then the others, each in the order of their characters. */
export interface Vocabulary {
  readonly idf: Float64Array;
  readonly numbers: TrigramNumbers;
}

/** `trigrams` end to end in UTF-8, `df` in how many of the aliases each is. */
export function openVocabulary(trigrams: Uint8Array, df: Uint32Array, aliasCount: number): Vocabulary {
  const text = utf8Text(trigrams, 0, trigrams.length);
  return {
    idf: Float64Array.from(df, (count) => idf(aliasCount, count)),
    numbers: new TrigramNumbers(text.match(/.{3}/gsu) ?? []),
  };
}

/**
 * Smoothed inverse document frequency, as scikit-learn has it: ln((1 + n) / (1 + df)) + 1.
 *
 * @example idf(99, 10) // 3.207274913…
 */
function idf(n: number, df: number): number {
  return naturalLog((1 + n) / (1 + df)) + 1;
}

/** Counts in how many aliases each trigram is, and keeps those that are in at least `minDf`. */
export function countTrigrams(
  aliases: PackedTexts,
  minDf: number,
): { readonly trigrams: Uint8Array<ArrayBuffer>; readonly trigramDf: Uint32Array<ArrayBuffer> } {
  const { bytes, starts } = aliases;
  const numbers = new TrigramNumbers();
  const read = new Int32Array(longestText(aliases));
  const df = new GrowingNumbers();
  /** The alias that a trigram was last seen in, plus one: each counts once an alias. */
  const seenIn = new GrowingNumbers();
  for (let alias = 0; alias + 1 < starts.length; alias += 1) {
    const count = numbers.read(bytes, starts[alias]!, starts[alias + 1]!, read);
    while (df.length < numbers.trigrams.length) {
      df.push(0);
      seenIn.push(0);
    }
    for (let at = 0; at < count; at += 1) {
      const trigram = read[at]!;
      if (seenIn.at(trigram) === alias + 1) continue;
      seenIn.set(trigram, alias + 1);
      df.set(trigram, df.at(trigram) + 1);
    }
  }
  const kept = numbers.trigrams
    .map((trigram, at) => ({ trigram, isAscii: asciiCode(trigram) !== null, count: df.at(at) }))
    .filter(({ count }) => count >= minDf)
    .sort((a, b) => Number(b.isAscii) - Number(a.isAscii) || compareText(a.trigram, b.trigram));
  return {
    trigrams: new TextEncoder().encode(kept.map(({ trigram }) => trigram).join('')),
    trigramDf: Uint32Array.from(kept, ({ count }) => count),
  };
}

/** Room for the vector of one text, used again and again. */
export interface VectorRoom {
  readonly trigrams: Int32Array;
  readonly counts: Int32Array;
  length: number;
}

export function vectorRoom(mostBytes: number): VectorRoom {
  return { trigrams: new Int32Array(mostBytes), counts: new Int32Array(mostBytes), length: 0 };
}

/** The trigrams of a text with their counts, in the order of their numbers; returns the greatest count, 0 for none. */
export function readVector(
  { numbers }: Vocabulary,
  bytes: Uint8Array,
  start: number,
  end: number,
  room: VectorRoom,
): number {
  const { trigrams, counts } = room;
  const read = numbers.read(bytes, start, end, trigrams);
  sortShort(trigrams, read);
  let length = 0;
  let most = 0;
  for (let at = 0; at < read;) {
    const trigram = trigrams[at]!;
    let next = at + 1;
    while (next < read && trigrams[next] === trigram) next += 1;
    const count = next - at;
    trigrams[length] = trigram;
    counts[length] = count;
    length += 1;
    if (count > most) most = count;
    at = next;
  }
  room.length = length;
  return most;
}

/** By insertion, which is quickest for the few trigrams of a name. */
function sortShort(values: Int32Array, length: number): void {
  if (length > 64) {
    values.subarray(0, length).sort();
    return;
  }
  for (let at = 1; at < length; at += 1) {
    const value = values[at]!;
    let to = at - 1;
    for (; to >= 0 && values[to]! > value; to -= 1) values[to + 1] = values[to]!;
    values[to + 1] = value;
  }
}

/** The length of a vector of tf-idf: the root of the sum of (count · idf)². Added up in the order of the trigrams. */
export function vectorNorm({ idf: weights }: Vocabulary, { trigrams, counts, length }: VectorRoom): number {
  let sum = 0;
  for (let at = 0; at < length; at += 1) sum += (counts[at]! * weights[trigrams[at]!]!) ** 2;
  return Math.sqrt(sum);
}

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
function asciiCode(trigram: string): number | null {
  const [a, b, c] = [trigram.charCodeAt(0), trigram.charCodeAt(1), trigram.charCodeAt(2)];
  return trigram.length === 3 && (a | b | c) < 0x80 ? (a << 14) | (b << 7) | c : null;
}

/** White space of ASCII as Python sees it. */
function isSpace(byte: number): boolean {
  return byte === SPACE || (byte >= 0x09 && byte <= 0x0d) || (byte >= 0x1c && byte <= 0x1f);
}
