import { itemsText, type NumberScope, withoutNumber } from './item-numbers.ts';
import { type Direction, type Measure, nothingToDivide, type Range, type ZeroDivision } from './measure.ts';
import { sumOfKinds } from './sum-of-kinds.ts';

export interface RatioTerms {
  readonly over: NumberScope;
  readonly under: NumberScope;
  /** How many of what is below the line make one: 1000 for milliseconds that are shown as seconds. */
  readonly scale: number;
  /** Whether it is 1 minus the ratio: what was saved, not what was used. */
  readonly complement: boolean;
}

/**
 * ratio of two sums of numbers = over / (under / scale), or 1 minus it; the recipe says which way is better. Of several
 * cases it is the ratio of their sums. Undefined when the sum below the line is 0, and where either has items of a kind of
 * which not one has the number. Example: summaries of 300 CTU, a trace of 1,200: 0.25, its complement 0.75.
 */
export function ratioOfSums(
  name: string,
  { over, under, scale, complement }: RatioTerms,
  direction: Direction,
  range: Range,
  zeroDivision: ZeroDivision,
): Measure {
  const [top, bottom] = [sumOfKinds(over), sumOfKinds(under)];
  const sides = [
    { scope: over, numbers: top.numbers },
    { scope: under, numbers: bottom.numbers },
  ];
  const text = (scope: NumberScope): string => `${scope.fields.join(' and ')} of ${itemsText(scope)}`;
  return {
    name,
    about: `${complement ? '1 - ' : ''}${text(over)} / ${scale === 1 ? text(under) : `(${text(under)} / ${scale})`}`,
    direction,
    range,
    counters: [...top.counters, ...bottom.counters],
    caseCounters: [],
    beside: sides.flatMap(({ numbers }) => [numbers.whole, numbers.items]),
    proportion: false,
    byLabel: true,
    byCase: true,
    value(sums) {
      const [above, below] = [top.of(sums), bottom.of(sums)];
      const n = below.found;
      const lacking = above.lacking ?? below.lacking;
      if (lacking !== null) return { value: null, undefined: lacking, n };
      if (below.sum === 0) return nothingToDivide(`the ${text(under)} add up to 0`, n, zeroDivision);
      const share = above.sum / (below.sum / scale);
      return { value: complement ? 1 - share : share, undefined: null, n };
    },
    leftOut(sums) {
      const notes = sides.flatMap(({ scope, numbers }) => withoutNumber(scope, numbers, sums) ?? []);
      return notes.length === 0 ? null : [...new Set(notes)].join('; ');
    },
  };
}
