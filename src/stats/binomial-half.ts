import { add, divide, type DoubleDouble, multiply, ONE, scaled } from './double-double.ts';

export interface BinomialHalf {
  /** P(X = k) */
  readonly exactly: number;
  /** P(X ≤ k) */
  readonly atMost: number;
}

/** Numbers grow to this before they are scaled back, with room for one more factor. */
const LARGE_TWOS = 512;
const LARGE = 2 ** LARGE_TWOS;

/**
 * Chances of k heads and of at most k heads in n throws of a fair coin: C(n, k) / 2^n and its sum from 0.
 * Defined for whole 0 ≤ k ≤ n. Takes k steps; right to the last bit or next to it, as it works with twice the digits.
 *
 * @example binomialHalf(1, 8) // exactly: 8/256 = 0.03125, atMost: 9/256 = 0.03515625
 */
export function binomialHalf(k: number, n: number): BinomialHalf {
  let ways: DoubleDouble = ONE;
  let sum: DoubleDouble = ONE;
  let twos = -n;
  for (let i = 1; i <= k; i += 1) {
    const factor = n - i + 1;
    ways = divide(multiply(ways, [factor, 0]), i);
    sum = add(sum, ways);
    if (sum[0] > LARGE) {
      ways = shrunk(ways);
      sum = shrunk(sum);
      twos += LARGE_TWOS;
    }
  }
  return { exactly: scaled(ways[0], twos), atMost: scaled(sum[0], twos) };
}

function shrunk([high, low]: DoubleDouble): DoubleDouble {
  return [high / LARGE, low / LARGE];
}
