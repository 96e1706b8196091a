import { describe, expect, it } from 'vitest';

import type { CaseResult } from '../../src/measure/results.ts';
import { StateCheck, type StateSums } from '../../src/score/state-check.ts';

const counts = (hit: number, missed: number) => ({ hit, missed, spurious: 0, excused: 0 });
const RESULTS: readonly CaseResult[] = [
  { case: 'a', counts: counts(2, 1), measures: { recall: 2 / 3 } },
  { case: 'b', counts: counts(0, 0), measures: { recall: null }, failed: 'too long' },
  { case: 'c', counts: counts(0, 0), measures: { recall: null }, answered: false },
];
const rule = (verdict: 'hit' | 'missed', n: number) => ({
  scheme: null,
  kind: 'span',
  verdict,
  rule: 'x',
  label: 'A',
  n,
});

/** The failed case is left out: the log has it, as the empty answer that it might count as, before those that follow. */
const sums = (changes: Partial<StateSums> = {}, tally: Partial<StateSums['tally']> = {}): StateSums => ({
  cases: { total: 3, failed: 1, unanswered: 1 },
  rules: [rule('hit', 2), rule('missed', 1), { ...rule('hit', 9), scheme: 'partial' }],
  tally: { ids: ['a', 'b', 'c'], leftOut: new Set([1]), values: [['recall', [2 / 3, NaN]]], ...tally },
  ...changes,
});

function contradiction(state: StateSums): string | null {
  const check = new StateCheck();
  for (const result of RESULTS) {
    const fault = check.add(result, state);
    if (fault !== null) return fault;
  }
  return check.end(state);
}

describe('StateCheck', () => {
  it('finds none where sums and lines agree', () => {
    expect(contradiction(sums())).toBe(null);
  });

  it.each([
    [sums({ cases: { total: 4, failed: 1, unanswered: 1 } }), 'counts 4 cases (total), cases.jsonl 3'],
    [sums({ cases: { total: 3, failed: 0, unanswered: 1 } }), 'counts 0 cases (failed), cases.jsonl 1'],
    [sums({ rules: [rule('hit', 3), rule('missed', 1)] }), 'counts 3 hit, cases.jsonl 2'],
    [sums({ rules: [rule('hit', NaN), rule('missed', 1)] }), 'counts NaN hit, cases.jsonl 2'],
    [sums({}, { ids: ['a', 'b', 'x'] }), 'another case in place of "c"'],
    [sums({}, { ids: ['a', 'b', 'c', 'd'] }), 'other cases than cases.jsonl'],
    [sums({}, { leftOut: new Set([1, 7]) }), 'other cases than cases.jsonl'],
    [sums({}, { values: [['recall', [1, NaN]]] }), 'recall of case "a" is 0.6666666666666666 in cases.jsonl and 1'],
    [sums({}, { values: [['recall', [2 / 3, NaN, 1]]] }), 'recall of another number of cases'],
  ])('names the first one: %#', (state, message) => {
    expect(contradiction(state)).toContain(message);
  });
});
