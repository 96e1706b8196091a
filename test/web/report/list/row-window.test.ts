import fc from 'fast-check';
import { expect, test } from 'vitest';

import { rowWindow, scrollToRow } from '../../../../web/src/report/list/row-window.ts';

test('at the top the first rows are drawn, and six beyond the view', () => {
  expect(rowWindow(1000, 30, 0, 300)).toEqual({ height: 30_000, from: 0, to: 16, top: 0 });
});

test('in the middle rows on both sides are', () => {
  // 3000 px are 100 rows: from 94 on, which stands at 94 · 30.
  expect(rowWindow(1000, 30, 3000, 300)).toEqual({ height: 30_000, from: 94, to: 116, top: 2820 });
});

test('a short list is drawn whole', () => {
  expect(rowWindow(3, 30, 500, 300)).toEqual({ height: 90, from: 0, to: 3, top: 0 });
  expect(rowWindow(0, 30, 0, 300)).toEqual({ height: 0, from: 0, to: 0, top: 0 });
});

test('a list that no browser could hold is scrolled in larger steps, to its very end', () => {
  const rows = 5_000_000;
  const { height } = rowWindow(rows, 34, 0, 800);
  expect(height).toBe(12_000_000);
  const end = rowWindow(rows, 34, height - 800, 800);
  expect(end.to).toBe(rows);
  // The last row ends where the list does.
  expect(end.top + (end.to - end.from) * 34).toBeCloseTo(height, 3);
});

test('scrolling to a row brings it wholly into view, and no farther', () => {
  const given = { rows: 100, rowHeight: 30, viewHeight: 300 };
  expect(scrollToRow(5, { ...given, scrollTop: 0 })).toBe(0);
  expect(scrollToRow(10, { ...given, scrollTop: 0 })).toBe(30);
  expect(scrollToRow(2, { ...given, scrollTop: 600 })).toBe(60);
});

test('the row that is scrolled to is drawn, whatever the size of the list', () => {
  const places = fc.record({
    rows: fc.integer({ min: 1, max: 3_000_000 }),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(
      places,
      fc.integer({ min: 100, max: 2000 }),
      fc.nat(12_000_000),
      ({ rows, at }, viewHeight, scrollTop) => {
        const row = Math.min(rows - 1, Math.floor(at * rows));
        const top = scrollToRow(row, { rows, rowHeight: 34, scrollTop, viewHeight });
        const { from, to } = rowWindow(rows, 34, top, viewHeight);
        expect(row).toBeGreaterThanOrEqual(from);
        expect(row).toBeLessThan(to);
      },
    ),
    { seed: 7, numRuns: 300 },
  );
});
