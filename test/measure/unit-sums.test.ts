import { describe, expect, test } from 'vitest';

import { buildMeasures } from '../../src/measure/measures.ts';
import { Tally } from '../../src/measure/tally.ts';
import { sumsAt, totals, unitsWith, type UnitSums } from '../../src/measure/unit-sums.ts';
import { type Counts, verdictsOf } from '../stats/made-up-counts.ts';

const { measures } = buildMeasures({ precision: {}, recall: {}, macro_recall: {} }, null);
const [precision, recall, macro] = [measures[0]!, measures[1]!, measures[2]!];

function tableOf(cases: readonly Readonly<Record<string, Counts>>[]): UnitSums {
  const tally = new Tally(measures, []);
  cases.forEach((labels, at) => {
    const facts = { case: `c${at}` };
    tally.add(
      facts,
      null,
      Object.entries(labels).flatMap(([label, row]) => verdictsOf(row, label)),
    );
  });
  return tally.groups()[0]!.table;
}

const TABLE = tableOf([{ A: [1, 0, 1] }, { A: [0, 2, 0], B: [3, 0, 0] }, {}, { B: [0, 0, 1] }]);

describe('totals', () => {
  test('of the whole and of each label', () => {
    const sums = totals(TABLE);
    const [whole, a, b] = [sumsAt(TABLE, sums), sumsAt(TABLE, sums, 0), sumsAt(TABLE, sums, 1)];
    expect(['hit:*', 'spurious:*', 'missed:*'].map((key) => whole.get(key))).toEqual([4, 2, 2]);
    expect(['hit:*', 'spurious:*', 'missed:*'].map((key) => a.get(key))).toEqual([1, 2, 1]);
    expect(['hit:*', 'spurious:*', 'missed:*'].map((key) => b.get(key))).toEqual([3, 0, 1]);
    expect(whole.labels().map(({ label }) => label)).toEqual(['A', 'B']);
    expect(a.labels()).toEqual([]);
    // Recall 1/2 and 3/4.
    expect(macro.value(whole).value).toBe((1 / 2 + 3 / 4) / 2);
  });

  test('what nobody counted is 0', () => {
    const sums = totals(TABLE);
    expect(sumsAt(TABLE, sums).get('nothing')).toBe(0);
    expect(sumsAt(TABLE, sums, 0).get('nothing')).toBe(0);
  });

  test('a label that adds up to nothing is none of the labels', () => {
    const sums = totals(TABLE).fill(0);
    expect(sumsAt(TABLE, sums).labels()).toEqual([]);
  });
});

test('units with anything to measure: precision asks for predictions, recall for gold', () => {
  expect(unitsWith(TABLE, precision)).toBe(2);
  expect(unitsWith(TABLE, recall)).toBe(3);
  expect(unitsWith(TABLE, precision, 0)).toBe(2);
  expect(unitsWith(TABLE, recall, 0)).toBe(1);
  expect(unitsWith(TABLE, recall, 1)).toBe(2);
  expect(unitsWith(tableOf([]), recall)).toBe(0);
});
