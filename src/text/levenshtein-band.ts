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
