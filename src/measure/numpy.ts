/**
 * The value below which a share q of the sorted values lies, with a straight line between neighbours (numpy's linear
 * percentile, to the last bit). Example: q 0.25 of [1, 2, 3, 4]: place 0.75, so 1.75.
 */
export function percentile(sorted: ArrayLike<number>, q: number): number {
  const last = sorted.length - 1;
  if (last < 0) throw new RangeError('there is no percentile of nothing');
  const place = q * last;
  const below = Math.min(Math.floor(place), last);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, last)]!;
  const share = place - below;
  const gap = high - low;
  // From the nearer end, so that the result never passes either.
  return share >= 0.5 ? high - gap * (1 - share) : low + gap * share;
}

/** Above this many numbers numpy halves the list. */
const BLOCK = 128;

/**
 * The sum of the numbers as numpy adds them: eight running sums for up to 128 numbers, halves above that. Rounding
 * errors grow with log n instead of n, and the bits are numpy's.
 */
export function pairwiseSum(values: ArrayLike<number>, from = 0, n = values.length): number {
  if (n < 8) {
    // From the first number, as numpy's inner loop does; np.sum adds the result to 0, which turns −0 into 0.
    let sum = n === 0 ? 0 : values[from]!;
    for (let at = 1; at < n; at += 1) sum += values[from + at]!;
    return sum;
  }
  if (n <= BLOCK) return eightSums(values, from, n);
  const half = Math.floor(n / 2);
  const first = half - (half % 8);
  return pairwiseSum(values, from, first) + pairwiseSum(values, from + first, n - first);
}

function eightSums(values: ArrayLike<number>, from: number, n: number): number {
  let a = values[from]!;
  let b = values[from + 1]!;
  let c = values[from + 2]!;
  let d = values[from + 3]!;
  let e = values[from + 4]!;
  let f = values[from + 5]!;
  let g = values[from + 6]!;
  let h = values[from + 7]!;
  const whole = n - (n % 8);
  for (let at = from + 8; at < from + whole; at += 8) {
    a += values[at]!;
    b += values[at + 1]!;
    c += values[at + 2]!;
    d += values[at + 3]!;
    e += values[at + 4]!;
    f += values[at + 5]!;
    g += values[at + 6]!;
    h += values[at + 7]!;
  }
  let sum = a + b + (c + d) + (e + f + (g + h));
  for (let at = from + whole; at < from + n; at += 1) sum += values[at]!;
  return sum;
}
