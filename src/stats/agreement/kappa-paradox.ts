import { describe } from '../../data/record-fields.ts';
import { short } from '../../text/figures.ts';
import type { Rating } from './rating.ts';

/** Raw agreement from which it counts as high, and how far AC1 has to be above the coefficient. */
const HIGH_AGREEMENT = 0.8;
const GAP = 0.2;

export interface ParadoxFigures {
  /** What messages call the coefficient: kappa, alpha. */
  readonly name: string;
  readonly value: number | null;
  readonly observed: number | null;
  readonly expected: number | null;
  readonly ac1: number | null;
  readonly categories: readonly Rating[];
  /** How often each category was given. */
  readonly totals: Float64Array;
}

/**
 * Names the paradox of kappa where it bites: raters agree on nearly everything, and kappa is low all the same, because
 * one category is so frequent that chance alone would bring nearly as much agreement (Feinstein and Cicchetti 1990,
 * J Clin Epidemiol 43, 543–549). Rule: raw agreement ≥ 0.8 and AC1 − coefficient ≥ 0.2. Null where it does not bite.
 * Example: their table 80, 10, 5, 5 has agreement 0.85, kappa 0.318 and AC1 0.808.
 */
export function kappaParadox({
  name,
  value,
  observed,
  expected,
  ac1,
  categories,
  totals,
}: ParadoxFigures): string | null {
  if (value === null || observed === null || expected === null || ac1 === null) return null;
  if (observed < HIGH_AGREEMENT || ac1 - value < GAP) return null;
  const all = totals.reduce((sum, one) => sum + one, 0);
  const most = totals.reduce((best, total, at) => (total > totals[best]! ? at : best), 0);
  return (
    `the kappa paradox: the raters agree in ${short(observed)} of all pairs, yet ${name} is ${short(value)}. ` +
    `${short(totals[most]! / all)} of the ratings are ${describe(categories[most])}, so that chance alone would give ` +
    `${short(expected)} and a few disagreements weigh heavily. AC1, whose chance term shrinks as classes get skewed, is ` +
    `${short(ac1)}: report both, with the prevalence (Feinstein and Cicchetti 1990)`
  );
}
