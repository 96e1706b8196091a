// Both texts as code points. Kept between calls: a run compares millions of pairs of names.
let left = new Int32Array(64);
let right = new Int32Array(64);
// For each code point, the positions in a block of 32 of the short text where it stands, one bit each; zero between calls.
// 4 MB of address space, of which only the pages in use are ever allocated.
const positions = new Int32Array(0x110000);
// By how much the last row of a block grows from column to column: what the block below it needs.
let steps = new Int8Array(64);

/**
 * Levenshtein distance (1966): the least number of code points to insert, delete or replace to turn `a` into `b`. Always
 * defined; 0 means equal. With a `limit`, a distance above it is returned as limit + 1, mostly without working it out.
 *
 * @example levenshtein('kitten', 'sitting') // 3
 * @example levenshtein('kitten', 'sitting', 1) // 2
 */
export function levenshtein(a: string, b: string, limit = Infinity): number {
  if (a === b) return 0;
  makeRoom(a, b);
  return distance(readCodePoints(a, left), readCodePoints(b, right), Math.max(0, Math.floor(limit)));
}

/**
 * Similarity of two texts: 1 - distance / length of the longer, in code points, from 0 to 1 (equal); two empty texts: 1.
 * A similarity below `atLeast` is returned as 0, mostly without working it out; one equal to it never is.
 *
 * @example levenshteinSimilarity('bethlehem', 'bethleham') // 1 - 1 / 9
 * @example levenshteinSimilarity('john d. smith', 'john smith', 0.85) // 0, for 1 - 3 / 13 is less than 0.85
 */
export function levenshteinSimilarity(a: string, b: string, atLeast = 0): number {
  if (a === b) return 1;
  if (a === '' || b === '') return 0;
  makeRoom(a, b);
  const aLength = readCodePoints(a, left);
  const bLength = readCodePoints(b, right);
  const longer = Math.max(aLength, bLength);
  const limit = mostEdits(longer, atLeast);
  if (limit < 1) return 0;
  const edits = distance(aLength, bLength, limit);
  return edits > limit ? 0 : 1 - edits / longer;
}

/** With how many edits two texts, the longer of which has `longer` code points, still have this similarity. */
export function mostEdits(longer: number, atLeast: number): number {
  if (atLeast <= 0) return longer;
  // Starts one too high and steps down with the very expression of the result, so that no rounding loses an equality.
  let edits = Math.floor((1 - atLeast) * longer) + 1;
  while (edits > 0 && 1 - edits / longer < atLeast) edits -= 1;
  return edits;
}

/** A text of up to 32 code points that is compared with many others: it is read once. Only one can be in use at a time. */
export class EditPattern {
  static readonly LONGEST = 32;
  readonly #codes: Int32Array;
  readonly #length: number;

  constructor(codes: Int32Array, length: number) {
    this.#codes = codes;
    this.#length = length;
    for (let i = 0; i < length; i += 1) positions[codes[i]!]! |= 1 << i;
  }

  /** The distance to the code points from `from` to `to`, as `levenshtein` gives it. */
  distanceTo(texts: Int32Array, from: number, to: number, limit: number): number {
    const lastRow = 1 << (this.#length - 1);
    const most = limit + to - 1;
    let rises = -1;
    let falls = 0;
    let score = this.#length;
    for (let at = from; at < to; at += 1) {
      const equal = positions[texts[at]!]!;
      const vertical = equal | falls;
      const horizontal = (((equal & rises) + rises) ^ rises) | equal;
      const up = falls | ~(horizontal | rises);
      const down = rises & horizontal;
      if (up & lastRow) score += 1;
      if (down & lastRow) score -= 1;
      if (score + at > most) return limit + 1;
      const grown = (up << 1) | 1;
      rises = (down << 1) | ~(vertical | grown);
      falls = grown & vertical;
    }
    return score;
  }

  release(): void {
    for (let i = 0; i < this.#length; i += 1) positions[this.#codes[i]!] = 0;
  }
}

/** Edit distances between a quote and many stretches of a text. One instance serves all quotes of the text. */
export class EditColumns {
  /** As `positions` and `steps`, for symbols. */
  readonly #rowsOf: Int32Array;
  readonly #rowSteps: Int8Array;
  readonly #edits: Int32Array;

  constructor(symbols: number, longest: number) {
    this.#rowsOf = new Int32Array(symbols);
    this.#rowSteps = new Int8Array(longest);
    this.#edits = new Int32Array(longest + 1);
  }

  /**
   * Reads `length` symbols of a text, starting with the one at `at`, and returns edit distances by the number of symbols
   * read. Forward (`by` 1): the fewest edits between the quote and any stretch that ends there. Backward (-1): the edits
   * between the quote and the whole stretch read so far, which ends at `at`. Valid until the next call.
   * Myers, G. (1999), A fast bit-vector algorithm for approximate string matching; in the form of Hyyrö (2003).
   */
  read(quote: Int32Array, text: Int32Array, at: number, length: number, by: 1 | -1): Int32Array {
    const [rowsOf, rowSteps, edits] = [this.#rowsOf, this.#rowSteps, this.#edits];
    rowSteps.fill(by === 1 ? 0 : 1, 0, length);
    edits[0] = quote.length;
    for (let top = 0; top < quote.length; top += 32) {
      const rows = Math.min(32, quote.length - top);
      const symbolIn = (row: number): number => quote[by === 1 ? top + row : quote.length - 1 - top - row]!;
      for (let row = 0; row < rows; row += 1) rowsOf[symbolIn(row)]! |= 1 << row;
      const lastRow = 1 << (rows - 1);
      let [rises, falls, score] = [-1, 0, top + rows];
      for (let column = 0; column < length; column += 1) {
        const above = rowSteps[column]!;
        const equal = rowsOf[text[at + by * column]!]!;
        const vertical = equal | falls;
        const matched = above < 0 ? equal | 1 : equal;
        const horizontal = (((matched & rises) + rises) ^ rises) | matched;
        let up = falls | ~(horizontal | rises);
        let down = rises & horizontal;
        const step = up & lastRow ? 1 : down & lastRow ? -1 : 0;
        score += step;
        rowSteps[column] = step;
        edits[column + 1] = score;
        up <<= 1;
        down <<= 1;
        if (above > 0) up |= 1;
        if (above < 0) down |= 1;
        rises = down | ~(vertical | up);
        falls = up & vertical;
      }
      for (let row = 0; row < rows; row += 1) rowsOf[symbolIn(row)] = 0;
    }
    return edits;
  }
}

function distance(aLength: number, bLength: number, limit: number): number {
  if (Math.abs(aLength - bLength) > limit) return limit + 1;
  // A common start or end costs nothing.
  let [from, aEnd, bEnd] = [0, aLength, bLength];
  while (from < aEnd && from < bEnd && left[from] === right[from]) from += 1;
  while (aEnd > from && bEnd > from && left[aEnd - 1] === right[bEnd - 1]) {
    aEnd -= 1;
    bEnd -= 1;
  }
  const [m, n] = [aEnd - from, bEnd - from];
  if (m === 0 || n === 0) return m + n;
  return m <= n ? bitParallel(left, m, right, n, from, limit) : bitParallel(right, n, left, m, from, limit);
}

function makeRoom(a: string, b: string): void {
  const length = Math.max(a.length, b.length);
  if (length <= left.length) return;
  [left, right, steps] = [new Int32Array(2 * length), new Int32Array(2 * length), new Int8Array(2 * length)];
}

/** Writes the code points into a buffer that is long enough, and returns how many there are. */
export function readCodePoints(text: string, into: Int32Array): number {
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const codePoint = text.codePointAt(at) ?? 0;
    if (codePoint > 0xffff) at += 1;
    into[length] = codePoint;
    length += 1;
  }
  return length;
}

/**
 * The distance of a short text of m code points and a long one of n, both of which begin at `from` in their buffers; above
 * `limit` it is limit + 1. The table is filled in blocks of 32 rows: one column of a block is two machine words.
 * Myers, G. (1999), A fast bit-vector algorithm for approximate string matching; in the form of Hyyrö (2003).
 */
function bitParallel(short: Int32Array, m: number, long: Int32Array, n: number, from: number, limit: number): number {
  for (let top = 0; ; top += 32) {
    const rows = Math.min(32, m - top);
    const below = m - top - rows;
    for (let i = 0; i < rows; i += 1) positions[short[from + top + i]!]! |= 1 << i;
    const lastRow = 1 << (rows - 1);
    // Each column and each row that is left lowers the score by one at most.
    const most = limit + below + n - 1;
    let rises = -1; // bit i: the column grows by one from row i to the next
    let falls = 0;
    let score = top + rows; // in the last row of the block
    let least = below > 0 ? score + Math.abs(n - below) : 0;
    for (let j = 0; j < n; j += 1) {
      const above = top === 0 ? 1 : steps[j]!;
      const equal = positions[long[from + j]!]!;
      const vertical = equal | falls;
      const matched = above < 0 ? equal | 1 : equal;
      const horizontal = (((matched & rises) + rises) ^ rises) | matched;
      let up = falls | ~(horizontal | rises);
      let down = rises & horizontal;
      const before = score;
      if (up & lastRow) score += 1;
      if (down & lastRow) score -= 1;
      if (score + j > most) {
        least = limit + 1;
        break;
      }
      if (below > 0) {
        steps[j] = score - before;
        least = Math.min(least, score + Math.abs(n - 1 - j - below));
      }
      up <<= 1;
      down <<= 1;
      if (above > 0) up |= 1;
      if (above < 0) down |= 1;
      rises = down | ~(vertical | up);
      falls = up & vertical;
    }
    for (let i = 0; i < rows; i += 1) positions[short[from + top + i]!] = 0;
    // Every way to the end leaves the block somewhere, and from there has to make up for the difference in length.
    if (least > limit) return limit + 1;
    if (below === 0) return score;
  }
}
