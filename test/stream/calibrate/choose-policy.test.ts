import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { choosePolicy, dominates, paretoFront } from '../../../src/stream/calibrate/choose-policy.ts';
import { runsHere } from '../../many-runs.ts';

const points = fc.array(fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 3, maxLength: 3 }), {
  minLength: 1,
  maxLength: 30,
});
const pointsOf = (...written: readonly string[]): number[][] => written.map((point) => point.split(' ').map(Number));
const runs = { seed: 20261, numRuns: runsHere(500) };

describe('the front', () => {
  test('of five points by hand: what is as good in all and better in one beats; equal points both stay', () => {
    expect(paretoFront(pointsOf('1 5', '2 2', '5 1', '2 3', '2 2'))).toEqual([0, 1, 2, 4]);
    expect(dominates([2, 2], [2, 2])).toBe(false);
  });

  test('holds no point that another beats, and every other point is beaten by one of the front', () => {
    fc.assert(
      fc.property(points, (all) => {
        const front = new Set(paretoFront(all));
        for (const [at, point] of all.entries())
          expect([...front].some((other) => dominates(all[other]!, point))).toBe(!front.has(at));
      }),
      runs,
    );
  });

  test('does not depend on the order of the points', () => {
    fc.assert(
      fc.property(points, (all) => {
        const shown = (list: number[][]): string[] =>
          paretoFront(list)
            .map((at) => list[at]!.join())
            .sort();
        expect(shown(all.toReversed())).toEqual(shown(all));
      }),
      runs,
    );
  });
});

describe('the choice', () => {
  test('is the point closest to the ideal corner: of four, smallest to largest is the scale', () => {
    const { chosen, distances, ranges } = choosePolicy(pointsOf('0 10', '5 5', '10 0', '2 2'), [0, 0]);
    expect(chosen).toBe(3);
    // √(1/2): best in one objective, worst in the other.
    for (const [at, distance] of [Math.SQRT1_2, 0.5, Math.SQRT1_2, 0.2].entries())
      expect(distances[at]).toBeCloseTo(distance, 12);
    expect(ranges[0]).toEqual({ low: 0, high: 10, by: 'smallest to largest', used: true });
  });

  test('from five points on the scale runs from the p05 to the p95, and what lies beyond is cut off', () => {
    // 0 to 20: p05 1, p95 19; the second objective the other way round.
    const line = Array.from({ length: 21 }, (_, at) => [at, 20 - at]);
    const { distances, ranges, chosen } = choosePolicy(line, [0, 0]);
    expect(ranges[0]).toEqual({ low: 1, high: 19, by: 'p05 to p95', used: true });
    expect(distances[0]).toBe(distances[1]);
    expect(chosen).toBe(10);
    expect(distances[10]).toBe(0.5);
  });

  test('between equally near points the first objective decides, then the order', () => {
    expect(choosePolicy(pointsOf('10 0', '0 10'), [0, 0]).chosen).toBe(1);
    expect(choosePolicy(pointsOf('3 3', '3 3'), [0, 0]).chosen).toBe(0);
  });

  test('an objective in which the points hardly differ has no say', () => {
    const all = pointsOf('1 5', '1.5 3');
    expect(choosePolicy(all, [0, 0]).chosen).toBe(0);
    const { chosen, ranges } = choosePolicy(all, [2, 1]);
    expect([chosen, ...ranges.map(({ used }) => used)]).toEqual([1, false, true]);
  });

  test('where no objective has a say, the first objective decides', () => {
    expect(choosePolicy(pointsOf('4 1', '3 9'), [100, 100])).toMatchObject({ chosen: 1 });
  });

  test('is always on the front', () => {
    fc.assert(
      fc.property(points, fc.constantFrom([0, 0, 0], [3, 0, 9]), (all, least) => {
        expect(paretoFront(all)).toContain(choosePolicy(all, least).chosen);
      }),
      runs,
    );
  });
});
