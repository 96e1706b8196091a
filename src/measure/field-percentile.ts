import { caseValues } from './case-values.ts';
import { inScope, itemsText, numbersIn, type NumberScope, numberSum, scopeKey, withoutNumber } from './item-numbers.ts';
import type { Direction, Measure, Range } from './measure.ts';
import { percentile } from './percentile.ts';

/**
 * percentile of a number over the items of a case, with a straight line between neighbours (numpy's linear one); of
 * several cases the mean of theirs, each counting the same, so that one busy case does not make the tail alone. The recipe
 * says which way is better. Undefined when no item has the number; cases and items without it are left out and counted.
 * Example: p 90 of 10, 20, 30, 40: place 0.9 × 3 = 2.7, so 37.
 */
export function fieldPercentile(
  name: string,
  scope: NumberScope,
  p: number,
  direction: Direction,
  range: Range,
): Measure {
  const numbers = numberSum(scope);
  const values = caseValues(`p${p}:${scopeKey(scope)}`, (verdicts) => {
    const found = verdicts.flatMap((v) => (inScope(scope, v) ? (numbersIn(v, scope.fields) ?? []) : []));
    if (found.length === 0) return null;
    return percentile(
      found.sort((a, b) => a - b),
      p / 100,
    );
  });
  const field = scope.fields.join(' + ');
  return {
    name,
    about: `mean over cases of the ${p}th percentile of ${field} of ${itemsText(scope)}`,
    direction,
    range,
    counters: [],
    caseCounters: [values.sum, values.count],
    beside: [values.out, numbers.whole, numbers.items],
    proportion: false,
    byLabel: false,
    byCase: true,
    meanOfCases: true,
    value: (sums) => values.mean(sums, () => `there are no ${itemsText(scope)} with a number in ${field}`),
    leftOut(sums) {
      const notes = [values.leftOut(sums), withoutNumber(scope, numbers, sums)].filter((note) => note !== null);
      return notes.length === 0 ? null : notes.join('; ');
    },
  };
}
