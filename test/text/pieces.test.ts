import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  areNear,
  byPieces,
  haveSamePieces,
  isPlaceInside,
  offsetsText,
  placeIou,
  placeKey,
  placeOfKey,
  placeOfPieces,
  placeOverlap,
  type PiecedSpan,
  placeShareInside,
  stretchesOf,
  textAt,
  unionOf,
} from '../../src/text/pieces.ts';
import { iou, isContained, overlapLength, shareInside } from '../../src/text/span.ts';
import { runs } from './arbitraries.ts';

const piece = fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 6 })).map(([start, length]) => ({
  start,
  end: start + length,
}));
const inPieces = fc.array(piece, { minLength: 1, maxLength: 4 }).map((fragments): PiecedSpan => {
  const [start, end] = [Math.min(...fragments.map((one) => one.start)), Math.max(...fragments.map((one) => one.end))];
  return { start, end, fragments };
});
const anyPlace: fc.Arbitrary<PiecedSpan> = fc.oneof(piece, inPieces);
const anyTolerance = fc.nat(3);

function characters(place: PiecedSpan): Set<number> {
  const set = new Set<number>();
  for (const { start, end } of place.fragments ?? [place]) for (let at = start; at < end; at += 1) set.add(at);
  return set;
}

function distance(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let least = Infinity;
  for (const one of a) for (const other of b) least = Math.min(least, Math.abs(one - other));
  return least;
}

describe('places in pieces', () => {
  test('are compared as the sets of their characters', () => {
    fc.assert(
      fc.property(anyPlace, anyPlace, anyTolerance, (a, b, tolerance) => {
        const [first, second] = [characters(a), characters(b)];
        const common = first.intersection(second).size;
        expect(placeOverlap(a, b)).toBe(common);
        expect(placeIou(a, b)).toBe(common / first.union(second).size);
        expect(placeShareInside(a, b)).toBe(common / first.size);
        expect(haveSamePieces(a, b)).toBe(placeIou(a, b) === 1);
        expect(placeKey(a) === placeKey(b)).toBe(haveSamePieces(a, b));
        expect(isPlaceInside(a, b, tolerance)).toBe(
          [...first].every((at) => distance(new Set([at]), second) <= tolerance),
        );
        // A gap of none is a distance of 1.
        expect(areNear(a, b, 0)).toBe(common > 0);
        expect(areNear(a, b, tolerance + 1)).toBe(distance(first, second) <= tolerance + 2);
      }),
      runs,
    );
  });

  test('in one piece are compared as spans always were', () => {
    fc.assert(
      fc.property(piece, piece, anyTolerance, (a, b, tolerance) => {
        const numbers = [a.start, a.end, b.start, b.end] as const;
        expect(placeOverlap(a, b)).toBe(overlapLength(...numbers));
        expect(placeIou(a, b, tolerance)).toBe(iou(...numbers, tolerance));
        expect(isPlaceInside(a, b, tolerance)).toBe(isContained(...numbers, tolerance));
        expect(placeShareInside(a, b)).toBe(shareInside(...numbers));
        const [one, other] = [a, b].map((own) => ({ ...own, fragments: [own] }));
        expect(placeIou(one!, other!, tolerance)).toBe(iou(...numbers, tolerance));
        expect(haveSamePieces(one!, b, tolerance)).toBe(haveSamePieces(a, b, tolerance));
      }),
      runs,
    );
  });

  test('have one key, one order and one text, however the pieces are written', () => {
    const place = { start: 0, end: 9, fragments: [{ start: 6, end: 9 }, { start: 0, end: 2 }, { start: 2, end: 4 }] }; // prettier-ignore
    const plain = placeOfPieces(place.fragments)!;
    expect(plain).toEqual({ start: 0, end: 9, fragments: [{ start: 0, end: 4 }, { start: 6, end: 9 }] }); // prettier-ignore
    expect(placeOfKey(placeKey(place))).toEqual(plain);
    expect(byPieces(place, plain)).toBe(0);
    expect(textAt('left|right', place)).toBe('left igh');
    expect(offsetsText(place)).toBe('0–4 + 6–9');
    expect(placeOfPieces([{ start: 3, end: 3 }])).toBe(null);
    expect(placeOfPieces([{ start: 3, end: 5 }, { start: 5, end: 6 }])).toEqual({ start: 3, end: 6 }); // prettier-ignore
  });

  test('are in an order of their own', () => {
    fc.assert(
      fc.property(fc.array(anyPlace, { maxLength: 6 }), (places) => {
        const sorted = places.toSorted(byPieces).map(placeKey);
        expect(places.toReversed().toSorted(byPieces).map(placeKey)).toEqual(sorted);
      }),
      runs,
    );
  });

  test('a tolerance holds for each boundary of pieces that are as many, and for none of others', () => {
    const [gold, off, three] = ['0-4 10-14', '1-4 10-15', '1-4 6-7 10-14'].map((written) => {
      const fragments = written.split(' ').map((one) => {
        const [start = 0, end = 0] = one.split('-').map(Number);
        return { start, end };
      });
      return { start: fragments[0]!.start, end: fragments.at(-1)!.end, fragments };
    });
    expect(placeIou(gold!, off!, 1)).toBe(1);
    expect(haveSamePieces(gold!, off!, 1)).toBe(true);
    expect(placeIou(gold!, off!)).toBe(7 / 9);
    expect(placeIou(gold!, three!, 1)).toBe(7 / 9);
    expect(haveSamePieces(gold!, three!, 9)).toBe(false);
  });
});

test('unionOf joins what overlaps or touches', () => {
  const union = unionOf([
    { start: 5, end: 9 },
    { start: 0, end: 3 },
    { start: 3, end: 4 },
    { start: 6, end: 7 },
    { start: 2, end: 2 },
  ]);
  expect(union).toEqual([
    { start: 0, end: 4 },
    { start: 5, end: 9 },
  ]);
  expect(stretchesOf({ start: 0, end: 9, fragments: union })).toBe(union);
});
