import { type Bound, boundText, keepsTo } from './bound.ts';
import { inScope, itemsText, numbersIn, type NumberScope, numberSum, scopeKey, withoutNumber } from './item-numbers.ts';
import { type Counter, type Direction, type Measure, ratio, type ZeroDivision } from './measure.ts';

/**
 * share of items whose number is at least (or at most) a bound = items that keep to it / items that have the number; the
 * recipe says which way is better. Items without the number are left out and counted. Undefined when no item has it.
 * Example: similarities 0.8, 0.85 and 0.9, at least 0.85: 2 / 3.
 */
export function fieldShare(
  name: string,
  scope: NumberScope,
  bound: Bound,
  direction: Direction,
  zeroDivision: ZeroDivision,
): Measure {
  const numbers = numberSum(scope);
  const { found, whole, items } = numbers;
  const field = scope.fields.join(' + ');
  const within: Counter = {
    key: `numbers ${boundText(bound)}:${scopeKey(scope)}`,
    of(v) {
      const value = inScope(scope, v) ? numbersIn(v, scope.fields) : null;
      return value !== null && keepsTo(bound, value) ? 1 : 0;
    },
  };
  return {
    name,
    about: `${itemsText(scope)} with ${field} ${boundText(bound)} / those that have it`,
    direction,
    range: [0, 1],
    counters: [found, within],
    caseCounters: [],
    beside: [whole, items],
    proportion: true,
    byLabel: true,
    byCase: true,
    value: (sums) =>
      ratio(
        sums.get(within.key),
        sums.get(found.key),
        sums.get(found.key),
        `there are no ${itemsText(scope)} with a number in ${field}`,
        zeroDivision,
      ),
    leftOut: (sums) => withoutNumber(scope, numbers, sums),
  };
}
