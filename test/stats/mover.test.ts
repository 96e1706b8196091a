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
  expect(moverLimits(halves)).toEqual(close(0.9 - Math.sqrt(0.05 ** 2 + 0.2 ** 2), 0.935));
});

it('terms that the same units move alike reach as far as both, and as their difference if moved against each other', () => {
  const moved = [0.2, -0.1, -0.1];
  const one = term(0.5, 0.6, 0.4, 0.7, moved);
  expect(moverLimits([one, term(0.5, 0.6, 0.5, 0.8, moved)])).toEqual(close(0.6 - 0.15, 0.6 + 0.15));
  const against = term(
    0.5,
    0.6,
    0.5,
    0.8,
    moved.map((shift) => -shift),
  );
  expect(moverLimits([one, against])).toEqual(close(0.6 - 0.05, 0.6 + 0.05));
});

it('a negative weight takes the other end: of a difference with one value that both systems share, nothing is left', () => {
  const moved = [0.2, -0.1, -0.1];
  expect(moverLimits([term(-1, 0.6, 0.5, 0.7, moved), term(1, 0.6, 0.5, 0.7, moved)])).toEqual(close(0, 0));
  // Down: 0.9 - 0.8 = 0.1 and 0.7 - 0.6 = 0.1; up: 0.05 and 0.2.
  expect(moverLimits([term(-1, 0.6, 0.4, 0.7, [1, -1, 0]), term(1, 0.9, 0.8, 0.95, [0, 0, 0])])).toEqual(
    close(0.3 - Math.sqrt(0.02), 0.3 + Math.sqrt(0.05 ** 2 + 0.2 ** 2)),
  );
});
