import { expect, test } from 'vitest';

import type { RuleCount } from '../../../../src/score/run.ts';
import { ruleRows } from '../../../../web/src/report/summary/rule-rows.ts';
import { overallMeasures, sliceTables, undefinedReasons } from '../../../../web/src/report/summary/slice-tables.ts';
import { headOf, measure } from '../list/table-of.ts';

function rule(given: Partial<RuleCount>): RuleCount {
  return { scheme: null, kind: 'span', verdict: 'hit', rule: 'pair', label: 'LOC', n: 1, ...given };
}

const RULES = [
  rule({ n: 3 }),
  rule({ label: 'PERSON', n: 5 }),
  rule({ verdict: 'missed', rule: 'no-match', n: 1 }),
  rule({ verdict: 'spurious', rule: 'no-match', label: 'PERSON', n: 2 }),
  rule({ scheme: 'strict', n: 100 }),
];

const MEASURES = [
  measure({ name: 'recall', value: 0.6 }),
  measure({ name: 'f1', value: 0.7 }),
  measure({ name: 'f1', slice: { scheme: 'strict' }, value: 0.2 }),
  measure({ name: 'f1', slice: { country: 'DE' }, value: 0.9 }),
  measure({ name: 'f1', slice: { country: 'DK' }, value: null, undefined: 'no gold' }),
  measure({ name: 'recall', slice: { label: 'LOC' }, value: 0.75 }),
  measure({ name: 'f1', slice: { label: 'LOC' }, value: 0.5 }),
  measure({ name: 'f1', slice: { label: 'PERSON' }, value: 0.8 }),
  measure({ name: 'empty', slice: { label: 'LOC' }, value: null, undefined: 'nothing there' }),
];

function run(rules = RULES) {
  const [view] = headOf(MEASURES, 1).runs;
  if (view === undefined) throw new Error('a head has runs');
  return { ...view.measures, rules };
}

test('overall values come with the primary ones first', () => {
  expect(overallMeasures(run(), ['f1']).map(({ name }) => name)).toEqual(['f1', 'recall']);
});

test('labels come first, then columns, then schemes', () => {
  expect(sliceTables(run(), ['f1']).map(({ title }) => title)).toEqual(['label', 'country', 'scheme']);
});

test('a label has its counts by the recipe’s own pairing, the label with most items first', () => {
  const [labels] = sliceTables(run(), ['f1']);
  expect(labels?.rows.map(({ values, counts }) => [values[0], counts])).toEqual([
    ['PERSON', { hit: 5, missed: 0, spurious: 2, excused: 0 }],
    ['LOC', { hit: 3, missed: 1, spurious: 0, excused: 0 }],
  ]);
});

test('a measure without a value in any row has no column', () => {
  const [labels] = sliceTables(run(), ['f1']);
  expect(labels?.measures).toEqual(['f1', 'recall']);
});

test('labels of several kinds of items have a table each', () => {
  const tables = sliceTables(run([rule({}), rule({ kind: 'entity', label: 'PERSON' })]), ['f1']);
  expect(tables.filter(({ title }) => title === 'label').map(({ kind, rows }) => [kind, rows.length])).toEqual([
    ['span', 1],
    ['entity', 1],
  ]);
});

test('each reason for an undefined value is said once', () => {
  const country = sliceTables(run(), ['f1']).find(({ title }) => title === 'country');
  expect(undefinedReasons(country?.rows ?? [], ['f1', 'f1'])).toEqual(['no gold']);
});

test('a label called __proto__ is a label', () => {
  const slice = JSON.parse('{"label":"__proto__"}');
  const [table] = sliceTables(
    { ...run([rule({ label: '__proto__', n: 4 })]), measures: [measure({ slice, value: 1 })] },
    ['f1'],
  );
  expect(table?.rows[0]?.counts?.hit).toBe(4);
});

test('rules are added up over labels, the most verdicts first', () => {
  expect(ruleRows(RULES)).toEqual([
    { rule: 'pair', kind: 'span', counts: { hit: 8, missed: 0, spurious: 0, excused: 0 } },
    { rule: 'no-match', kind: 'span', counts: { hit: 0, missed: 1, spurious: 2, excused: 0 } },
  ]);
});
