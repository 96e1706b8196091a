// Both texts as code points. Kept between calls: a run compares millions of pairs of names.
let left = new Int32Array(64);
let right = new Int32Array(64);

/**
 * Levenshtein distance: the least number of code points to insert, delete or replace to turn `a` into `b`.
 * Always defined; 0 means equal, lower is nearer. Levenshtein, V. I. (1966).
 * With a `limit`, a distance above it is returned as limit + 1, mostly long before it is worked out.
 *
 * @example levenshtein('kitten', 'sitting') // 3
 * @example levenshtein('kitten', 'sitting', 1) // 2
 */
export function levenshtein(a: string, b: string, limit = Infinity): number {
  if (a === b) return 0;
  makeRoom(a, b);
  return distance(read(a, left), read(b, right), Math.max(0, Math.floor(limit)));
}

/**
 * Similarity of two texts: 1 - distance / length of the longer, in code points, from 0 to 1 (equal).
 * 0/0 does not come up: two empty texts are equal, so 1; one empty text is 0.
 * A similarity below `atLeast` is returned as 0, mostly long before it is worked out; one equal to it never is.
 *
 * @example levenshteinSimilarity('bethlehem', 'bethleham') // 1 - 1 / 9
 * @example levenshteinSimilarity('john d. smith', 'john smith', 0.85) // 0, for 1 - 3 / 13 is less than 0.85
 */
export function levenshteinSimilarity(a: string, b: string, atLeast = 0): number {
  if (a === b) return 1;
  if (a === '' || b === '') return 0;
  makeRoom(a, b);
  const aLength = read(a, left);
  const bLength = read(b, right);
  const longer = Math.max(aLength, bLength);
  let limit = longer;
  if (atLeast > 0) {
    // Starts one too high and steps down with the very expression of the result, so that no rounding loses an equality.
    limit = Math.floor((1 - atLeast) * longer) + 1;
    while (limit > 0 && 1 - limit / longer < atLeast) limit -= 1;
  }
  if (limit < 1) return 0;
  const edits = distance(aLength, bLength, limit);
  return edits > limit ? 0 : 1 - edits / longer;
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
  const reachable = Math.min(limit, Math.max(m, n));
  const ofRests = Math.min(m, n) <= 32 ? bitParallelDistance : bandedDistance;
  return m <= n ? ofRests(left, m, right, n, from, reachable) : ofRests(right, n, left, m, from, reachable);
}

function makeRoom(a: string, b: string): void {
  const length = Math.max(a.length, b.length);
  if (length > left.length) [left, right] = [new Int32Array(2 * length), new Int32Array(2 * length)];
}

/** Writes the code points into a buffer that is long enough, and says how many there are. */
function read(text: string, into: Int32Array): number {
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
 * `limit` it is limit + 1.
 */
type Distance = (short: Int32Array, m: number, long: Int32Array, n: number, from: number, limit: number) => number;

// For each code point, the positions in the short text where it stands, one bit each. All zero between calls.
// 4 MB of address space, of which only the pages in use are ever allocated.
const positions = new Int32Array(0x110000);

/**
 * Where the short text has 1 to 32 code points: one column of the table in two machine words.
 * Myers, G. (1999), A fast bit-vector algorithm for approximate string matching; in the form of Hyyrö (2003).
 *
 * @example bitParallelDistance(Int32Array.of(1, 2), 2, Int32Array.of(1, 3, 4), 3, 0, 9) // 2
 */
export const bitParallelDistance: Distance = (short, m, long, n, from, limit) => {
  for (let i = 0; i < m; i += 1) positions[short[from + i]!]! |= 1 << i;
  const lastRow = 1 << (m - 1);
  let rises = -1; // bit i: the column grows by one from row i to the next
  let falls = 0;
  let score = m;
  for (let j = 0; j < n; j += 1) {
    const equal = positions[long[from + j]!]!;
    const vertical = equal | falls;
    const horizontal = (((equal & rises) + rises) ^ rises) | equal;
    let up = falls | ~(horizontal | rises);
    let down = rises & horizontal;
    if (up & lastRow) score += 1;
    if (down & lastRow) score -= 1;
    // Each column that is left lowers the score by one at most.
    if (score - (n - 1 - j) > limit) {
      score = limit + 1;
      break;
    }
    up = (up << 1) | 1;
    down <<= 1;
    rises = down | ~(vertical | up);
    falls = up & vertical;
  }
  for (let i = 0; i < m; i += 1) positions[short[from + i]!] = 0;
  return score;
};

// One row of the table, kept between calls.
let row = new Int32Array(64);

/**
 * Texts of any length, in time proportional to length × limit: a path of at most `limit` edits never leaves the diagonal by
 * more than that. Ukkonen, E. (1985), Algorithms for approximate string matching.
 *
 * @example bandedDistance(Int32Array.of(1, 2), 2, Int32Array.of(1, 3, 4), 3, 0, 9) // 2
 */
export const bandedDistance: Distance = (short, m, long, n, from, limit) => {
  if (m >= row.length) row = new Int32Array(2 * m);
  const tooFar = limit + 1;
  for (let j = 0; j <= m; j += 1) row[j] = j;
  for (let i = 1; i <= n; i += 1) {
    const codePoint = long[from + i - 1]!;
    const first = Math.max(1, i - limit);
    const last = Math.min(m, i + limit);
    let diagonal = row[first - 1]!;
    let beside = first === 1 ? i : tooFar;
    row[first - 1] = beside;
    // The band moves one to the right: the row above has no value there.
    if (last === i + limit) row[last] = tooFar;
    let best = beside;
    for (let j = first; j <= last; j += 1) {
      const above = row[j]!;
      beside = short[from + j - 1] === codePoint ? diagonal : 1 + Math.min(diagonal, above, beside);
      diagonal = above;
      row[j] = beside;
      if (beside < best) best = beside;
    }
    if (best > limit) return tooFar;
  }
  return Math.min(row[m]!, tooFar);
};
