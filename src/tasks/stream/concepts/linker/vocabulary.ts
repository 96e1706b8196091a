import { ASCII_CODES, asciiCode, TrigramCodes } from './trigram-codes.ts';

/** The trigrams that count, numbered: first those of ASCII, then the others, each in the order of their characters. */
export interface Vocabulary {
  readonly trigrams: readonly string[];
  /** In how many aliases each is. */
  readonly df: Uint32Array;
  readonly idf: Float64Array;
  readonly codes: TrigramCodes;
  /** Number of a trigram plus one by its code; 0 is none. */
  readonly byCode: Int32Array;
  /** The other way round: the code of each trigram. */
  readonly codeOf: Int32Array;
}

/** `trigrams` in their order: those of ASCII before the others. */
export function makeVocabulary(trigrams: readonly string[], df: Uint32Array, aliasCount: number): Vocabulary {
  const wide = trigrams.filter((trigram) => asciiCode(trigram) === null);
  const codes = new TrigramCodes(wide);
  const codeOf = Int32Array.from(
    trigrams,
    (trigram, at) => asciiCode(trigram) ?? ASCII_CODES + at - (trigrams.length - wide.length),
  );
  const byCode = new Int32Array(codes.size);
  codeOf.forEach((code, at) => {
    byCode[code] = at + 1;
  });
  return { trigrams, df, idf: Float64Array.from(df, (count) => idf(aliasCount, count)), codes, byCode, codeOf };
}

/**
 * Smoothed inverse document frequency, as scikit-learn has it: ln((1 + n) / (1 + df)) + 1.
 *
 * @example idf(99, 10) // 3.207274913…
 */
function idf(n: number, df: number): number {
  return Math.log((1 + n) / (1 + df)) + 1;
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
  { codes, byCode }: Pick<Vocabulary, 'codes' | 'byCode'>,
  bytes: Uint8Array,
  start: number,
  end: number,
  room: VectorRoom,
): number {
  const { trigrams, counts } = room;
  const read = codes.read(bytes, start, end, trigrams);
  let known = 0;
  for (let at = 0; at < read; at += 1) {
    const number = byCode[trigrams[at]!]!;
    if (number > 0) trigrams[known++] = number - 1;
  }
  sortShort(trigrams, known);
  let length = 0;
  let most = 0;
  for (let at = 0; at < known;) {
    const trigram = trigrams[at]!;
    let next = at + 1;
    while (next < known && trigrams[next] === trigram) next += 1;
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
