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
