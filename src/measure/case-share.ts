import { type Bound, boundText, keepsTo } from './bound.ts';
import type { CaseCounter, Direction, Measure } from './measure.ts';

/**
 * share of cases whose own value of a measure is at least (or at most) a bound = cases that keep to it / cases that have a
 * value; the recipe says which way is better. Cases without a value leave it and are counted in the note; undefined when
 * none has one. Example: completeness 5/8, 6/8 and 7/8, at least 0.75: 2 / 3.
 */
export function caseShare(name: string, of: Measure, bound: Bound, direction: Direction): Measure {
  const counted = (what: string, add: (value: number | null) => number | null): CaseCounter => ({
    key: `case-share-${what}:${name}`,
    ofCase: (_, own) => add(of.value(own).value),
  });
  const within = counted('within', (value) => (value !== null && keepsTo(bound, value) ? 1 : null));
  const count = counted('count', (value) => (value === null ? null : 1));
  const out = counted('out', (value) => (value === null ? 1 : null));
  return {
    name,
    about: `cases with ${of.about} ${boundText(bound)} / cases that have it`,
    direction,
    range: [0, 1],
    counters: [],
    caseCounters: [within, count],
    beside: [...(of.beside ?? []), ...of.counters, ...of.caseCounters, out],
    proportion: true,
    byLabel: false,
    byCase: true,
    value(sums) {
      const n = sums.get(count.key);
      if (n === 0) {
        const why = of.value(sums).undefined;
        return { value: null, undefined: why === null ? 'no case has a value' : `no case has a value: ${why}`, n };
      }
      return { value: sums.get(within.key) / n, undefined: null, n };
    },
    leftOut(sums) {
      const without = sums.get(out.key);
      const all = without + sums.get(count.key);
      return without > 0 && without < all ? `${without} of ${all} cases left out: undefined` : null;
    },
  };
}
