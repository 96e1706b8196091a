import { UsageError } from '../data/problems.ts';
import { expectFinite } from './finite-numbers.ts';
import { normalCdf, normalSf } from './normal.ts';
import { permutedTails, type Tails, untiedTails } from './signed-rank-tails.ts';
import { signedRanks, type SignedRanks, type ZeroMethod } from './signed-ranks.ts';

export type Alternative = 'two-sided' | 'greater' | 'less';

export interface WilcoxonOptions {
  readonly zeroMethod?: ZeroMethod;
  readonly method?: 'auto' | 'exact' | 'approx';
  readonly alternative?: Alternative;
  readonly correction?: boolean;
}

export interface WilcoxonResult {
  /** Two-sided the smaller of both rank sums, else that of the positive differences. */
  readonly statistic: number | null;
  readonly pValue: number | null;
  /** Only where the normal approximation was asked for. */
  readonly zStatistic: number | null;
  /** Pairs that differ, and pairs that do not. */
  readonly n: number;
  readonly zeros: number;
  /** How the p value came about; `permutation` goes through all signs of the ranks at hand. */
  readonly method: 'exact' | 'permutation' | 'approx';
  /** Why there is no p value, or null. */
  readonly undefined: string | null;
  readonly note?: string;
}

const ZERO_METHODS: readonly string[] = ['wilcox', 'pratt', 'zsplit'];
const METHODS: readonly string[] = ['auto', 'exact', 'approx'];
const ALTERNATIVES: readonly string[] = ['two-sided', 'greater', 'less'];

// SciPy's thresholds for `auto`: no exact distribution above the one, no permutation above the other.
const MOST_EXACT = 50;
const MOST_PERMUTED = 13;
/** The exact distribution takes n³/12 steps. */
const MOST_PAIRS = 3000;

/**
 * Wilcoxon's signed-rank test: are the differences d = x − y symmetric around zero?
 * W = Σ ranks of |d| where d > 0; p = the chance of a W as far out, if every sign were a fair coin.
 * A small p speaks against symmetry around zero; `greater` asks whether x tends to be larger.
 *
 * Undefined without pairs, and in the normal approximation when no pair differs. Without `y`, `x` are the differences.
 * Wilcoxon, F. (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1, 80–83. Agrees with SciPy 1.17,
 * including what `auto` chooses: the exact distribution up to 50 pairs without ties and zeros, all sign permutations up
 * to 13 pairs with them, else the normal approximation. `exact` ignores ties, as there.
 *
 * @example wilcoxon([1.1, 2.3, 3.7, 4.2, 5.9, 6.4], [0.9, 2.9, 3.2, 3.1, 4.4, 8.1]) // statistic 9, pValue 0.84375
 */
export function wilcoxon(
  x: readonly number[],
  y: readonly number[] | null = null,
  options: WilcoxonOptions = {},
): WilcoxonResult {
  const { zeroMethod = 'wilcox', method = 'auto', alternative = 'two-sided', correction = false } = options;
  expectOneOf('zeroMethod', zeroMethod, ZERO_METHODS);
  expectOneOf('method', method, METHODS);
  expectOneOf('alternative', alternative, ALTERNATIVES);
  const differences = differencesOf(x, y);
  const ranked = signedRanks(differences, zeroMethod);
  const used = method === 'auto' ? chosenMethod(differences.length, ranked) : method;
  const pairs = { n: differences.length - ranked.zeros, zeros: ranked.zeros, method: used };
  if (differences.length === 0)
    return { statistic: null, pValue: null, zStatistic: null, ...pairs, undefined: 'there are no pairs' };

  const statistic = alternative === 'two-sided' ? Math.min(ranked.plus, ranked.minus) : ranked.plus;
  const missing = whyUndefined(used, differences.length, ranked);
  if (missing !== null) return { statistic, pValue: null, zStatistic: null, ...pairs, undefined: missing };
  if (used === 'approx') {
    const z = standardised(ranked, alternative, correction);
    const pValue = normalP(z, alternative);
    const zStatistic = method === 'approx' ? (alternative === 'two-sided' ? -Math.abs(z) : z) : null;
    return { statistic, pValue, zStatistic, ...pairs, undefined: null, ...noteOn(pValue, used, ranked) };
  }
  const pValue = tailP(tails(used, ranked), alternative);
  return { statistic, pValue, zStatistic: null, ...pairs, undefined: null, ...noteOn(pValue, used, ranked) };
}

function expectOneOf(name: string, found: string, allowed: readonly string[]): void {
  if (!allowed.includes(found))
    throw new UsageError(`wilcoxon: ${name} is ${JSON.stringify(found)}`, `use one of ${allowed.join(', ')}`);
}

function differencesOf(x: readonly number[], y: readonly number[] | null): readonly number[] {
  expectFinite('wilcoxon: x', x);
  if (y === null) return x;
  expectFinite('wilcoxon: y', y);
  if (x.length !== y.length)
    throw new UsageError(
      `wilcoxon: x has ${x.length} values and y has ${y.length}, expected as many of both`,
      'give one value of each for every case',
    );
  return x.map((value, i) => value - y[i]!);
}

function chosenMethod(pairs: number, { ties, zeros }: SignedRanks): WilcoxonResult['method'] {
  if (pairs > MOST_EXACT) return 'approx';
  if (!ties && zeros === 0) return 'exact';
  return pairs <= MOST_PERMUTED ? 'permutation' : 'approx';
}

function whyUndefined(used: WilcoxonResult['method'], pairs: number, ranked: SignedRanks): string | null {
  if (used === 'approx' && ranked.deviation === 0) return 'no pair differs, so the normal approximation has no spread';
  if (used === 'permutation' && pairs === 1) return 'the only pair does not differ';
  return null;
}

/** How many standard deviations the rank sum lies from its mean; with the correction, half a rank nearer. */
function standardised({ plus, mean, deviation }: SignedRanks, alternative: Alternative, correction: boolean): number {
  const z = (plus - mean) / deviation;
  if (!correction) return z;
  const sign = alternative === 'greater' ? 1 : alternative === 'less' ? -1 : Math.sign(z);
  return z - (sign * 0.5) / deviation;
}

function normalP(z: number, alternative: Alternative): number {
  if (alternative === 'less') return normalCdf(z);
  return alternative === 'greater' ? normalSf(z) : 2 * normalSf(Math.abs(z));
}

function tails(used: 'exact' | 'permutation', ranked: SignedRanks): Tails {
  if (used === 'permutation') return permutedTails(ranked.ranks, ranked.plus - ranked.split);
  if (ranked.ranked > MOST_PAIRS)
    throw new UsageError(
      `wilcoxon: the exact distribution of ${ranked.ranked} pairs takes too long, expected at most ${MOST_PAIRS}`,
      'use the method approx: with so many pairs both say the same',
    );
  return untiedTails(ranked.ranked, ranked.plus);
}

function tailP({ below, above }: Tails, alternative: Alternative): number {
  if (alternative === 'less') return below;
  return alternative === 'greater' ? above : Math.min(1, 2 * Math.min(below, above));
}

function noteOn(
  pValue: number,
  used: WilcoxonResult['method'],
  { ties, zeros }: SignedRanks,
): { readonly note?: string } {
  if (pValue === 0) return { note: 'p is smaller than the smallest number that can be written, 5e-324' };
  if (used === 'exact' && (ties || zeros > 0))
    return { note: 'the exact distribution takes no account of ties and zeros: p is approximate' };
  return {};
}
