import type { Verdict } from '../judge/verdict.ts';
import { inScope, itemsText, type NumberScope, scopeKey } from './item-numbers.ts';
import type { Direction, Measure } from './measure.ts';

/** Only items whose field has one of these values. */
export interface Having {
  readonly field?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

/**
 * How many predicted items there are, whatever became of them, or how many have a value of a field; the recipe says which
 * way is better. Never undefined: none is 0, and that is a count, not a score.
 * Example: 40 flushes at a boundary cue and 3 at the end: 43, of reason end_of_trace 3.
 */
export function itemCount(
  name: string,
  scope: Omit<NumberScope, 'fields'>,
  { field, values = [] }: Having,
  direction: Direction,
): Measure {
  const whole = { ...scope, fields: [] };
  const having = field === undefined ? '' : ` with ${field} ${values.join(' or ')}`;
  const suits = (v: Verdict): boolean => field === undefined || values.includes(String(v.predicted?.fields[field]));
  const counter = {
    key: `items${having}:${scopeKey(whole)}`,
    of: (v: Verdict) => (inScope(whole, v) && suits(v) ? v.weight : 0),
  };
  return {
    name,
    about: `number of ${itemsText(whole)}${having}`,
    direction,
    range: [0, null],
    counters: [counter],
    caseCounters: [],
    proportion: false,
    byLabel: true,
    byCase: true,
    everyCase: true,
    value: (sums) => ({ value: sums.get(counter.key), undefined: null, n: sums.get(counter.key) }),
  };
}
