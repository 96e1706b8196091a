import { UsageError } from '../../data/problems.ts';
import { type Agreement, agreementOf, type AgreementOptions, ONE_CATEGORY, type Point } from './agreement.ts';
import { type CodedRatings, codeRatings } from './code-ratings.ts';
import { ac1Point } from './gwet-ac1.ts';
import { kappaParadox } from './kappa-paradox.ts';
import type { Ratings } from './rating.ts';
import { tallyItems } from './tallies.ts';

/** What a disagreement costs by the steps between the categories: all the same, the steps, or their square. */
export type KappaWeights = 'none' | 'linear' | 'quadratic';

export interface CohenOptions extends AgreementOptions {
  readonly weights?: KappaWeights;
}

/**
 * κ = 1 − Σ d oᵢⱼ / Σ d eᵢⱼ over the table of both raters, with oᵢⱼ the share of items rated i and j, eᵢⱼ = rᵢ cⱼ by the
 * raters' own shares, and d = 1 off the diagonal (none), |i − j| (linear) or (i − j)² (quadratic) by position in the
 * categories; unweighted this is (po − pe) / (1 − pe). Higher is better, 1 is complete, 0 is chance. Cohen 1960, Educ
 * Psychol Meas 20, 37–46; weighted: Cohen 1968, Psychol Bull 70, 213–220.
 *
 * Exactly two raters; items that lack a rating leave and are counted. Undefined when no item has both or both raters
 * used one and the same category only. With weights, `observed` and `expected` are weighted agreement, 1 − d / largest d.
 * Example: [[88, 14, 18], [10, 40, 10], [2, 6, 12]] (Cohen 1960): po 0.70, pe 0.41, κ 0.492.
 */
export function cohenKappa(ratings: Ratings, options: CohenOptions = {}): Agreement {
  const { weights = 'none' } = options;
  const coded = codeRatings(ratings, { ...options, ordered: weights !== 'none' });
  if (coded.raters > 2)
    throw new UsageError(
      `Cohen's kappa compares exactly two raters, found ${coded.raters} in every row`,
      "take Fleiss' kappa or Krippendorff's alpha for more, or two columns at a time",
    );
  const q = coded.categories.length;
  const pairs = pairPatterns(coded);
  const tallies = tallyItems(coded, (count) => count === 2);
  return agreementOf(
    {
      coded,
      tallies,
      times: pairs.times,
      patternOf: pairs.patternOf,
      pointOf: kappaPoint(pairs, q, weights),
      why: tallies.n > 0 ? ONE_CATEGORY : 'no item has two ratings',
      notes: (point, totals) => [
        tallies.left === 0 ? null : `${tallies.left} of ${coded.items} items lack a rating and leave Cohen's kappa`,
        weights === 'none' ? null : stepNote(coded, options),
        point.value === null ? null : constantNote(pairs),
        weights !== 'none'
          ? null
          : kappaParadox({
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

/** The pairs of categories that occur, with how many items have each. */
interface PairPatterns {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly times: Float64Array;
  /** The pattern of each item; −1 for one that lacks a rating. */
  readonly patternOf: Int32Array;
}

function pairPatterns({ codes, items, raters, categories }: CodedRatings): PairPatterns {
  const q = categories.length;
  const pairOf = new Float64Array(items).fill(-1);
  const byPair = new Map<number, number>();
  if (raters === 2)
    for (let item = 0; item < items; item += 1) {
      const a = codes[2 * item]!;
      const b = codes[2 * item + 1]!;
      if (a < 0 || b < 0) continue;
      pairOf[item] = a * q + b;
      byPair.set(a * q + b, (byPair.get(a * q + b) ?? 0) + 1);
    }
  const pairs = [...byPair].sort(([a], [b]) => a - b);
  const place = new Map(pairs.map(([pair], pattern) => [pair, pattern]));
  return {
    patternOf: Int32Array.from(pairOf, (pair) => place.get(pair) ?? -1),
    first: Int32Array.from(pairs, ([pair]) => Math.floor(pair / q)),
    second: Int32Array.from(pairs, ([pair]) => pair % q),
    times: Float64Array.from(pairs, ([, times]) => times),
  };
}

function kappaPoint({ first, second }: PairPatterns, q: number, weights: KappaWeights): (times: Float64Array) => Point {
  const cost = (steps: number): number => (weights === 'quadratic' ? steps * steps : weights === 'linear' ? steps : 1);
  const costs = Float64Array.from(first, (a, at) => (a === second[at] ? 0 : cost(Math.abs(a - second[at]!))));
  const largest = q > 1 ? cost(q - 1) : 1;
  const rows = new Float64Array(q);
  const columns = new Float64Array(q);
  return (times) => {
    rows.fill(0);
    columns.fill(0);
    let n = 0;
    let observed = 0;
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
  let sum = 0;
  if (weights === 'none') {
    for (let i = 0; i < rows.length; i += 1) sum += rows[i]! * columns[i]!;
    return n * n - sum;
  }
  if (weights === 'linear') {
    // Each pair pays one for every boundary between its categories.
    let rowsBelow = 0;
    let columnsBelow = 0;
    for (let i = 0; i < rows.length; i += 1) {
      rowsBelow += rows[i]!;
      columnsBelow += columns[i]!;
      sum += rowsBelow * (n - columnsBelow) + columnsBelow * (n - rowsBelow);
    }
    return sum;
  }
  let rowSum = 0;
  let columnSum = 0;
  for (let i = 0; i < rows.length; i += 1) {
    sum += i * i * (rows[i]! + columns[i]!);
    rowSum += i * rows[i]!;
    columnSum += i * columns[i]!;
  }
  return n * sum - 2 * rowSum * columnSum;
}

/** A step is one place in the list of categories: a value that never occurred is no step unless it is declared. */
function stepNote({ categories }: CodedRatings, { categories: declared }: CohenOptions): string | null {
  if (declared !== undefined) return null;
  const gap = categories.findIndex((category, at) => {
    const before = categories[at - 1];
    return (
      typeof category === 'number' &&
      typeof before === 'number' &&
      Number.isInteger(category - before) &&
      category - before > 1
    );
  });
  if (gap < 0) return null;
  return `the weights count ${String(categories[gap - 1])} and ${String(categories[gap])} as neighbours, since nothing between them was ever given: declare all categories to count the steps between`;
}

function constantNote({ first, second }: PairPatterns): string | null {
  const constant = [first, second].findIndex((codes) => codes.every((code) => code === codes[0]));
  if (constant < 0) return null;
  return `rater ${constant + 1} used one category only, so kappa is 0 whatever the other rater does`;
}
