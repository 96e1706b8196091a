import { type NumberScope, numberSum, itemsText, withoutNumber } from './item-numbers.ts';
import type { Direction, Measure, Range } from './measure.ts';

/**
 * mean of a number over items = sum of the field / items that have it; the recipe says which way is better. Of several
 * cases it is the mean over all their items, each counting the same. Items without the number are left out and counted.
 * Undefined when no item has it. Example: latencies 900, 1100 and none: 1000, n 2.
 */
export function fieldMean(name: string, scope: NumberScope, direction: Direction, range: Range): Measure {
  const numbers = numberSum(scope);
  const { sum, found, whole, items } = numbers;
  const field = scope.fields.join(' + ');
  return {
    name,
    about: `mean ${field} of ${itemsText(scope)}`,
    direction,
    range,
    counters: [sum, found],
    caseCounters: [],
    beside: [whole, items],
    proportion: false,
    byLabel: true,
    byCase: true,
    value(sums) {
      const n = sums.get(found.key);
      if (n === 0) return { value: null, undefined: `there are no ${itemsText(scope)} with a number in ${field}`, n };
      return { value: sums.get(sum.key) / n, undefined: null, n };
    },
    leftOut: (sums) => withoutNumber(scope, numbers, sums),
  };
}
