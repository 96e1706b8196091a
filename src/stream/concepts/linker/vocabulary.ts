import { compareText } from '../../../plugin.ts';
import { GrowingNumbers } from './growing-numbers.ts';
import { longestText, type PackedTexts, utf8Text } from './text-table.ts';
import { asciiCode, TrigramNumbers } from './trigram-numbers.ts';

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
  return Math.log((1 + n) / (1 + df)) + 1;
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
