import {
  type Agreement,
  agreementOf,
  type AgreementOptions,
  ONE_CATEGORY,
  type Point,
  usedCategories,
} from './agreement.ts';
import { type AlphaMetric, disagreementsOf } from './alpha-metric.ts';
import { resampleSettings } from '../resample-settings.ts';
import { codeRatings } from './code-ratings.ts';
import { ac1Point } from './gwet-ac1.ts';
import { kappaParadox } from './kappa-paradox.ts';
import type { Ratings } from './rating.ts';
import { categoryTotals, tallyItems } from './tallies.ts';

/** Expected disagreement by ratio compares every two values in every resample: from here on it would take minutes. */
const MOST_COMPARISONS = 2e10;

export interface AlphaOptions extends AgreementOptions {
  readonly metric?: AlphaMetric;
}

/**
 * α = 1 − Do / De, with Do the mean squared difference between the ratings of one item, De that between all ratings put
 * into one bag; higher is better, 1 is complete, 0 is chance. Any number of raters, gaps allowed: items with fewer than
 * two ratings leave. The metric says how far apart two ratings are: `nominal` 1 unless equal, `ordinal` the ranks
 * between, `interval` the difference, `ratio` the difference over the sum. Undefined when no item has two ratings or
 * all ratings are the same. Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, University of Pennsylvania.
 *
 * `observed` and `expected` are disagreement here, Do and De, in the metric's own unit.
 * Example: his 4 observers of 12 units with gaps: nominal 0.743, ordinal 0.815, interval 0.849, ratio 0.797.
 */
export function krippendorffAlpha(ratings: Ratings, options: AlphaOptions = {}): Agreement {
  const { metric = 'nominal' } = options;
  const coded = codeRatings(ratings, {
    ...options,
    ordered: metric === 'ordinal',
    ...(metric === 'interval' ? { numbers: 'any' } : metric === 'ratio' ? { numbers: 'from-0' } : {}),
  });
  const tallies = tallyItems(coded, (count) => count >= 2);
  const q = coded.categories.length;
  const disagreements = disagreementsOf(metric, tallies, coded.categories);
  const drawn = new Float64Array(q);
  const { resamples } = resampleSettings(options);
  const isTooMuch = metric === 'ratio' && (q * q * resamples) / 2 > MOST_COMPARISONS;
  const pointOf = (times: Float64Array): Point => {
    categoryTotals(tallies, times, drawn);
    const { observed, expected } = disagreements.of(times, drawn);
    return {
      value: usedCategories(drawn) < 2 || expected === 0 ? null : 1 - observed / expected,
      observed: finite(observed * disagreements.unit),
      expected: finite(expected * disagreements.unit),
    };
  };
  const agreement = agreementOf(
    {
      coded,
      tallies,
      of: 'disagreement',
      pointOf,
      why: tallies.n > 0 ? ONE_CATEGORY : 'no item has two ratings',
      notes: (point, totals) => [
        tallies.left === 0
          ? null
          : `${tallies.left} of ${coded.items} items have fewer than two ratings and leave alpha`,
        metric === 'nominal'
          ? kappaParadox({
              name: 'alpha',
              value: point.value,
              observed: point.observed === null ? null : 1 - point.observed,
              expected: point.expected === null ? null : 1 - point.expected,
              ac1: ac1Point(tallies, q)(tallies.times).value,
              categories: coded.categories,
              totals,
            })
          : null,
      ],
    },
    isTooMuch ? { ...options, interval: false } : options,
  );
  if (!isTooMuch || options.interval === false) return agreement;
  const why = `${q} different values times ${resamples} resamples are too much to compare: round the values, or ask for fewer resamples`;
  return { ...agreement, noInterval: why };
}

/** Squares of huge values are no numbers; alpha, a ratio of two, still is one. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
