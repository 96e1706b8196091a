import { UsageError } from '../data/problems.ts';
import { exp, log } from './exp-log.ts';

/**
 * The standard normal distribution, computed with the rational approximations of Moshier's Cephes library (1989–1992),
 * which SciPy's norm.cdf, norm.sf and norm.ppf use too: same coefficients, same order of operations, so the same bits.
 */

// Coefficients from the highest power down.
const ERF_ABOVE = [9.604973739870516, 90.02601972038427, 2232.005345946843, 7003.325141128051, 55592.30130103949];
const ERF_BELOW = [1, 33.56171416475031, 521.3579497801527, 4594.323829709801, 22629.000061389095, 49267.39426086359];
const ERFC_ABOVE = [
  2.461969814735305e-10, 0.5641895648310689, 7.463210564422699, 48.63719709856814, 196.5208329560771, 526.4451949954773,
  934.5285271719576, 1027.5518868951572, 557.5353353693994,
];
const ERFC_BELOW = [
  1, 13.228195115474499, 86.70721408859897, 354.9377788878199, 975.7085017432055, 1823.9091668790973,
  2246.3376081871097, 1656.6630919416134, 557.5353408177277,
];
const FAR_ERFC_ABOVE = [
  0.5641895835477551, 1.275366707599781, 5.019050422511805, 6.160210979930536, 7.4097426995044895, 2.9788666537210022,
];
const FAR_ERFC_BELOW = [
  1, 2.2605286322011726, 9.396035249380015, 12.048953980809666, 17.08144507475659, 9.608968090632859, 3.369076451000815,
];

const MIDDLE_ABOVE = [
  -59.96335010141079, 98.00107541859997, -56.67628574690703, 13.931260938727968, -1.2391658386738125,
];
const MIDDLE_BELOW = [
  1, 1.9544885833814176, 4.676279128988815, 86.36024213908905, -225.46268785411937, 200.26021238006066,
  -82.03722561683334, 15.90562251262117, -1.1833162112133,
];
const TAIL_ABOVE = [
  4.0554489230596245, 31.525109459989388, 57.16281922464213, 44.08050738932008, 14.684956192885803, 2.1866330685079025,
  -0.1402560791713545, -0.03504246268278482, -0.0008574567851546854,
];
const TAIL_BELOW = [
  1, 15.779988325646675, 45.39076351288792, 41.3172038254672, 15.04253856929075, 2.504649462083094,
  -0.14218292285478779, -0.03808064076915783, -0.0009332594808954574,
];
const FAR_TAIL_ABOVE = [
  3.2377489177694603, 6.915228890689842, 3.9388102529247444, 1.3330346081580755, 0.20148538954917908,
  0.012371663481782003, 0.00030158155350823543, 2.6580697468673755e-6, 6.239745391849833e-9,
];
const FAR_TAIL_BELOW = [
  1, 6.02427039364742, 3.6798356385616087, 1.3770209948908132, 0.21623699359449663, 0.013420400608854318,
  0.00032801446468212774, 2.8924786474538068e-6, 6.790194080099813e-9,
];

const SQRT_2PI = 2.5066282746310007;
const TAIL = 0.1353352832366127; // e^−2

/**
 * P(Z ≤ z) = ½ erfc(−z / √2) for standard normal Z. Defined for every number, ±Infinity included; NaN is refused.
 * Relative error: a few units in the last place for |z| < 3, growing as z² · 6e-17 towards the lower end (as SciPy's).
 *
 * @example normalCdf(-1.96) // 0.024997895148220435
 */
export function normalCdf(z: number): number {
  if (Number.isNaN(z)) throw new UsageError('normalCdf: z is not a number', 'give a finite number or ±Infinity');
  const x = z * Math.SQRT1_2;
  const size = Math.abs(x);
  if (size < 1) return 0.5 + 0.5 * smallErf(x);
  const tail = 0.5 * largeErfc(size);
  return x > 0 ? 1 - tail : tail;
}

/**
 * P(Z > z) = 1 − normalCdf(z), without the loss of digits that the subtraction would bring for large z.
 *
 * @example normalSf(10) // 7.61985302416047e-24
 */
export function normalSf(z: number): number {
  return normalCdf(-z);
}

/**
 * The z with normalCdf(z) = p; −Infinity for 0 and Infinity for 1. A p outside 0..1 is refused.
 *
 * @example normalQuantile(0.975) // 1.959963984540054
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1))
    throw new UsageError(`normalQuantile: p is ${p}, expected a probability from 0 to 1`, 'give a share, not per cent');
  if (p === 0) return -Infinity;
  if (p === 1) return Infinity;
  const upper = p > 1 - TAIL;
  const y = upper ? 1 - p : p;
  if (y > TAIL) {
    const w = y - 0.5;
    const square = w * w;
    return (w + w * ((square * horner(square, MIDDLE_ABOVE)) / horner(square, MIDDLE_BELOW))) * SQRT_2PI;
  }
  const x = Math.sqrt(-2 * log(y));
  const z = 1 / x;
  const [above, below] = x < 8 ? [TAIL_ABOVE, TAIL_BELOW] : [FAR_TAIL_ABOVE, FAR_TAIL_BELOW];
  const distance = x - log(x) / x - (z * horner(z, above)) / horner(z, below);
  return upper ? distance : -distance;
}

/** erf x for |x| < 1. */
function smallErf(x: number): number {
  const square = x * x;
  return (x * horner(square, ERF_ABOVE)) / horner(square, ERF_BELOW);
}

/** 1 − erf x for x ≥ 1. */
function largeErfc(x: number): number {
  if (x === Infinity) return 0;
  const [above, below] = x < 8 ? [ERFC_ABOVE, ERFC_BELOW] : [FAR_ERFC_ABOVE, FAR_ERFC_BELOW];
  return (exp(-x * x) * horner(x, above)) / horner(x, below);
}

function horner(x: number, coefficients: readonly number[]): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * x + coefficient;
  return sum;
}
