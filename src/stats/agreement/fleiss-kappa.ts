import { UsageError } from '../../data/problems.ts';
import { type Agreement, agreementOf, type AgreementOptions, ONE_CATEGORY, type Point } from './agreement.ts';
import { type CodedRatings, codeRatings } from './code-ratings.ts';
import { ac1Point } from './gwet-ac1.ts';
import { kappaParadox } from './kappa-paradox.ts';
import type { Ratings } from './rating.ts';
import { agreeingPairs, categoryTotals, type Tallies, tallyItems } from './tallies.ts';

export interface FleissOptions extends AgreementOptions {
  /** How many ratings an item must have; the most that any item has unless it is said. */
  readonly perItem?: number;
}

/** Above this share of items left out, the reader is pointed to coefficients that need no equal number. */
const MANY_LEFT = 0.1;

/**
 * κ = (P − Pe) / (1 − Pe), with P the mean over items of agreeing pairs / pairs and Pe = Σ pj² for the share pj of
 * category j among all ratings; higher is better, 1 is complete, 0 is chance. Fleiss 1971, Psychol Bull 76, 378–382.
 *
 * Every item needs the same number m of ratings, not from the same raters. m is the most that any item has, or
 * `perItem`. Items with fewer leave, and with `perItem` those with more, because to choose among ratings would be to
 * choose the result; both are counted and said. Undefined when no item is left or one category only was used.
 * Example: Fleiss' 30 patients with 6 diagnoses each: P 0.556, Pe 0.220, κ 0.430.
 */
export function fleissKappa(ratings: Ratings, options: FleissOptions = {}): Agreement {
  const coded = codeRatings(ratings, options);
  const m = options.perItem ?? mostRatings(coded);
  if (options.perItem !== undefined && (!Number.isInteger(m) || m < 2))
    throw new UsageError(`perItem ${m}: expected a whole number from 2 on`);
  const tallies = tallyItems(coded, (count) => count === m && m >= 2);
  const q = coded.categories.length;
  return agreementOf(
    {
      coded,
      tallies,
      pointOf: fleissPoint(tallies, q, m),
      why: tallies.n > 0 ? ONE_CATEGORY : m < 2 ? 'no item has two ratings' : `no item has ${m} ratings`,
      notes: (point, totals) => [
        leftNote(tallies, m),
        kappaParadox({
          name: 'kappa',
          ...point,
          ac1: ac1Point(tallies, q)(tallies.times).value,
          categories: coded.categories,
          totals,
        }),
      ],
    },
    options,
  );
}

function mostRatings({ codes, items, raters }: CodedRatings): number {
  let most = 0;
  for (let item = 0; item < items; item += 1) {
    let own = 0;
    for (let at = item * raters; at < (item + 1) * raters; at += 1) if (codes[at]! >= 0) own += 1;
    most = Math.max(most, own);
  }
  return most;
}

function leftNote({ n, left }: Tallies, m: number): string | null {
  if (left === 0) return null;
  const all = n + left;
  const instead = left > MANY_LEFT * all ? "; Krippendorff's alpha and Gwet's AC1 use the others too" : '';
  return `Fleiss' kappa needs ${m} ratings for every item: ${left} of ${all} items have another number and leave${instead}`;
}

function fleissPoint(tallies: Tallies, q: number, m: number): (times: Float64Array) => Point {
  const agreeing = agreeingPairs(tallies);
  const totals = new Float64Array(q);
  return (times) => {
    let items = 0;
    let agreed = 0;
    for (let pattern = 0; pattern < agreeing.length; pattern += 1) {
      items += times[pattern]!;
      agreed += times[pattern]! * agreeing[pattern]!;
    }
    categoryTotals(tallies, times, totals);
    const all = items * m;
    let same = 0;
    for (const total of totals) same += total * total;
    const observed = agreed / items;
    const expected = same / (all * all);
    // Whole numbers, so that one category only is told exactly.
    if (same === all * all) return { value: null, observed, expected };
    return { value: (observed - expected) / (1 - expected), observed, expected };
  };
}
