import { describe, expect, test } from 'vitest';

import { EXACT, endsOf, moveNumber, NearPlaces, UNMATCHED } from '../../../src/audit/checks/content/near-places.ts';
import { otherUnit } from '../../../src/audit/checks/content/other-unit.ts';

type Place = readonly [start: number, end: number];

function nearOf(gold: readonly Place[], predicted: readonly Place[]): NearPlaces {
  const near = new NearPlaces();
  for (const place of gold) near.addGold(...place);
  for (const place of predicted) near.addPredicted(...place);
  near.pair();
  return near;
}

describe('places that are near each other', () => {
  test('have a number for how far both ends are apart', () => {
    for (const [start, end] of [
      [0, 0],
      [1, 1],
      [-5, 5],
      [0, -1],
    ] as const)
      expect(endsOf(moveNumber(start, end))).toEqual({ start, end });
  });

  test('are the closest that overlap, each prediction for itself', () => {
    const near = nearOf(
      [
        [0, 4],
        [10, 20],
        [12, 20],
        [30, 31],
      ],
      [
        [0, 4],
        [0, 4],
        [11, 20],
        [31, 32],
        [60, 70],
      ],
    );
    const moves = Array.from({ length: near.predictions }, (_, at) => near.moveAt(at));
    // The copy is no further one; a span of one character beside gold has nothing in common with it.
    expect(moves).toEqual([EXACT, -2, moveNumber(1, 0), UNMATCHED, UNMATCHED]);
    expect(near.goldAt(2)).toEqual({ start: 10, end: 20 });
  });

  test('are found in the next case as in the first', () => {
    const near = nearOf([[0, 4]], [[1, 5]]);
    near.clear();
    near.addGold(0, 9);
    near.addPredicted(0, 9);
    expect([near.pair(), near.moveAt(0)]).toEqual([1, EXACT]);
  });
});

describe('another unit', () => {
  const TEXT = 'Ann had 🍵 with Bert in Łódź.';
  const units = { gold: 'utf16', predicted: 'utf16' } as const;

  test('puts what stands behind such a character in the place of gold', () => {
    // Bert: at 16 in UTF-16 units, at 15 in code points, at 18 in bytes.
    const gold: Place[] = [
      [0, 3],
      [16, 20],
    ];
    const codePoints = otherUnit(
      TEXT,
      units,
      nearOf(gold, [
        [0, 3],
        [15, 19],
      ]),
    );
    expect(codePoints).toMatchObject({ side: 'predicted', unit: 'codepoint', places: [1] });
    const bytes = otherUnit(
      TEXT,
      units,
      nearOf(gold, [
        [0, 3],
        [18, 22],
      ]),
    );
    expect(bytes).toMatchObject({ side: 'predicted', unit: 'byte', places: [1] });
  });

  test('of gold is that of gold', () => {
    const found = otherUnit(
      TEXT,
      units,
      nearOf(
        [
          [0, 3],
          [15, 19],
        ],
        [
          [0, 3],
          [16, 20],
        ],
      ),
    );
    expect(found?.when).toMatch(/^(gold offsets were characters|predicted offsets were)/);
  });

  test('is none where something behind it is in its place, or all characters count as one', () => {
    expect(
      otherUnit(
        TEXT,
        units,
        nearOf(
          [
            [16, 20],
            [24, 28],
          ],
          [
            [15, 19],
            [24, 28],
          ],
        ),
      ),
    ).toBeNull();
    expect(otherUnit('Ann met Bert.', units, nearOf([[8, 12]], [[7, 11]]))).toBeNull();
  });
});
