import { expect, it } from 'vitest';

import { moverLimits, type Term } from '../../src/stats/mover.ts';

const term = (weight: number, value: number, low: number, high: number, shifts: readonly number[]): Term => ({
  weight,
  estimate: { value, shifts: Float64Array.from(shifts) },
  limits: [low, high],
});
const close = (low: number, high: number): unknown[] => [expect.closeTo(low, 12), expect.closeTo(high, 12)];

it('terms that no unit moves together reach as far as the root of their squares', () => {
  const halves = [term(0.5, 0.8, 0.7, 0.87, [0.1, -0.1, 0]), term(0.5, 1, 0.6, 1, [0, 0, 0])];
  expect(moverLimits(halves, 1.96, [0, 1])).toEqual(close(0.9 - Math.sqrt(0.05 ** 2 + 0.2 ** 2), 0.935));
});

it('terms that the same units move alike reach as far as both, and as their difference if moved against each other', () => {
  const moved = [0.2, -0.1, -0.1];
  const one = term(0.5, 0.6, 0.4, 0.7, moved);
  expect(moverLimits([one, term(0.5, 0.6, 0.5, 0.8, moved)], 1.96, [0, 1])).toEqual(close(0.6 - 0.15, 0.6 + 0.15));
  const against = term(
    0.5,
    0.6,
    0.5,
    0.8,
    moved.map((shift) => -shift),
  );
  expect(moverLimits([one, against], 1.96, [0, 1])).toEqual(close(0.6 - 0.05, 0.6 + 0.05));
});

it('a negative weight takes the other end: of a difference with one value that both systems share, nothing is left', () => {
  const moved = [0.2, -0.1, -0.1];
  expect(moverLimits([term(-1, 0.6, 0.5, 0.7, moved), term(1, 0.6, 0.5, 0.7, moved)], 1.96, [-1, 1])).toEqual(
    close(0, 0),
  );
  // Down: 0.9 - 0.8 = 0.1 and 0.7 - 0.6 = 0.1; up: 0.05 and 0.2.
  expect(moverLimits([term(-1, 0.6, 0.4, 0.7, [1, -1, 0]), term(1, 0.9, 0.8, 0.95, [0, 0, 0])], 1.96, [-1, 1])).toEqual(
    close(0.3 - Math.sqrt(0.02), 0.3 + Math.sqrt(0.05 ** 2 + 0.2 ** 2)),
  );
});

it('many terms that share the width reach evenly, by the larger of their error and their widths, within the range', () => {
  // Eight terms: each reaches 0.4 down and 0.1 up, 0.25 evenly; 2/8 of the square is the former, 6/8 the latter.
  const apart = Array.from({ length: 8 }, () => term(1 / 8, 0.9, 0.5, 1, [0, 0]));
  const reach = (side: number): number => Math.sqrt((2 / 8) * (side ** 2 / 8) + (6 / 8) * (0.25 ** 2 / 8));
  expect(moverLimits(apart, 1.96, [0, 1])).toEqual(close(0.9 - reach(0.4), 0.9 + reach(0.1)));
  expect(moverLimits(apart, 1.96, [0, 0.95])[1]).toBe(0.95);
  // Alike, they reach as far as one of them; the error, √(1/2) · √0.02 · 1.96 = 0.196, is less than the half width.
  const alike = Array.from({ length: 8 }, () => term(1 / 8, 0.9, 0.5, 1, [0.1, -0.1]));
  const together = (side: number, even: number): number => Math.sqrt((2 / 8) * side ** 2 + (6 / 8) * even ** 2);
  expect(moverLimits(alike, 1.96, [0, null])).toEqual(close(0.9 - together(0.4, 0.25), 0.9 + together(0.1, 0.25)));
  expect(moverLimits(alike, 3, [0, null])).toEqual(close(0.9 - together(0.4, 0.3), 0.9 + together(0.1, 0.3)));
});
