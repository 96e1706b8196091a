import { describe, expect, test } from 'vitest';

import { buildMeasures } from '../../src/measure/measures.ts';
import { rankingOf } from '../../src/compare/compare-runs.ts';
import { type ComparedPair, judgedFamily } from '../../src/compare/compare-verdict.ts';
import { differenceRow, type RowInit } from './difference-row.ts';

const { measures: F1 } = buildMeasures({ f1: {} }, null);
const { measures: WRONG } = buildMeasures({ wrong: { of: 'count', verdict: 'spurious' } }, null);

const interval = (low: number, high: number) => ({ low, high, level: 0.95, method: 'bootstrap-percentile' });

/** Systems of these values; those of the named pairs are told apart. */
function ranked(values: readonly number[], apart: Readonly<Record<string, Partial<RowInit>>>, measures = F1) {
  const { name, direction } = measures[0]!;
  const rows = values.flatMap((baseline, from) =>
    values.slice(from + 1).map((other, at): ComparedPair => {
      const system = from + 1 + at;
      const told = apart[`${from}${system}`];
      const difference = other - baseline;
      const row = differenceRow({
        difference,
        p: told === undefined ? 0.8 : 0.001,
        interval: told === undefined ? interval(-1, 1) : difference > 0 ? interval(0.01, 1) : interval(-1, -0.01),
        units: 50,
        baseline,
        ...told,
      });
      return { ...row, name, direction, slice: {}, family: 'all', from, system };
    }),
  );
  const [ranking] = rankingOf(measures, values.length, judgedFamily(rows, { level: 0.95 }).rows);
  return ranking!.places.map(({ system, place, tied }) => `${place} ${system}${tied ? ' tied' : ''}`);
}

describe('rankingOf', () => {
  test('a place is one more than the number of systems shown to be better', () => {
    expect(ranked([0.5, 0.7, 0.9], { '01': {}, '02': {}, '12': {} })).toEqual(['1 2', '2 1', '3 0']);
    expect(ranked([0.5, 0.7, 0.9], {})).toEqual(['1 2 tied', '1 1 tied', '1 0 tied']);
    // Only the outer two are told apart.
    expect(ranked([0.5, 0.7, 0.9], { '02': {} })).toEqual(['1 2 tied', '1 1 tied', '2 0']);
  });

  test('p alone shows nothing: the interval must leave out 0, as for a verdict', () => {
    expect(ranked([0.5, 0.7, 0.9], { '02': { interval: interval(-0.1, 0.9) } })).toEqual([
      '1 2 tied',
      '1 1 tied',
      '1 0 tied',
    ]);
  });

  test('Holm goes over the pairs: 0.02 of three is 0.06', () => {
    expect(ranked([0.5, 0.7, 0.9], { '02': { p: 0.02 } })).toEqual(['1 2 tied', '1 1 tied', '1 0 tied']);
  });

  test('where less is better the least comes first', () => {
    expect(ranked([5, 7, 9], { '01': {}, '02': {}, '12': {} }, WRONG)).toEqual(['1 0', '2 1', '3 2']);
  });
});
