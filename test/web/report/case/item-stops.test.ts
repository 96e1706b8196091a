import { expect, test } from 'vitest';

import { caseItems } from '../../../../web/src/report/case/case-items.ts';
import { itemStops, nextStop } from '../../../../web/src/report/case/item-stops.ts';
import { detail, item, record } from './case-detail.ts';

const late = record({ verdict: 'missed', gold: item(0, { text: 'Bergen', start: 11, end: 17 }) });
const early = record({ verdict: 'spurious', predicted: item(0, { text: 'Aarhus', start: 3, end: 9 }) });
const nowhere = record({ verdict: 'missed', gold: item(1, { text: 'Oslo' }) });
const items = caseItems(detail('In Aarhus, Bergen.', [nowhere, late, early]), 'full');
const stops = itemStops(items, ['run']);

test('one walks through items as they stand in the text, then through those that do not', () => {
  expect(stops.map(({ id }) => id)).toEqual(['0.predicted.span.0', '0.gold.span.0', '0.gold.span.1']);
});

test('a step goes to the neighbour and stays at the ends', () => {
  expect(nextStop(stops, null, 1)).toBe('0.predicted.span.0');
  expect(nextStop(stops, '0.predicted.span.0', 1)).toBe('0.gold.span.0');
  expect(nextStop(stops, '0.gold.span.1', 1)).toBe('0.gold.span.1');
  expect(nextStop(stops, '0.predicted.span.0', -1)).toBe('0.predicted.span.0');
  expect(nextStop(stops, 'of another report', 1)).toBe('0.predicted.span.0');
  expect(nextStop([], null, 1)).toBeNull();
});
