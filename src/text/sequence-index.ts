/** How many numbers in a row the index is made of. */
const GRAM = 3;

/**
 * Finds many short sequences in a long one, each by its rarest run of three numbers. If that run is everywhere, as in
 * "aaaa", the long sequence is read once instead, so a search never takes more than linear time. (`indexOf` on strings
 * can take the product of both lengths.)
 */
export class SequenceIndex {
  readonly #sequence: Int32Array;
  readonly #bits: number;
  /** The places of all runs, grouped by hash, and where each group begins. */
  readonly #places: Int32Array;
  readonly #starts: Int32Array;

  constructor(sequence: Int32Array) {
    this.#sequence = sequence;
    this.#bits = Math.min(16, Math.max(4, 32 - Math.clz32(sequence.length)));
    const grams = Math.max(0, sequence.length - GRAM + 1);
    this.#starts = new Int32Array((1 << this.#bits) + 2);
    this.#places = new Int32Array(grams);
    // Counts are shifted by two, so that filling in the places moves each start to where the next group begins.
    for (let at = 0; at < grams; at += 1) this.#starts[this.#hash(sequence, at) + 2]! += 1;
    for (let hash = 2; hash < this.#starts.length; hash += 1) this.#starts[hash]! += this.#starts[hash - 1]!;
    for (let at = 0; at < grams; at += 1) this.#places[this.#starts[this.#hash(sequence, at) + 1]!++] = at;
  }

  /** Visits the places where a needle begins, in order, until `visit` returns false. An empty needle has no place. */
  find(needle: Int32Array, visit: (at: number) => boolean): void {
    const sequence = this.#sequence;
    const last = sequence.length - needle.length;
    if (needle.length === 0 || last < 0) return;
    if (needle.length < GRAM) {
      findByReading(sequence, 0, needle, visit);
      return;
    }
    const [offset, first, end] = this.#rarest(needle);
    let work = sequence.length / 4;
    for (let place = first; place < end; place += 1) {
      const at = this.#places[place]! - offset;
      if (at < 0 || at > last) continue;
      if (work < 0) {
        findByReading(sequence, at, needle, visit);
        return;
      }
      let same = 0;
      while (same < needle.length && sequence[at + same] === needle[same]) same += 1;
      if (same === needle.length && !visit(at)) return;
      work -= same;
    }
  }

  /** The offset of the rarest run in the needle, and the bounds of its group of places. */
  #rarest(needle: Int32Array): readonly [offset: number, first: number, end: number] {
    let rarest: [number, number, number] = [0, 0, Infinity];
    for (let offset = 0; offset + GRAM <= needle.length; offset += 1) {
      const hash = this.#hash(needle, offset);
      const [first, end] = [this.#starts[hash]!, this.#starts[hash + 1]!];
      if (end - first < rarest[2] - rarest[1]) rarest = [offset, first, end];
    }
    return rarest;
  }

  #hash(numbers: Int32Array, at: number): number {
    let hash = 0;
    for (let next = at; next < at + GRAM; next += 1) hash = Math.imul((hash ^ numbers[next]!) + 1, 0x9e3779b1);
    return hash >>> (32 - this.#bits);
  }
}

/** Knuth, D. E., Morris, J. H. and Pratt, V. R. (1977), Fast pattern matching in strings. */
function findByReading(sequence: Int32Array, from: number, needle: Int32Array, visit: (at: number) => boolean): void {
  const { length } = needle;
  // For each prefix of the needle, the length of its longest proper suffix that is also a prefix.
  const overlap = new Int32Array(length + 1);
  for (let at = 1, same = 0; at < length; at += 1) {
    while (same > 0 && needle[at] !== needle[same]) same = overlap[same]!;
    if (needle[at] === needle[same]) same += 1;
    overlap[at + 1] = same;
  }
  for (let at = from, same = 0; at < sequence.length; at += 1) {
    const next = sequence[at]!;
    while (same > 0 && next !== needle[same]) same = overlap[same]!;
    if (next === needle[same]) same += 1;
    if (same === length && !visit(at + 1 - length)) return;
  }
}
