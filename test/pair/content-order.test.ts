import { expect, test } from 'vitest';

import { contentOrder } from '../../src/pair/content-order.ts';
import { object, span } from './items.ts';

test('items come in text order, then by end, label, text and fields', () => {
  const sorted = [
    object('a', 'x', { n: 1 }),
    object('a', 'x', { n: 2 }),
    object('b', 'w'),
    span(0, 3, 'A'),
    span(0, 5, 'A'),
    span(0, 5, 'B'),
    span(2, 3, 'A'),
  ];
  expect(contentOrder(sorted.toReversed())).toEqual(sorted);
});

test('a list in order is handed back as it is', () => {
  const list = [span(0, 3), span(1, 2), span(1, 2)];
  expect(contentOrder(list)).toBe(list);
});
