import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { laidText, lanesBefore, MOST_LANES, nextOutward, rowBelow } from '../../../../web/src/report/case/laid-text.ts';
import { lanesOf } from '../../../../web/src/report/case/laid-text.ts';
import type { Mark } from '../../../../web/src/report/case/marks.ts';

function mark(id: string, start: number, end: number, row = 0, label = 'X'): Mark {
  return { id, selects: id, keys: [id], piece: 0, row, start, end, label, verdicts: ['hit'], name: id };
}

describe('lanes', () => {
  it('put what lies inside another nearer to the text', () => {
    const outer = { start: 0, end: 9, room: 9 };
    const inner = { start: 2, end: 4, room: 4 };
    expect(lanesOf([outer, inner], 6)).toEqual([1, 0]);
  });

  it('share a lane where they only touch, but not where the name of one needs the room', () => {
    expect(
      lanesOf(
        [
          { start: 0, end: 3, room: 3 },
          { start: 3, end: 6, room: 6 },
        ],
        6,
      ),
    ).toEqual([0, 0]);
    expect(
      lanesOf(
        [
          { start: 0, end: 3, room: 5 },
          { start: 3, end: 6, room: 6 },
        ],
        6,
      ),
    ).toEqual([0, 1]);
  });

  it('run out at the given number', () => {
    const same = { start: 0, end: 5, room: 5 };
    expect(lanesOf([same, same, same], 2)).toEqual([0, 1, null]);
  });

  it('never hold two that overlap', () => {
    const stretch = fc
      .tuple(fc.nat(200), fc.integer({ min: 1, max: 40 }))
      .map(([start, length]) => ({ start, end: start + length, room: start + length }));
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 60 }), (stretches) => {
        const lanes = lanesOf(stretches, 60);
        const clashes = stretches.flatMap((a, at) =>
          stretches.filter(
            (b, other) => at < other && lanes[at] === lanes[other] && a.start < b.end && b.start < a.end,
          ),
        );
        expect(clashes).toEqual([]);
      }),
    );
  });
});

describe('a laid text', () => {
  it('is cut where a mark begins or ends', () => {
    const [paragraph] = laidText('abcdefgh', [mark('a', 1, 5), mark('b', 3, 7, 1)], 2);
    expect(
      paragraph?.segments.map(({ start, end, cells }) => [start, end, cells.map(({ mark: { id } }) => id).join('')]),
    ).toEqual([
      [0, 1, ''],
      [1, 3, 'a'],
      [3, 5, 'ab'],
      [5, 7, 'b'],
      [7, 8, ''],
    ]);
    expect(paragraph?.lanes).toEqual([1, 1]);
  });

  it('keeps every character of the text, whatever the marks', () => {
    const marks = fc
      .array(
        fc
          .tuple(fc.nat(40), fc.integer({ min: 1, max: 20 }), fc.nat(2))
          .map(([start, length, row]) => ({ start, length, row })),
        { maxLength: 30 },
      )
      .map((given) =>
        given
          .map(({ start, length, row }, at) => mark(String(at), start, Math.min(45, start + length), row))
          .sort((a, b) => a.start - b.start),
      );
    const text = 'one two\nthree four five\n\nsix seven eight nine';
    expect(text).toHaveLength(45);
    fc.assert(
      fc.property(marks, (given) => {
        const pieces = laidText(text, given, 3).flatMap(({ segments }) => segments);
        expect(pieces.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
      }),
    );
  });

  it('goes on with a mark in the next paragraph, without opening it again', () => {
    const [first, second] = laidText('ab\ncd', [mark('a', 1, 4)], 2);
    expect(first?.segments.at(-1)?.cells[0]).toMatchObject({ opens: true, closes: false });
    expect(second?.segments[0]?.cells[0]).toMatchObject({ opens: false, closes: true });
  });

  it('names a mark that begins with a space at the word after it', () => {
    // The prediction takes the space; gold begins with the word.
    const [paragraph] = laidText('is tin', [mark('p', 2, 6, 1), mark('g', 3, 6)], 2);
    const named = paragraph?.segments.map(({ start, named: here }) => [
      start,
      here.map(({ mark: { id } }) => id).join(''),
    ]);
    expect(named).toEqual([
      [0, ''],
      [2, ''],
      [3, 'pg'],
    ]);
  });

  it('counts what finds no lane', () => {
    const marks = Array.from({ length: MOST_LANES + 2 }, (_, at) => mark(String(at), 0, 5));
    const [paragraph] = laidText('abcdefgh', marks, 2);
    expect(paragraph?.segments[0]?.cells).toHaveLength(MOST_LANES);
    expect(paragraph?.segments[0]?.more.map(({ marks: lost }) => lost.length)).toEqual([2]);
    expect(paragraph?.lanes[0]).toBe(MOST_LANES + 1);
  });

  it('sets a very long line in pieces, and never through a pair of surrogates', () => {
    const paragraphs = laidText('\u{1f600}'.repeat(6001), [], 2);
    expect(paragraphs.length).toBeGreaterThan(1);
    expect(paragraphs.every(({ start }) => start % 2 === 0)).toBe(true);
    expect(paragraphs.at(-1)?.end).toBe(12_002);
  });

  it('keeps a lane for each of several runs where any has something', () => {
    expect(laidText('abc', [mark('a', 0, 3, 1)], 3)[0]?.lanes).toEqual([0, 1, 1]);
  });
});

describe('picking in a laid text', () => {
  const [paragraph] = laidText('abcdefgh', [mark('outer', 0, 8), mark('inner', 2, 5), mark('own', 2, 5, 1)], 2);
  const segment = paragraph?.segments.find(({ start }) => start === 2);

  it('begins with the innermost, gold first, and goes outward and round', () => {
    if (segment === undefined) throw new Error('there is a segment at 2');
    const ids = [null, 'inner', 'own', 'outer'].map((selected) => nextOutward(segment, selected)?.id);
    expect(ids).toEqual(['inner', 'own', 'outer', 'inner']);
  });

  it('finds the row of a lane below the text, and the other way round', () => {
    const lanes = [3, 2, 1];
    expect(rowBelow(lanes, 1)).toEqual({ row: 1, lane: 1 });
    expect(rowBelow(lanes, 2)).toEqual({ row: 2, lane: 0 });
    expect(rowBelow(lanes, 3)).toBeNull();
    expect(lanesBefore(lanes, 2, 0)).toBe(2);
    expect(lanesBefore(lanes, 0, 2)).toBe(2);
  });
});
