/**
 * The value below which a share q of the sorted values lies, with a straight line between neighbours (numpy's linear
 * percentile, to the last bit). Example: q 0.25 of [1, 2, 3, 4]: place 0.75, so 1.75.
 */
export function percentile(sorted: ArrayLike<number>, q: number): number {
  return percentileBy(sorted.length, q, (place) => sorted[place]!);
}

/** The same of n values of which each can be asked for by its place among the sorted ones. */
export function percentileBy(n: number, q: number, sortedAt: (place: number) => number): number {
  const last = n - 1;
  if (last < 0) throw new RangeError('there is no percentile of nothing');
  const below = Math.min(Math.floor(q * last), last);
  return between(sortedAt(below), sortedAt(Math.min(below + 1, last)), q * last - below);
}

/** From the nearer end, so that the result never passes either. */
function between(low: number, high: number, share: number): number {
  return share >= 0.5 ? high - (high - low) * (1 - share) : low + (high - low) * share;
}

/** Sorted values, and how often each is there. */
export interface Distribution {
  readonly values: ArrayLike<number>;
  readonly times: ArrayLike<number>;
}

/**
 * The same percentile of values that are each there a number of times, and how many there are in all; null where none is.
 * Example: q 0.5 of 1, 2, 2 and 5, 5, 5: 3.5, n 6.
 */
export function percentileOf({ values, times }: Distribution, q: number): { value: number | null; n: number } {
  let [n, seen, at] = [0, 0, 0];
  for (let each = 0; each < times.length; each += 1) n += times[each]!;
  if (n === 0) return { value: null, n };
  const below = Math.floor(q * (n - 1));
  for (; seen + times[at]! <= below; at += 1) seen += times[at]!;
  const low = values[at]!;
  for (; seen + times[at]! <= Math.min(below + 1, n - 1); at += 1) seen += times[at]!;
  return { value: between(low, values[at]!, q * (n - 1) - below), n };
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
  const whole = from + n - (n % 8);
  let [a, b, c, d] = [values[from]!, values[from + 1]!, values[from + 2]!, values[from + 3]!];
  let [e, f, g, h] = [values[from + 4]!, values[from + 5]!, values[from + 6]!, values[from + 7]!];
  for (let at = from + 8; at < whole; at += 8) {
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
  for (let at = whole; at < from + n; at += 1) sum += values[at]!;
  return sum;
}
