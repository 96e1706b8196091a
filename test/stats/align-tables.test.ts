import { expect, test } from 'vitest';

import { makeVerdict, type Verdict } from '../../src/judge/verdict.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import { Tally } from '../../src/measure/tally.ts';
import { sumsAt, totals, type UnitSums } from '../../src/measure/unit-sums.ts';
import { alignTables, differenceColumns } from '../../src/stats/align-tables.ts';
import { comparePaired } from '../../src/stats/paired-comparison.ts';
import { type Counts, verdictsOf } from './made-up-counts.ts';

const { measures } = buildMeasures({ recall: {}, macro_recall: {} }, 0);
const [recall, macro] = [measures[0]!, measures[1]!];

function tableOf(cases: Readonly<Record<string, Readonly<Record<string, Counts>>>>): UnitSums {
  const tally = new Tally(measures, []);
  for (const [id, labels] of Object.entries(cases)) {
    const facts = { case: id };
    tally.add(
      facts,
      null,
      Object.entries(labels).flatMap(([label, row]) => verdictsOf(row, label)),
    );
  }
  return tally.groups()[0]!.table;
}

const A = tableOf({ c1: { X: [1, 0, 1] }, c3: { Z: [2, 0, 0] } });
const B = tableOf({ c2: { Y: [0, 3, 0] }, c1: { X: [1, 0, 1] }, c3: { X: [0, 0, 1], Z: [1, 0, 1] } });

test('both get the units and the labels of either, in text order', () => {
  const [a, b] = alignTables(A, B);
  for (const table of [a, b]) {
    expect(table.units).toEqual(['case c1', 'case c2', 'case c3']);
    expect(table.labels).toEqual(['X', 'Y', 'Z']);
    expect(table.columns).toHaveLength(4 * table.width);
  }
});

test('and keep their own values, also of an average over labels, with 0/0 given as 0', () => {
  // A: recall 3/4, X 1/2, Z 1. B: hits 2, missed 3: X 1/3, Z 1/2, and Y, of which it has predictions only, 0.
  const [a, b] = alignTables(A, B);
  const valueOf = (table: UnitSums, measure: typeof recall) => measure.value(sumsAt(table, totals(table))).value;
  for (const [before, after] of [
    [A, a],
    [B, b],
  ] as const) {
    expect(valueOf(after, recall)).toBe(valueOf(before, recall));
    expect(valueOf(after, macro)).toBe(valueOf(before, macro));
  }
  expect(valueOf(a, recall)).toBe(3 / 4);
  expect(valueOf(a, macro)).toBe((1 / 2 + 1) / 2);
  expect(valueOf(b, macro)).toBe((1 / 3 + 0 + 1 / 2) / 3);
});

test('a label that one of them lacks has nothing there, not what the whole has', () => {
  const [a, b] = alignTables(A, B);
  const at = a.labels.indexOf('Y');
  expect(recall.value(sumsAt(a, totals(a), at)).n).toBe(0);
  expect(sumsAt(a, totals(a), at).get('hit:*')).toBe(0);
  expect(recall.value(sumsAt(b, totals(b), b.labels.indexOf('X')))).toMatchObject({ value: 1 / 3, n: 3 });
});

test('differences are b − a, and leave out units where the two are equal', () => {
  const [a, b] = alignTables(A, B);
  const columns = differenceColumns(a, b);
  const missed = columns[a.keys.get('missed:*')!]!;
  expect([...missed.units]).toEqual([2]);
  expect([...missed.values]).toEqual([2]);
  const hits = columns[a.keys.get('hit:*')!]!;
  expect([[...hits.units], [...hits.values]]).toEqual([[2], [-1]]);
  for (const { values } of differenceColumns(a, a)) expect(values).toHaveLength(0);
});

const counted = { coverage: { of: 'case-mean', measure: 'recall' }, misses: { of: 'count', verdict: 'missed' } };
const { measures: COUNTED } = buildMeasures(counted, null);
const [mean, misses] = [COUNTED[0]!, COUNTED[1]!];
const settings = { resamples: 200, level: 0.95, seed: 42, method: 'percentile' } as const;

function verdicts(id: string, hits: number, missed: number): Verdict[] {
  const made = (verdict: 'hit' | 'missed'): Verdict =>
    makeVerdict({ case: id, scheme: null, kind: 'concept', verdict, rule: 'pair', label: 'concept' });
  return [...Array.from({ length: hits }, () => made('hit')), ...Array.from({ length: missed }, () => made('missed'))];
}

function countedTable(cases: Readonly<Record<string, readonly [number, number]>>): UnitSums {
  const tally = new Tally([mean, misses], []);
  for (const [id, [hits, missed]] of Object.entries(cases)) tally.add({ case: id }, null, verdicts(id, hits, missed));
  return tally.groups()[0]!.table;
}

// c has nothing in the first system and 0 in the second.
const [a, b] = alignTables(
  countedTable({ a: [1, 1], b: [2, 0], c: [0, 0] }),
  countedTable({ a: [1, 1], b: [2, 0], c: [0, 4] }),
);

test('a mean over cases is compared over the cases that have a value in both systems', async () => {
  const [found] = await comparePaired(a, b, [{ measure: mean, label: -1 }], settings);
  // 0.5 and 1 in both; over its own three cases the second would have 0.5.
  expect(found).toMatchObject({
    baseline: 0.75,
    other: 0.75,
    difference: 0,
    wins: 0,
    losses: 0,
    ties: 2,
    withoutPair: 1,
  });
});

test('a case that adds nothing to a count has 0, and is compared', async () => {
  const [found] = await comparePaired(a, b, [{ measure: misses, label: -1 }], settings);
  expect(found).toMatchObject({
    baseline: 1,
    other: 5,
    difference: 4,
    wins: 0,
    losses: 1,
    ties: 2,
    withoutPair: 0,
    units: 3,
  });
});
