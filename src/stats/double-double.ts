/**
 * A number of about 106 bits as the unevaluated sum of two doubles: the rounded value and what the rounding lost.
 * Uses only + − × ÷, which give the same bits on every machine.
 *
 * Dekker, T. J. (1971), A floating-point technique for extending the available precision, Numerische Mathematik 18,
 * 224–242; the exact sum is Knuth's (The Art of Computer Programming 2, 4.2.2).
 */
export type DoubleDouble = readonly [high: number, low: number];

export const ONE: DoubleDouble = [1, 0];

/** a + b and what rounding lost. */
export function exactSum(a: number, b: number): DoubleDouble {
  const sum = a + b;
  const part = sum - a;
  return [sum, a - (sum - part) + (b - part)];
}

/** a × b and what rounding lost; for factors below 2^996. */
export function exactProduct(a: number, b: number): DoubleDouble {
  const product = a * b;
  const [aHigh, aLow] = halves(a);
  const [bHigh, bLow] = halves(b);
  return [product, aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow];
}

/** The same sum, with the low part at most half a unit in the last place of the high part. */
export function renormalised(high: number, low: number): DoubleDouble {
  const sum = high + low;
  return [sum, low - (sum - high)];
}

export function add(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const [high, low] = exactSum(a[0], b[0]);
  return renormalised(high, low + (a[1] + b[1]));
}

export function multiply(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const [high, low] = exactProduct(a[0], b[0]);
  return renormalised(high, low + (a[0] * b[1] + a[1] * b[0]));
}

export function divide(a: DoubleDouble, by: number): DoubleDouble {
  const quotient = a[0] / by;
  const [high, low] = exactProduct(quotient, by);
  return renormalised(quotient, (a[0] - high - low + a[1]) / by);
}

/** x · 2^twos, rounded once: in two steps, because 2^twos alone may be out of range where the product is not. */
export function scaled(x: number, twos: number): number {
  const half = Math.trunc(twos / 2);
  return x * 2 ** half * 2 ** (twos - half);
}

/** Two numbers of 26 bits that add up to a: products of such are exact. */
function halves(a: number): DoubleDouble {
  const shifted = 134_217_729 * a; // 2^27 + 1
  const high = shifted - (shifted - a);
  return [high, a - high];
}
