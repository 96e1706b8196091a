// Both texts as code points. Kept between calls: a run compares millions of pairs of names.
let left = new Int32Array(64);
let right = new Int32Array(64);

/**
 * Levenshtein distance: the least number of code points to insert, delete or replace to turn `a` into `b`.
 * Always defined; 0 means equal, lower is nearer. Levenshtein, V. I. (1966).
 *
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
 *
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
  const limit = greatestDistance(longer, atLeast);
  if (limit < 1) return 0;
  const found = distance(aLength, bLength, limit);
  return found > limit ? 0 : 1 - found / longer;
}

// Starts one too high and steps down with the very expression of the result, so that no rounding loses an equality.
function greatestDistance(longer: number, atLeast: number): number {
  if (!(atLeast > 0)) return longer;
  let limit = Math.floor((1 - atLeast) * longer) + 1;
  while (limit > 0 && 1 - limit / longer < atLeast) limit -= 1;
  return limit;
}

function distance(aLength: number, bLength: number, limit: number): number {
  if (Math.abs(aLength - bLength) > limit) return limit + 1;

  // A common start or end costs nothing.
  let from = 0;
  let aEnd = aLength;
  let bEnd = bLength;
  while (from < aEnd && from < bEnd && left[from] === right[from]) from += 1;
  while (aEnd > from && bEnd > from && left[aEnd - 1] === right[bEnd - 1]) {
    aEnd -= 1;
    bEnd -= 1;
  }
  if (aEnd === from) return bEnd - from;
  if (bEnd === from) return aEnd - from;

  const aRest = aEnd - from;
  const bRest = bEnd - from;
  const reachable = Math.min(limit, Math.max(aRest, bRest));
  const distanceOfRests = Math.min(aRest, bRest) <= 32 ? bitParallelDistance : bandedDistance;
  return aRest <= bRest
    ? distanceOfRests(left, aRest, right, bRest, from, reachable)
    : distanceOfRests(right, bRest, left, aRest, from, reachable);
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

// For each code point, the positions in the short text where it stands, one bit each. All zero between calls.
// 4 MB of address space, of which only the pages in use are ever allocated.
const positions = new Int32Array(0x110000);

/**
 * Levenshtein distance where the short text has 1 to 32 code points: one column of the table in two machine words.
 * Both texts begin at `from` in their buffers. A distance above `limit` is returned as limit + 1.
 *
 * Myers, G. (1999), A fast bit-vector algorithm for approximate string matching; in the form of Hyyrö (2003).
 *
 * @example bitParallelDistance(Int32Array.of(1, 2), 2, Int32Array.of(1, 3, 4), 3, 0, 9) // 2
 */
export function bitParallelDistance(
  short: Int32Array,
  shortLength: number,
  long: Int32Array,
  longLength: number,
  from: number,
  limit: number,
): number {
  for (let i = 0; i < shortLength; i += 1) {
    const codePoint = short[from + i] ?? 0;
    positions[codePoint] = (positions[codePoint] ?? 0) | (1 << i);
  }

  const lastRow = 1 << (shortLength - 1);
  let rises = -1; // bit i: the column grows by one from row i to the next
  let falls = 0;
  let score = shortLength;
  for (let j = 0; j < longLength; j += 1) {
    const equal = positions[long[from + j] ?? 0] ?? 0;
    const vertical = equal | falls;
    const horizontal = (((equal & rises) + rises) ^ rises) | equal;
    let up = falls | ~(horizontal | rises);
    let down = rises & horizontal;
    if (up & lastRow) score += 1;
    if (down & lastRow) score -= 1;
    // Each column that is left lowers the score by one at most.
    if (score - (longLength - 1 - j) > limit) {
      score = limit + 1;
      break;
    }
    up = (up << 1) | 1;
    down <<= 1;
    rises = down | ~(vertical | up);
    falls = up & vertical;
  }

  for (let i = 0; i < shortLength; i += 1) positions[short[from + i] ?? 0] = 0;
  return score;
}

// One row of the table, kept between calls.
let row = new Int32Array(64);

/**
 * Levenshtein distance of texts of any length, in time proportional to length × limit: a path of at most `limit` edits
 * never leaves the diagonal by more than that. Both texts begin at `from` in their buffers. A distance above `limit`
 * is returned as limit + 1.
 *
 * Ukkonen, E. (1985), Algorithms for approximate string matching.
 *
 * @example bandedDistance(Int32Array.of(1, 2), 2, Int32Array.of(1, 3, 4), 3, 0, 9) // 2
 */
export function bandedDistance(
  short: Int32Array,
  shortLength: number,
  long: Int32Array,
  longLength: number,
  from: number,
  limit: number,
): number {
  if (shortLength >= row.length) row = new Int32Array(2 * shortLength);
  const tooFar = limit + 1;
  for (let j = 0; j <= shortLength; j += 1) row[j] = j;

  for (let i = 1; i <= longLength; i += 1) {
    const codePoint = long[from + i - 1] ?? 0;
    const first = Math.max(1, i - limit);
    const last = Math.min(shortLength, i + limit);
    let diagonal = row[first - 1] ?? 0;
    let beside = first === 1 ? i : tooFar;
    row[first - 1] = beside;
    // The band moves one to the right: the row above has no value there.
    if (last === i + limit) row[last] = tooFar;
    let best = beside;
    for (let j = first; j <= last; j += 1) {
      const above = row[j] ?? 0;
      if (short[from + j - 1] === codePoint) beside = diagonal;
      else beside = 1 + Math.min(diagonal, above, beside);
      diagonal = above;
      row[j] = beside;
      if (beside < best) best = beside;
    }
    if (best > limit) return tooFar;
  }
  return Math.min(row[shortLength] ?? 0, tooFar);
}
