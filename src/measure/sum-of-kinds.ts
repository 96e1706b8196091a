import { type NumberScope, numberSum, type NumberSum } from './item-numbers.ts';
import type { Counter, Sums } from './measure.ts';

/** A sum over items of several kinds that knows when a kind has items and not one number among them. */
export interface SumOfKinds {
  readonly counters: readonly Counter[];
  /** The same over all kinds together. */
  readonly numbers: NumberSum;
  of(sums: Sums): {
    readonly sum: number;
    /** Items that have a number. */
    readonly found: number;
    /** Why the sum would be made up; null where it is not. */
    readonly lacking: string | null;
  };
}

export function sumOfKinds(scope: NumberScope): SumOfKinds {
  const parts = (scope.kinds.length === 0 ? [[]] : scope.kinds.map((kind) => [kind])).map((kinds) => ({
    kind: kinds[0] ?? null,
    ...numberSum({ ...scope, kinds }),
  }));
  return {
    counters: parts.flatMap(({ sum, found, items }) => [sum, found, items]),
    numbers: numberSum(scope),
    of(sums) {
      const lacking = parts.find(({ found, items }) => sums.get(items.key) > 0 && sums.get(found.key) === 0);
      return {
        sum: parts.reduce((total, { sum }) => total + sums.get(sum.key), 0),
        found: parts.reduce((total, { found }) => total + sums.get(found.key), 0),
        lacking:
          lacking === undefined ? null : `no ${lacking.kind ?? 'item'} has a number in ${scope.fields.join(' or ')}`,
      };
    },
  };
}
