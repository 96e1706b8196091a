import { describe, expect, it } from 'vitest';

import { placeOfPart } from '../../src/review/place.ts';
import { partsOfList, proposedById, segmentsOf } from '../../src/review/segments.ts';
import type { ItemAnswer } from '../../src/store/review-records.ts';
import { claims } from './claim-set.ts';
import { claim } from './made-snapshot.ts';

const NONE = proposedById([]);
/** Segments in short: a thing of all as `0-10`, a stretch as `0-10~2/1` with how many each reviewer sees in it. */
const cut = (...lists: string[]): string[] => short(segmentsOf(lists.map(claims), NONE));
const short = (segments: ReturnType<typeof segmentsOf>): string[] =>
  segments.map(({ part, aligned, lists }) =>
    aligned ? part : `${part}~${lists.map((list: readonly ItemAnswer[]) => list.length).join('/')}`,
  );

describe('setting lists of things beside each other', () => {
  it('takes things at the same place for the same thing, whatever their labels and words', () => {
    const edited = [claim(0, 10, 'hallucinated', { id: 'other', text: 'in better words' })];
    expect(short(segmentsOf([claims('0-10 g'), edited], NONE))).toEqual(['0-10']);
    expect(cut('0-10 g, 11-20 p', '11-20 h, 0-10 g')).toEqual(['0-10', '11-20']);
  });

  it('makes one stretch of what one split and another kept whole, and leaves the neighbours alone', () => {
    expect(cut('0-20 g, 21-40 g', '0-20 g, 21-30 g, 31-40 h')).toEqual(['0-20', '21-40~1/2']);
    expect(cut('0-20 g, 20-40 g', '0-40 g')).toEqual(['0-40~2/1']);
    expect(cut('0-10 g, 10-20 g', '0-10 g, 10-20 g')).toEqual(['0-10', '10-20']);
  });

  it('follows overlaps from one to the next', () => {
    expect(cut('0-20 g, 20-40 g, 40-60 g', '0-30 g, 30-60 g')).toEqual(['0-60~3/2']);
  });

  it('shows what one removed or added as a stretch in which the other sees nothing', () => {
    expect(cut('0-10 g, 11-20 g', '0-10 g')).toEqual(['0-10', '11-20~1/0']);
    expect(cut('', '0-10 g')).toEqual(['0-10~0/1']);
  });

  it('keeps a span within another apart from it', () => {
    expect(cut('0-10 g, 2-5 h', '0-10 g, 2-5 h')).toEqual(['0-10', '2-5']);
    expect(cut('0-10 g, 2-5 h', '0-10 g')).toEqual(['0-10', '2-5~1/0']);
  });

  it('has two things of one person at one place as a stretch', () => {
    expect(cut('0-10 g, 0-10 h', '0-10 g')).toEqual(['0-10~2/1']);
  });

  it('needs all of three for a thing, and is about everything with one person or none', () => {
    expect(cut('0-10 g', '0-10 g', '')).toEqual(['0-10~1/1/0']);
    expect(cut('0-10 g, 11-20 h')).toEqual(['0-10', '11-20']);
    expect(segmentsOf([], NONE)).toEqual([]);
  });
});

describe('things without a place', () => {
  const proposed = proposedById(['p1', 'p2', 'p3'].map((id) => ({ id, start: -1, end: -1, text: id })));
  const thing = (id: string, from: string[] = [], text = id): ItemAnswer =>
    claim(-1, -1, 'grounded', { id, from, text });

  it('are known by the proposed things they were made of', () => {
    expect(
      short(
        segmentsOf(
          [
            [thing('p1'), thing('p2')],
            [thing('p1', ['p1']), thing('p2')],
          ],
          proposed,
        ),
      ),
    ).toEqual(['p1', 'p2']);
    const [merged] = segmentsOf([[thing('m', ['p1', 'p2'])], [thing('n', ['p2', 'p1'])]], proposed);
    expect(merged).toMatchObject({ part: 'p1+p2', aligned: true });
  });

  it('make one question of what was split or merged, by way of others too', () => {
    expect(short(segmentsOf([[thing('p1'), thing('p2')], [thing('m', ['p1', 'p2'])]], proposed))).toEqual([
      'p1+p2~2/1',
    ]);
    expect(
      short(
        segmentsOf(
          [
            [thing('a', ['p1', 'p2']), thing('p3')],
            [thing('p1'), thing('b', ['p2', 'p3'])],
          ],
          proposed,
        ),
      ),
    ).toEqual(['p1+p2+p3~2/2']);
    expect(short(segmentsOf([[thing('p1')], [thing('x', ['p1']), thing('y', ['p1'])]], proposed))).toEqual(['p1~1/2']);
  });

  it('that were added are the same by their words, not by ids that two programs happen to share', () => {
    const [one, two] = segmentsOf([[thing('new1', [], 'ghee')], [thing('new1', [], 'milk')]], proposed);
    expect([one?.aligned, two?.aligned]).toEqual([false, false]);
    expect(segmentsOf([[thing('new1', [], 'ghee')], [thing('new7', [], 'ghee ')]], proposed)).toMatchObject([
      { aligned: true },
    ]);
  });

  it('take the place of what was proposed where that has one', () => {
    const placed = proposedById([
      { id: 's1', start: 0, end: 10, text: 'One.' },
      { id: 's2', start: 11, end: 20, text: 'Two.' },
    ]);
    const sheet = [thing('s1', ['s1'], 'One, mended.'), thing('s2')];
    expect(short(segmentsOf([claims('0-10 g, 11-20 g'), sheet], placed))).toEqual(['0-10', '11-20']);
    expect(partsOfList([thing('s1'), thing('x', ['s1']), thing('m', ['s1', 's2'])], placed)).toEqual([
      '0-10',
      '0-10#2',
      '0-20',
    ]);
  });
});

it('reads a place from a part', () => {
  expect(placeOfPart('12-40')).toEqual({ start: 12, end: 40 });
  expect(placeOfPart('12-40#2')).toEqual({ start: 12, end: 40 });
  for (const part of ['p1', '12-', '-1--1', '1-2-3', null]) expect(placeOfPart(part)).toBeNull();
});
