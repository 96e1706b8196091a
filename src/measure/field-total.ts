import { itemsText, type NumberScope, withoutNumber } from './item-numbers.ts';
import type { Direction, Measure, Range } from './measure.ts';
import { sumOfKinds } from './sum-of-kinds.ts';

/**
 * total of a number, or of several, over items = sum of the fields; the recipe says which way is better. 0 where there
 * are no items: that is a count. Undefined where there are items of a kind and not one of them has the number, since a 0
 * would then be made up. Example: prompts of 400 and 500 with answers of 20 and 30 CTU: 950.
 */
export function fieldTotal(name: string, scope: NumberScope, direction: Direction, range: Range): Measure {
  const total = sumOfKinds(scope);
  return {
    name,
    about: `sum of ${scope.fields.join(' and ')} over ${itemsText(scope)}`,
    direction,
    range,
    counters: total.counters,
    caseCounters: [],
    beside: [total.numbers.whole, total.numbers.items],
    proportion: false,
    byLabel: true,
    byCase: true,
    value(sums) {
      const { sum, found, lacking } = total.of(sums);
      if (lacking !== null) return { value: null, undefined: lacking, n: found };
      return { value: sum, undefined: null, n: found };
    },
    leftOut: (sums) => withoutNumber(scope, total.numbers, sums),
  };
}
