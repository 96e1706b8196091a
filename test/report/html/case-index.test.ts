import { expect, it } from 'vitest';

import { type Item, makeItem } from '../../../src/data/item.ts';
import { makeVerdict, type Verdict } from '../../../src/judge/verdict.ts';
import { printsOf } from '../../../src/report/html/case-index.ts';
import type { ReportCase } from '../../../src/report/html/report-data.ts';

type Run = ReportCase['runs'][number];

const BASE = { case: 'D1', scheme: null, kind: 'span' } as const;
const GOLD = makeItem({ kind: 'span', index: 0, label: 'PERSON', text: 'Ida Holm', start: 0, end: 8 });
const HIT = makeVerdict({
  ...BASE,
  verdict: 'hit',
  rule: 'pair',
  label: 'PERSON',
  similarity: 1,
  gold: GOLD,
  predicted: { ...GOLD, fields: { confidence: 0.9 } },
});
const AARHUS = makeItem({ kind: 'span', index: 1, label: 'LOC', text: 'Aarhus', start: 18, end: 24 });
const EXTRA = extra({});

function extra(over: Partial<Item>): Verdict {
  const predicted = { ...AARHUS, ...over };
  return makeVerdict({ ...BASE, verdict: 'spurious', rule: 'no-match', label: 'LOC', predicted });
}

function run(...verdicts: readonly Verdict[]): Run {
  return { result: { case: 'D1', counts: { hit: 1, missed: 0, spurious: 1, excused: 0 }, measures: {} }, verdicts };
}

it.each<[string, Verdict]>([
  ['a word', extra({ text: 'Vejle' })],
  ['a place', extra({ start: 40, end: 46 })],
  ['a label of a prediction', extra({ label: 'ORG' })],
  ['a verdict', { ...EXTRA, verdict: 'excused' }],
])('with equal counts, %s tells runs apart', (_, other) => {
  expect(printsOf([run(HIT, EXTRA), run(HIT, other)])).toEqual([0, 1]);
});

it('an end of a relationship tells runs apart', () => {
  const tie = makeItem({ kind: 'relationship', index: 0, label: 'treats', source: 'E1', target: 'E2' });
  const edge = (target: string): Verdict => ({ ...EXTRA, kind: 'relationship', predicted: { ...tie, target } });
  expect(printsOf([run(edge('E2')), run(edge('E3')), run(edge('E2'))])).toEqual([0, 1, 0]);
});

it('runs with the same errors are alike in whatever order, however sure, by whatever rule and whatever else is right', () => {
  const unsure: Verdict = { ...HIT, rule: 'exact', predicted: { ...GOLD, fields: { confidence: 0.2 } } };
  const part: Verdict = { ...HIT, credit: 0.5, attributes: { polarity: false } };
  expect(printsOf([run(HIT, EXTRA), run(EXTRA, unsure), run(HIT), run(unsure), run(part)])).toEqual([0, 0, 2, 2, 2]);
});

it('knows of runs that do not have the case', () => {
  expect(printsOf([null, run(HIT), null])).toEqual([0, 1, 0]);
});
