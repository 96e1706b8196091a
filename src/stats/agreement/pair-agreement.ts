import { UsageError } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { short } from '../../text/figures.ts';
import { type Agreement, agreementOf, type AgreementOptions, SINGLE_CATEGORY, type Point } from './agreement.ts';
import { codeRatings, type Rating, type Ratings } from './rating.ts';
import { categoryTotals, sumOf, type Tallies, tallyItems, usedCategories } from './tallies.ts';

/** Coefficients of any number of raters that count the pairs of ratings of an item that agree. */

/**
 * pa = mean over items of agreeing pairs of ratings / pairs of ratings; higher is better, from 0 to 1. Nothing is taken
 * off for chance: two raters who toss coins agree in half of all items. Undefined without an item with two ratings;
 * items with fewer leave. Fleiss 1971, Psychol Bull 76, 378–382 (his P with a bar); equal ratings are equal values.
 * Example: [a, a, b] has 1 agreeing pair of 3; with [c, c, c] beside it pa is (1/3 + 1) / 2 = 0.667.
 */
export function rawAgreement(ratings: Ratings, options: AgreementOptions = {}): Agreement {
  const coded = codeRatings(ratings, options);
  const tallies = tallyItems(coded, (count) => count >= 2);
  const share = agreeingShare(tallies);
  return agreementOf(
    {
      coded,
      tallies,
      pointOf: (times) => {
        const observed = share(times);
        return { value: observed, observed, expected: null };
      },
      why: 'no item has two ratings',
      notes: (_, totals) => [
        usedCategories(totals) === 1
          ? 'only one category was ever used: nothing shows that the raters can tell categories apart'
          : null,
      ],
    },
    options,
  );
}

export interface FleissOptions extends AgreementOptions {
  /** How many ratings an item must have; by default the most that any item has. */
  readonly perItem?: number;
}

/** Above this share of items left out, the reader is pointed to coefficients that need no equal number. */
const MANY_LEFT = 0.1;

/**
 * κ = (P − Pe) / (1 − Pe), with P the mean over items of agreeing pairs / pairs and Pe = Σ pj² for the share pj of
 * category j among all ratings; higher is better, 1 is complete, 0 is chance. Fleiss 1971, Psychol Bull 76, 378–382.
 * Every item needs the same number m of ratings, not from the same raters. m is the most that any item has, or
 * `perItem`. Items with fewer leave, and with `perItem` those with more, because to choose among ratings would be to
 * choose the result; both are counted and said. Undefined when no item is left or one category only was used.
 * Example: Fleiss' 30 patients with 6 diagnoses each: P 0.556, Pe 0.220, κ 0.430.
 */
export function fleissKappa(ratings: Ratings, options: FleissOptions = {}): Agreement {
  const coded = codeRatings(ratings, options);
  const given = coded.codes.map((row) => row.filter((code) => code >= 0).length);
  const m = options.perItem ?? given.reduce((most, count) => Math.max(most, count), 0);
  if (options.perItem !== undefined && (!Number.isInteger(m) || m < 2))
    throw new UsageError(`perItem ${m}: expected a whole number from 2 on`);
  const tallies = tallyItems(coded, (count) => count === m && m >= 2);
  const { n, left } = tallies;
  const many = left > MANY_LEFT * (n + left) ? "; Krippendorff's alpha and Gwet's AC1 use the others too" : '';
  const share = agreeingShare(tallies);
  const drawn = new Float64Array(coded.categories.length);
  return agreementOf(
    {
      coded,
      tallies,
      pointOf: (times) => {
        const all = sumOf(times) * m;
        let same = 0;
        for (const total of categoryTotals(tallies, times, drawn)) same += total * total;
        return beyondChance(share(times), same / (all * all));
      },
      why: n > 0 ? SINGLE_CATEGORY : m < 2 ? 'no item has two ratings' : `no item has ${m} ratings`,
      notes: (point, totals) => [
        left === 0
          ? null
          : `Fleiss' kappa needs ${m} ratings for every item: ${left} of ${n + left} items have another number and leave${many}`,
        kappaParadox('kappa', point, tallies, coded.categories, totals),
      ],
    },
    options,
  );
}

/**
 * AC1 = (pa − pe) / (1 − pe), with pa the mean over items with two ratings or more of the share of agreeing pairs,
 * πk the mean over items of the share of category k, and pe = Σ πk (1 − πk) / (q − 1) for q categories; higher is
 * better, 1 is complete, 0 is chance. Any number of raters, gaps allowed; an item with one rating counts for πk only.
 * Undefined without an item with two ratings, and where there is one category only (q − 1 is 0). Where more categories
 * are declared than were used it follows the formula: one category used of two declared gives pe = 0 and AC1 = 1, with
 * a note. Gwet 2008, Br J Math Stat Psychol 61, 29–48.
 * Example: two raters, 118 times both yes, 5 and 2 times split, never both no: 0.941, where Cohen's kappa is −0.023.
 */
export function gwetAc1(ratings: Ratings, options: AgreementOptions = {}): Agreement {
  const coded = codeRatings(ratings, options);
  const tallies = tallyItems(coded, (count) => count >= 1);
  const q = coded.categories.length;
  const single = tallies.times.reduce((sum, times, pattern) => (tallies.size[pattern] === 1 ? sum + times : sum), 0);
  return agreementOf(
    {
      coded,
      tallies,
      pointOf: ac1Point(tallies, q),
      why: q === 1 && single < tallies.n ? SINGLE_CATEGORY : 'no item has two ratings',
      notes: (_, totals) => [
        single > 0 && single < tallies.n
          ? `${single} of ${tallies.n} items have one rating: AC1 counts them for the prevalence, not for the agreement`
          : null,
        usedCategories(totals) === 1 && q > 1
          ? `only one of the ${q} declared categories was ever used: nothing shows that the raters can tell them apart`
          : null,
      ],
    },
    options,
  );
}

function ac1Point(tallies: Tallies, q: number): (times: Float64Array) => Point {
  const share = agreeingShare(tallies);
  const shares = new Float64Array(q);
  return (times) => {
    const observed = share(times);
    if (observed === null || q < 2) return { value: null, observed, expected: null };
    const items = sumOf(times);
    let expected = 0;
    for (const own of categoryTotals(tallies, times, shares, true)) expected += (own / items) * (1 - own / items);
    return beyondChance(observed, expected / (q - 1));
  };
}

/** If chance alone would agree in all, nothing is left to measure. */
function beyondChance(observed: number | null, expected: number): Point {
  const value = observed === null || expected === 1 ? null : (observed - expected) / (1 - expected);
  return { value, observed, expected };
}

/** Σ c (c − 1) / (m (m − 1)) of an item with m ratings, averaged over the items that have two; null without one. */
function agreeingShare({ size, from, count }: Tallies): (times: Float64Array) => number | null {
  const agreeing = size.map((m, pattern) => {
    let pairs = 0;
    for (let at = from[pattern]!; at < from[pattern + 1]!; at += 1) pairs += count[at]! * (count[at]! - 1);
    return m < 2 ? 0 : pairs / (m * (m - 1));
  });
  return (times) => {
    let [paired, agreed] = [0, 0];
    for (let pattern = 0; pattern < size.length; pattern += 1) {
      if (size[pattern]! < 2) continue;
      paired += times[pattern]!;
      agreed += times[pattern]! * agreeing[pattern]!;
    }
    return paired === 0 ? null : agreed / paired;
  };
}

/** Raw agreement from which it counts as high, and how far AC1 has to be above the coefficient. */
const HIGH_AGREEMENT = 0.8;
const GAP = 0.2;

/**
 * Names the paradox of kappa where it bites: raters agree on nearly everything, and kappa is low anyway, because
 * one category is so frequent that chance alone would bring nearly as much agreement (Feinstein and Cicchetti 1990,
 * J Clin Epidemiol 43, 543–549). Rule: raw agreement ≥ 0.8 and AC1 − coefficient ≥ 0.2. Null where it does not bite.
 * Example: their table 80, 10, 5, 5 has agreement 0.85, kappa 0.318 and AC1 0.808.
 */
export function kappaParadox(
  name: 'kappa' | 'alpha',
  { value, observed, expected }: Point,
  tallies: Tallies,
  categories: readonly Rating[],
  totals: Float64Array,
): string | null {
  if (value === null || observed === null || expected === null || !(observed >= HIGH_AGREEMENT)) return null;
  const ac1 = ac1Point(tallies, categories.length)(tallies.times).value;
  if (ac1 === null || ac1 - value < GAP) return null;
  const most = totals.reduce((best, total, at) => (total > totals[best]! ? at : best), 0);
  return (
    `the kappa paradox: the raters agree in ${short(observed)} of all pairs, yet ${name} is ${short(value)}. ` +
    `${short(totals[most]! / sumOf(totals))} of the ratings are ${describe(categories[most])}, so that chance alone would give ` +
    `${short(expected)} and a few disagreements weigh heavily. AC1, whose chance term shrinks as classes get skewed, is ` +
    `${short(ac1)}: report both, with the prevalence (Feinstein and Cicchetti 1990)`
  );
}
