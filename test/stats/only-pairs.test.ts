import { expect, test } from 'vitest';

import { makeVerdict, type Verdict } from '../../src/judge/verdict.ts';
import { caseMean } from '../../src/measure/case-measures.ts';
import { recall } from '../../src/measure/hit-measures.ts';
import { Tally } from '../../src/measure/tally.ts';
import { verdictTotal } from '../../src/measure/verdict-measures.ts';
import type { UnitSums } from '../../src/measure/unit-sums.ts';
import { alignTables } from '../../src/stats/align-tables.ts';
import { comparePaired } from '../../src/stats/paired-comparison.ts';

const mean = caseMean('coverage', recall('r', { kind: null, require: [], match: [] }, null));
const misses = verdictTotal(
  'misses',
  { verdict: 'missed', kind: null, rules: [], exceptRules: [], credit: 'any' },
  'lower',
);
const settings = { resamples: 200, level: 0.95, seed: 42, method: 'percentile' } as const;

function verdicts(id: string, hits: number, missed: number): Verdict[] {
  const made = (verdict: 'hit' | 'missed'): Verdict =>
    makeVerdict({ case: id, scheme: null, kind: 'concept', verdict, rule: 'pair', label: 'concept' });
  return [...Array.from({ length: hits }, () => made('hit')), ...Array.from({ length: missed }, () => made('missed'))];
}

function table(cases: Readonly<Record<string, readonly [number, number]>>): UnitSums {
  const tally = new Tally([mean, misses], []);
  for (const [id, [hits, missed]] of Object.entries(cases))
    tally.add(
      { case: id, failed: null, answered: true, slices: null, cluster: null },
      null,
      verdicts(id, hits, missed),
    );
  return tally.groups()[0]!.table;
}

// c has nothing in the first system and 0 in the second.
const [a, b] = alignTables(table({ a: [1, 1], b: [2, 0], c: [0, 0] }), table({ a: [1, 1], b: [2, 0], c: [0, 4] }));

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
