import { UsageError } from '../../data/problems.ts';
import { everyTwo } from '../aligned-lists.ts';
import { type Agreement, agreementOf, type AgreementOptions, SINGLE_CATEGORY, type Point } from './agreement.ts';
import { kappaParadox } from './pair-agreement.ts';
import { type CodedRatings, codeRatings, type Ratings } from './rating.ts';
import { groupPatterns, type Patterns, tallyItems } from './tallies.ts';

/** What a disagreement costs by the steps between the categories: always 1, the steps, or their square. */
export type KappaWeights = 'none' | 'linear' | 'quadratic';

export interface CohenOptions extends AgreementOptions {
  readonly weights?: KappaWeights;
}

/**
 * κ = 1 − Σ d oᵢⱼ / Σ d eᵢⱼ over the table of both raters, with oᵢⱼ the share of items rated i and j, eᵢⱼ = rᵢ cⱼ by the
 * raters' own shares, and d = 1 off the diagonal (none), |i − j| (linear) or (i − j)² (quadratic) by position in the
 * categories; unweighted this is (po − pe) / (1 − pe). Higher is better, 1 is complete, 0 is chance. Cohen 1960, Educ
 * Psychol Meas 20, 37–46; weighted: Cohen 1968, Psychol Bull 70, 213–220.
 * Exactly two raters; items that lack a rating leave and are counted. Undefined when no item has both or both raters
 * used one and the same category only. With weights, `observed` and `expected` are weighted agreement, 1 − d / largest d.
 * Example: [[88, 14, 18], [10, 40, 10], [2, 6, 12]] (Cohen 1960): po 0.70, pe 0.41, κ 0.492.
 */
export function cohenKappa(ratings: Ratings, options: CohenOptions = {}): Agreement {
  const { weights = 'none' } = options;
  const coded = codeRatings(ratings, { ...options, ordered: weights !== 'none' });
  const { raters, codes, categories } = coded;
  if (raters > 2)
    throw new UsageError(
      `Cohen's kappa compares exactly two raters, found ${raters} in every row`,
      "take Fleiss' kappa or Krippendorff's alpha for more, or two columns at a time",
    );
  // Pairs of categories, the first rater's first.
  const patterns = groupPatterns(codes.map((row) => (row.length === 2 && row.every((code) => code >= 0) ? row : null)));
  const tallies = tallyItems(coded, (count) => count === 2);
  return agreementOf(
    {
      coded,
      tallies,
      patterns,
      pointOf: kappaPoint(patterns, categories.length, weights),
      why: tallies.n > 0 ? SINGLE_CATEGORY : 'no item has two ratings',
      notes: (point, totals) => [
        tallies.left === 0 ? null : `${tallies.left} of ${codes.length} items lack a rating and leave Cohen's kappa`,
        weights === 'none' || options.categories !== undefined ? null : stepNote(coded),
        point.value === null ? null : constantNote(patterns),
        weights === 'none' ? kappaParadox('kappa', point, tallies, categories, totals) : null,
      ],
    },
    options,
  );
}

function kappaPoint({ rows: pairs }: Patterns, q: number, weights: KappaWeights): (times: Float64Array) => Point {
  const cost = (steps: number): number => (weights === 'quadratic' ? steps * steps : weights === 'linear' ? steps : 1);
  const first = Int32Array.from(pairs, ([a]) => a!);
  const second = Int32Array.from(pairs, ([, b]) => b!);
  const costs = Float64Array.from(pairs, ([a, b]) => (a === b ? 0 : cost(Math.abs(a! - b!))));
  const largest = q > 1 ? cost(q - 1) : 1;
  const rows = new Float64Array(q);
  const columns = new Float64Array(q);
  return (times) => {
    rows.fill(0);
    columns.fill(0);
    let [n, observed] = [0, 0];
    for (let pattern = 0; pattern < costs.length; pattern += 1) {
      const weight = times[pattern]!;
      n += weight;
      observed += weight * costs[pattern]!;
      rows[first[pattern]!]! += weight;
      columns[second[pattern]!]! += weight;
    }
    // Counts, not shares: whole numbers are exact, also the 0 of one category only.
    const expected = expectedCost(rows, columns, n, weights);
    const parts = { observed: 1 - observed / (n * largest), expected: 1 - expected / (n * n * largest) };
    return { ...parts, value: expected === 0 ? null : 1 - (observed * n) / expected };
  };
}

/** Σ d rᵢ cⱼ in one pass, without going through all pairs of categories. */
function expectedCost(rows: Float64Array, columns: Float64Array, n: number, weights: KappaWeights): number {
  let [sum, ofRows, ofColumns] = [0, 0, 0];
  for (let i = 0; i < rows.length; i += 1) {
    const [row, column] = [rows[i]!, columns[i]!];
    const step = weights === 'quadratic' ? i : 1;
    ofRows += step * row;
    ofColumns += step * column;
    if (weights === 'none') sum += row * column;
    // Each pair pays one for every boundary between its categories.
    else if (weights === 'linear') sum += ofRows * (n - ofColumns) + ofColumns * (n - ofRows);
    else sum += i * i * (row + column);
  }
  if (weights === 'none') return n * n - sum;
  return weights === 'linear' ? sum : n * sum - 2 * ofRows * ofColumns;
}

/** A step is one place in the list of categories: a value that never occurred is no step unless it is declared. */
function stepNote({ categories }: CodedRatings): string | null {
  const gap = categories.findIndex((category, at) => {
    const before = categories[at - 1];
    if (typeof category !== 'number' || typeof before !== 'number') return false;
    return Number.isInteger(category - before) && category - before > 1;
  });
  if (gap < 0) return null;
  return `the weights count ${String(categories[gap - 1])} and ${String(categories[gap])} as neighbours, since nothing between them was ever given: declare all categories to count the steps between`;
}

function constantNote({ rows }: Patterns): string | null {
  const constant = [0, 1].findIndex((rater) => rows.every((row) => row[rater] === rows[0]![rater]));
  if (constant < 0) return null;
  return `rater ${constant + 1} used one category only, so kappa is 0 whatever the other rater does`;
}

export interface PairwiseKappa {
  /** Cohen's kappa of two of several raters, named by their columns. */
  readonly pairs: readonly { readonly a: number; readonly b: number; readonly agreement: Agreement }[];
  /** Light's kappa: the mean over the pairs that have one; null where none has. */
  readonly mean: number | null;
  readonly undefined: string | null;
  /** Pairs without a kappa, which leave the mean. */
  readonly undefinedPairs: number;
}

/**
 * Cohen's kappa for every two raters, and their mean (Light 1971, Psychol Bull 76, 365–377); higher is better.
 * A pair is undefined as Cohen's kappa is; such pairs leave the mean and are counted. Without `interval: true` no
 * intervals are drawn, since there may be many pairs.
 * Example: three raters with kappas 0.6, 0.5 and 0.7: mean 0.6.
 */
export function pairwiseKappa(ratings: Ratings, options: CohenOptions = {}): PairwiseKappa {
  const { weights = 'none' } = options;
  // The categories of all raters, so that a step of the weights is the same step for every pair.
  const { raters, categories } = codeRatings(ratings, { ...options, ordered: weights !== 'none' });
  const pairs = everyTwo(raters).map(([a, b]) => {
    const two = ratings.map((row) => [row[a] ?? null, row[b] ?? null]);
    return { a, b, agreement: cohenKappa(two, { interval: false, ...options, categories }) };
  });
  const values = pairs.flatMap(({ agreement }) => agreement.value ?? []);
  const mean = values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    pairs,
    mean,
    undefined: mean === null ? 'no two raters have a kappa' : null,
    undefinedPairs: pairs.length - values.length,
  };
}
