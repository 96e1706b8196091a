/**
 * A number of about 106 bits as the unevaluated sum of two doubles: the rounded value and what the rounding lost.
 * Uses only + − × ÷, which give the same bits on every machine.
 * Dekker, T. J. (1971), A floating-point technique for extending the available precision, Numerische Mathematik 18,
 * 224–242; the exact sum is Knuth's (The Art of Computer Programming 2, 4.2.2).
 */
export type DoubleDouble = readonly [high: number, low: number];

export const UNIT: DoubleDouble = [1, 0];

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

/** Two numbers of 26 bits that add up to a: products of such are exact. */
function halves(a: number): DoubleDouble {
  const shifted = 134_217_729 * a; // 2^27 + 1
  const high = shifted - (shifted - a);
  return [high, a - high];
}

/** The same sum, with the low part at most half a unit in the last place of the high part. */
function renormalised(high: number, low: number): DoubleDouble {
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

// Math.exp, log, cbrt, sin, cos and tan differ in the last bit between Node, Bun and Deno, and so does ** between Node 22
// and 24 unless the exponent is 2. A number in a run folder must be the same bytes everywhere.

// ln 2 in three parts. The first ends in 21 zero bits, so that a whole number of up to 21 bits times it is exact.
const LN2_HIGH = 0.6931471803691238;
const LN2_MIDDLE = 1.9082149292705877e-10;
const LN2_LOW = 1.1612227229362532e-26;

const HALVINGS = 6;
const TERMS = 13;
/** Of the sine and cosine up to π/2: what comes next is below 2^-106. */
const ANGLE_TERMS = 16;

/**
 * e^x, the closest double but for ties beyond 100 bits; 0 below the smallest double, Infinity above the largest.
 * @example exp(1) // 2.718281828459045
 */
export function exp(x: number): number {
  if (Number.isNaN(x)) return NaN;
  if (x > 709.782712893384) return Infinity;
  if (x < -745.2) return 0;
  return expOf([x, 0]);
}

/**
 * ln x, the closest double but for near ties; −Infinity at 0, NaN below.
 * @example log(10) // 2.302585092994046
 */
export function log(x: number): number {
  const near = Math.log(x);
  return Number.isFinite(near) ? logOf(x)[0] : near;
}

/**
 * base^exponent for a base of 0 or more, the closest double but for near ties.
 * @example power(2, 0.5) // 1.4142135623730951
 */
export function power(base: number, exponent: number): number {
  return base > 0 && base < Infinity ? expOf(multiply(logOf(base), [exponent, 0])) : base ** exponent;
}

/**
 * ∛x, the closest double but for near ties.
 * @example cubeRoot(-27) // -3
 */
export function cubeRoot(x: number): number {
  return x === 0 || !Number.isFinite(x) ? x : Math.sign(x) * expOf(divide(logOf(Math.abs(x)), 3));
}

/**
 * Sine, cosine and tangent of an angle from 0 to π/2: within 1e-31 of the true value, then rounded.
 * @example trigonometry(0.5).cosine // 0.8775825618903728
 */
export function trigonometry(angle: number): Readonly<Record<'sine' | 'cosine' | 'tangent', number>> {
  const [high, low] = exactProduct(angle, angle);
  const series = (first: DoubleDouble, from: number): DoubleDouble => {
    let [term, sum] = [first, first];
    for (let n = from; n < from + 2 * ANGLE_TERMS; n += 2) {
      term = divide(multiply(term, [-high, -low]), n * (n - 1));
      sum = add(sum, term);
    }
    return sum;
  };
  const [sine, cosine] = [series([angle, 0], 3), series(UNIT, 2)];
  const near = sine[0] / cosine[0];
  const [product, lost] = multiply(cosine, [near, 0]);
  return { sine: sine[0], cosine: cosine[0], tangent: near + (sine[0] - product - lost + sine[1]) / cosine[0] };
}

/** ln x for a positive x. One Newton step: ln x = near + ln(x / e^near), and that quotient is 1 but for a few last bits. */
function logOf(x: number): DoubleDouble {
  const near = Math.log(x);
  const { value, twos } = expParts([-near, 0]);
  const factor = scaled(x, twos);
  const [high, low] = exactProduct(factor, value[0]);
  return exactSum(near, high - 1 + (low + factor * value[1]));
}

function expOf(x: DoubleDouble): number {
  const { value, twos } = expParts(x);
  return scaled(value[0], twos);
}

/** e^x = value · 2^twos. */
function expParts([x, rest]: DoubleDouble): { readonly value: DoubleDouble; readonly twos: number } {
  const twos = Math.round(x / (LN2_HIGH + LN2_MIDDLE));
  const [coarse, coarseLost] = exactSum(x, -twos * LN2_HIGH);
  const [middle, middleLost] = exactProduct(twos, LN2_MIDDLE);
  const [fine, fineLost] = exactSum(coarse, -middle);
  const [high, low] = renormalised(fine, fineLost + (coarseLost - middleLost - twos * LN2_LOW + rest));
  const small: DoubleDouble = [high / 2 ** HALVINGS, low / 2 ** HALVINGS];
  // e^r − 1 = r (1 + r/2 (1 + r/3 (1 + …))), from the inside out.
  let sum = UNIT;
  for (let n = TERMS; n >= 2; n -= 1) sum = add(UNIT, divide(multiply(small, sum), n));
  let beyond1 = multiply(small, sum);
  // (1 + e)² − 1 = 2e + e²: squaring without the 1 keeps the small part whole.
  for (let i = 0; i < HALVINGS; i += 1) beyond1 = add([2 * beyond1[0], 2 * beyond1[1]], multiply(beyond1, beyond1));
  return { value: add(UNIT, beyond1), twos };
}
