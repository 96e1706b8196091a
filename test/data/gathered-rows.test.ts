import { expect, test } from 'vitest';

import type { Row } from '../../src/data/format.ts';
import { GatheredRows } from '../../src/data/gathered-rows.ts';
import { type Item, makeItem } from '../../src/data/item.ts';

const itemOf = (label: string, index = 0): Item =>
  makeItem({ kind: 'span', index, label, text: 'x', line: 1, fields: {} });
const rowOf = (gold: readonly Item[] | null, more: Partial<Row> = {}): Row => ({
  id: 'd1',
  line: 1,
  text: null,
  fields: {},
  gold,
  predicted: null,
  failed: null,
  ...more,
});

test('items of one case are numbered through, and the first text counts', () => {
  const rows = new GatheredRows();
  rows.add(rowOf([itemOf('A'), itemOf('B', 1)], { file: 'a' }));
  rows.add(rowOf(null, { file: 'a', text: 'a text', predicted: [itemOf('P')] }));
  rows.add(rowOf([itemOf('C'), itemOf('D', 1)], { file: 'a', text: 'another' }));
  const [row] = rows.rows();
  expect(row?.gold?.map(({ label, index }) => [label, index])).toEqual([
    ['A', 0],
    ['B', 1],
    ['C', 2],
    ['D', 3],
  ]);
  expect([row?.predicted?.length, row?.text, row?.file]).toEqual([1, 'a text', 'a']);
});

test('a case whose items are in several files is of none of them', () => {
  const rows = new GatheredRows();
  for (const file of ['a', 'b', 'b']) rows.add(rowOf([itemOf('A')], { file }));
  expect(rows.rows().map((row) => 'file' in row)).toEqual([false]);
});

test('a case of 100,000 records takes no time that grows with their square', () => {
  const rows = new GatheredRows();
  for (let at = 0; at < 100_000; at += 1) rows.add(rowOf([itemOf('A')]));
  expect(rows.rows()[0]?.gold?.at(-1)?.index).toBe(99_999);
});
