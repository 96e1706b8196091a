import type { Verdict } from '../judge/verdict.ts';
import { type Measure, ratio, type ZeroDivision } from './measure.ts';

/**
 * accuracy of attributes over matched pairs = pairs with all of them right / pairs to which one of them applies;
 * higher is better. Undefined when no matched pair has such an attribute.
 * Example: intensity right in 9 of 11 pairs, time in 6, both in 5: [intensity, time] gives 5 / 11.
 */
export function attributeAccuracy(
  name: string,
  attributes: readonly string[],
  kind: string | null,
  zeroDivision: ZeroDivision,
): Measure {
  const key = `${kind ?? '*'}:${attributes.join('+')}`;
  // Asked of every verdict of every case: loops, since a callback for each would cost more than the question.
  const applies = (v: Verdict): boolean => {
    if (v.verdict !== 'hit' || v.attributes === null || (kind !== null && v.kind !== kind)) return false;
    for (const attribute of attributes) if (v.attributes[attribute] !== undefined) return true;
    return false;
  };
  const isRight = (v: Verdict): boolean => {
    if (!applies(v)) return false;
    for (const attribute of attributes) if (v.attributes?.[attribute] === false) return false;
    return true;
  };
  const total = { key: `attributes:${key}`, of: (v: Verdict) => (applies(v) ? v.weight : 0) };
  const right = { key: `attributes-right:${key}`, of: (v: Verdict) => (isRight(v) ? v.weight : 0) };
  return {
    name,
    about: `matched pairs with ${attributes.join(' and ')} right / matched pairs that have it`,
    direction: 'higher',
    range: [0, 1],
    counters: [total, right],
    caseCounters: [],
    proportion: true,
    byLabel: true,
    byCase: true,
    value: (sums) =>
      ratio(
        sums.get(right.key),
        sums.get(total.key),
        sums.get(total.key),
        `no matched pair has ${attributes.join(' or ')}`,
        zeroDivision,
      ),
  };
}
