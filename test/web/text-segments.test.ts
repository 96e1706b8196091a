import fc from 'fast-check';
import { expect, test } from 'vitest';

import { segmentsOf } from '../../web/src/text-segments.ts';

test('a text without spans is one segment', () => {
  expect(segmentsOf(5, [])).toEqual([{ start: 0, end: 5, spans: [], lanes: [] }]);
});

test('a nested span lies in a lane of its own, below the longer one', () => {
  const spans = [
    { id: 'inner', start: 2, end: 4 },
    { id: 'outer', start: 0, end: 6 },
  ];
  expect(segmentsOf(6, spans)).toEqual([
    { start: 0, end: 2, spans: ['outer'], lanes: [0] },
    { start: 2, end: 4, spans: ['outer', 'inner'], lanes: [0, 1] },
    { start: 4, end: 6, spans: ['outer'], lanes: [0] },
  ]);
});

test('spans that cross are told apart, and a lane is used again further on', () => {
  const segments = segmentsOf(12, [
    { id: 'a', start: 0, end: 4 },
    { id: 'b', start: 3, end: 7 },
    { id: 'c', start: 8, end: 12 },
  ]);
  expect(segments.map(({ start, end, spans, lanes }) => [start, end, spans.join('+'), ...lanes])).toEqual([
    [0, 3, 'a', 0],
    [3, 4, 'a+b', 0, 1],
    [4, 7, 'b', 1],
    [7, 8, ''],
    [8, 12, 'c', 0],
  ]);
});

test('places beyond the text are cut off and empty spans left out', () => {
  const segments = segmentsOf(3, [
    { id: 'far', start: 2, end: 99 },
    { id: 'none', start: 1, end: 1 },
    { id: 'before', start: -1, end: -1 },
  ]);
  expect(segments.map(({ start, end, spans }) => [start, end, spans.join()])).toEqual([
    [0, 2, ''],
    [2, 3, 'far'],
  ]);
});

test('whatever the spans, the segments are the text, once and in order', () => {
  const span = fc.record({
    id: fc.uuid(),
    start: fc.integer({ min: -2, max: 30 }),
    end: fc.integer({ min: -2, max: 30 }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 25 }), fc.array(span, { maxLength: 8 }), (length, spans) => {
      const segments = segmentsOf(length, spans);
      expect(segments[0]?.start).toBe(0);
      expect(segments.at(-1)?.end).toBe(length);
      segments.slice(1).forEach(({ start }, index) => expect(start).toBe(segments[index]?.end));
      for (const { lanes } of segments) expect(new Set(lanes).size).toBe(lanes.length);
    }),
    { seed: 6 },
  );
});
