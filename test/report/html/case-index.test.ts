import { expect, it } from 'vitest';

import { printsOf } from '../../../src/report/html/case-index.ts';
import type { CaseDetail, ViewRecord } from '../../../src/report/html/report-data.ts';

type Run = CaseDetail['runs'][number];

const GOLD = { index: 0, label: 'PERSON', text: 'Ida Holm', start: 0, end: 8 };
const HIT: ViewRecord = {
  case: 'D1',
  kind: 'span',
  verdict: 'hit',
  rule: 'pair',
  label: 'PERSON',
  similarity: 1,
  gold: GOLD,
  predicted: { ...GOLD, fields: { confidence: 0.9 } },
};
const EXTRA: ViewRecord = {
  case: 'D1',
  kind: 'span',
  verdict: 'spurious',
  rule: 'no-match',
  label: 'LOC',
  predicted: { index: 1, label: 'LOC', text: 'Aarhus', start: 18, end: 24 },
};

function run(...records: readonly ViewRecord[]): Run {
  return { result: { case: 'D1', counts: { hit: 1, missed: 0, spurious: 1, excused: 0 }, measures: {} }, records };
}

it.each<[string, ViewRecord]>([
  ['a word', { ...EXTRA, predicted: { index: 1, label: 'LOC', text: 'Vejle', start: 18, end: 24 } }],
  ['a place', { ...EXTRA, predicted: { index: 1, label: 'LOC', text: 'Aarhus', start: 40, end: 46 } }],
  ['a label of a prediction', { ...EXTRA, predicted: { index: 1, label: 'ORG', text: 'Aarhus', start: 18, end: 24 } }],
  ['a verdict', { ...EXTRA, verdict: 'excused' }],
  ['the credit', { ...EXTRA, credit: 0.5 }],
  ['an attribute that is right', { ...EXTRA, attributes: { polarity: true } }],
])('with equal counts, %s tells runs apart', (_, other) => {
  expect(printsOf([run(HIT, EXTRA), run(HIT, other)])).toEqual([0, 1]);
});

it('an end of a relationship tells runs apart', () => {
  const tie = { index: 0, label: 'treats', text: '', source: 'E1', target: 'E2' };
  const edge = (target: string): ViewRecord => ({ ...EXTRA, kind: 'relationship', predicted: { ...tie, target } });
  expect(printsOf([run(edge('E2')), run(edge('E3')), run(edge('E2'))])).toEqual([0, 1, 0]);
});

it('runs that say the same are alike in whatever order, however sure and by whatever rule', () => {
  const unsure: ViewRecord = { ...HIT, rule: 'exact', predicted: { ...GOLD, fields: { confidence: 0.2 } } };
  expect(printsOf([run(HIT, EXTRA), run(EXTRA, unsure), run(HIT), run(unsure)])).toEqual([0, 0, 2, 2]);
});

it('knows of runs that do not have the case', () => {
  expect(printsOf([null, run(HIT), null])).toEqual([0, 1, 0]);
});
