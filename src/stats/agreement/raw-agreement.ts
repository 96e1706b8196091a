import { type Agreement, agreementOf, type AgreementOptions, type Point, usedCategories } from './agreement.ts';
import { codeRatings } from './code-ratings.ts';
import type { Ratings } from './rating.ts';
import { agreeingPairs, type Tallies, tallyItems } from './tallies.ts';

/**
 * pa = mean over items of agreeing pairs of ratings / pairs of ratings; higher is better, from 0 to 1. Nothing is taken
 * off for chance: two raters who toss coins agree in half of all items. Undefined without an item with two ratings;
 * items with fewer leave. Fleiss 1971, Psychol Bull 76, 378–382 (his P with a bar); equal ratings are equal values.
 * Example: [a, a, b] has 1 agreeing pair of 3; with [c, c, c] beside it pa is (1/3 + 1) / 2 = 0.667.
 */
export function rawAgreement(ratings: Ratings, options: AgreementOptions = {}): Agreement {
  const coded = codeRatings(ratings, options);
  const tallies = tallyItems(coded, (count) => count >= 2);
  return agreementOf(
    {
      coded,
      tallies,
      pointOf: rawPoint(tallies),
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

function rawPoint(tallies: Tallies): (times: Float64Array) => Point {
  const agreeing = agreeingPairs(tallies);
  return (times) => {
    let items = 0;
    let agreed = 0;
    for (let pattern = 0; pattern < agreeing.length; pattern += 1) {
      items += times[pattern]!;
      agreed += times[pattern]! * agreeing[pattern]!;
    }
    const observed = agreed / items;
    return { value: observed, observed, expected: null };
  };
}
