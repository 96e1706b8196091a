import { describe, expect, it } from 'vitest';

import { caseItems } from '../../../../web/src/report/case/case-items.ts';
import { differences } from '../../../../web/src/report/case/differences.ts';
import { filteredRows, itemRows, sortedRows } from '../../../../web/src/report/case/item-rows.ts';
import { detail, item, record } from './case-detail.ts';

const TEXT = 'one two three';
const lines = [
  record({
    verdict: 'hit',
    label: 'C',
    gold: item(0, { start: 8, end: 13 }),
    predicted: item(0, { start: 8, end: 13 }),
  }),
  record({ verdict: 'spurious', label: 'B', predicted: item(1, { start: 0, end: 3 }) }),
  record({ verdict: 'missed', label: 'A', gold: item(2, { text: 'four' }) }),
  record({ verdict: 'excused', label: 'D', setAside: true, gold: item(3, { start: 4, end: 7 }) }),
];
const rows = itemRows(caseItems(detail(TEXT, lines), 'full'));
const labels = (given: readonly { readonly line: { readonly record: { readonly label: string } } }[]): string =>
  given.map(({ line }) => line.record.label).join('');

describe('rows of the table of items', () => {
  it('stand in the order of the text, those without a place last', () => {
    expect(labels(sortedRows(rows, 'place', false))).toBe('BDCA');
  });

  it('can be sorted by label and by verdict, wrong ones first, and back', () => {
    expect(labels(sortedRows(rows, 'label', false))).toBe('ABCD');
    expect(labels(sortedRows(rows, 'label', true))).toBe('DCBA');
    expect(labels(sortedRows(rows, 'verdict', false))).toBe('ABDC');
  });

  it('can be held to what is wrong, what is not in the text and what was set aside', () => {
    expect(labels(filteredRows(rows, 'wrong'))).toBe('BA');
    expect(labels(filteredRows(rows, 'placeless'))).toBe('A');
    expect(labels(filteredRows(rows, 'aside'))).toBe('D');
  });
});

describe('what runs do not agree on', () => {
  const gold = item(0, { text: 'one', start: 0, end: 3 });
  const missed = record({ verdict: 'missed', gold });
  const hit = record({ gold, predicted: item(0, { text: 'one', start: 0, end: 3 }) });
  const wrong = record({ verdict: 'spurious', predicted: item(7, { text: 'two', start: 4, end: 7 }) });

  it('is nothing for a single run, or where the verdicts are the same', () => {
    expect(differences(caseItems(detail(TEXT, [missed]), 'full'), 1)).toEqual([]);
    expect(differences(caseItems(detail(TEXT, [hit, wrong], [hit, wrong]), 'full'), 2)).toEqual([]);
  });

  it('is told with each run’s verdict, what got worse first', () => {
    const found = differences(caseItems(detail(TEXT, [missed], [hit, wrong]), 'full'), 2);
    expect(found.map(({ change, verdicts }) => [change, verdicts])).toEqual([
      ['worse', [null, 'spurious']],
      ['better', ['missed', 'hit']],
    ]);
  });

  it('counts the same wrong answer as the same under another index', () => {
    const again = record({ verdict: 'spurious', predicted: item(2, { text: 'two', start: 4, end: 7 }) });
    expect(differences(caseItems(detail(TEXT, [wrong], [again]), 'full'), 2)).toEqual([]);
  });
});
