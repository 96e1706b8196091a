import {
  add,
  divide,
  type DoubleDouble,
  exactProduct,
  exactSum,
  multiply,
  ONE,
  renormalised,
  scaled,
} from './double-double.ts';

// Math.exp and Math.log may differ in the last bit from engine to engine, and do from the C library that SciPy uses.
// A p value in a run folder must be the same bytes everywhere.

// ln 2 in three parts. The first ends in 21 zero bits, so that a whole number of up to 21 bits times it is exact.
const LN2_HIGH = 0.6931471803691238;
const LN2_MIDDLE = 1.9082149292705877e-10;
const LN2_LOW = 1.1612227229362532e-26;

const HALVINGS = 6;
const TERMS = 13;

/**
 * e^x, the nearest double but for ties that 100 bits cannot tell; 0 below the smallest double, Infinity above the
 * largest.
 *
 * @example exp(1) // 2.718281828459045
 */
export function exp(x: number): number {
  if (Number.isNaN(x)) return NaN;
  if (x > 709.782712893384) return Infinity;
  if (x < -745.2) return 0;
  const { value, twos } = expParts(x);
  return scaled(value[0], twos);
}

/**
 * ln x, the nearest double but for near ties; −Infinity at 0, NaN below.
 *
 * @example log(10) // 2.302585092994046
 */
export function log(x: number): number {
  const near = Math.log(x);
  if (!Number.isFinite(near)) return near;
  // One Newton step: ln x = near + ln(x / e^near), and that quotient is 1 but for a few units in the last place.
  const { value, twos } = expParts(-near);
  const factor = scaled(x, twos);
  const [high, low] = exactProduct(factor, value[0]);
  return near + (high - 1 + (low + factor * value[1]));
}

/** e^x = value · 2^twos. */
function expParts(x: number): { readonly value: DoubleDouble; readonly twos: number } {
  const twos = Math.round(x / (LN2_HIGH + LN2_MIDDLE));
  const [coarse, coarseLost] = exactSum(x, -twos * LN2_HIGH);
  const [middle, middleLost] = exactProduct(twos, LN2_MIDDLE);
  const [fine, fineLost] = exactSum(coarse, -middle);
  const [high, low] = renormalised(fine, fineLost + (coarseLost - middleLost - twos * LN2_LOW));
  const small: DoubleDouble = [high / 2 ** HALVINGS, low / 2 ** HALVINGS];

  // e^r − 1 = r (1 + r/2 (1 + r/3 (1 + …))), from the inside out.
  let sum = ONE;
  for (let n = TERMS; n >= 2; n -= 1) sum = add(ONE, divide(multiply(small, sum), n));
  let beyond1 = multiply(small, sum);
  // (1 + e)² − 1 = 2e + e²: squaring without the 1 keeps the small part whole.
  for (let i = 0; i < HALVINGS; i += 1) beyond1 = add([2 * beyond1[0], 2 * beyond1[1]], multiply(beyond1, beyond1));
  return { value: add(ONE, beyond1), twos };
}
