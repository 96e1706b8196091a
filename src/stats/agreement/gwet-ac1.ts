import {
  type Agreement,
  agreementOf,
  type AgreementOptions,
  ONE_CATEGORY,
  type Point,
  usedCategories,
} from './agreement.ts';
import { codeRatings } from './code-ratings.ts';
import type { Ratings } from './rating.ts';
import { agreeingPairs, type Tallies, tallyItems } from './tallies.ts';

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
      why: q === 1 && single < tallies.n ? ONE_CATEGORY : 'no item has two ratings',
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

/** AC1 of tallied items, for any number of times that each pattern occurs. */
export function ac1Point(tallies: Tallies, q: number): (times: Float64Array) => Point {
  const { patterns, size, from, category, count } = tallies;
  const agreeing = agreeingPairs(tallies);
  const shares = new Float64Array(q);
  return (times) => {
    let items = 0;
    let paired = 0;
    let agreed = 0;
    shares.fill(0);
    for (let pattern = 0; pattern < patterns; pattern += 1) {
      const weight = times[pattern]!;
      if (weight === 0) continue;
      items += weight;
      if (size[pattern]! >= 2) {
        paired += weight;
        agreed += weight * agreeing[pattern]!;
      }
      for (let at = from[pattern]!; at < from[pattern + 1]!; at += 1)
        shares[category[at]!]! += (weight * count[at]!) / size[pattern]!;
    }
    if (paired === 0) return { value: null, observed: null, expected: null };
    const observed = agreed / paired;
    if (q < 2) return { value: null, observed, expected: null };
    let expected = 0;
    for (const share of shares) expected += (share / items) * (1 - share / items);
    expected /= q - 1;
    return { value: (observed - expected) / (1 - expected), observed, expected };
  };
}
