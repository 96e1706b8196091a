import { expect, test } from 'vitest';

import { LargestByStep, SIZE_STEPS, SizeCounts, sizeStep } from '../../src/audit/size-counts.ts';
import { StateMismatch } from '../../src/data/fold-state.ts';

test('steps grow with the size, and the largest has all that is beyond', () => {
  expect([0, 63, 64, 2 ** 31, Infinity].map(sizeStep)).toEqual([0, 7, 8, 200, SIZE_STEPS - 1]);
  for (let size = 1; size < 10_000; size += 1) expect(sizeStep(size)).toBeGreaterThanOrEqual(sizeStep(size - 1));
});

test('counts and largest sizes of parts add up', () => {
  const [one, other] = [new SizeCounts(), new SizeCounts()];
  for (const size of [1, 100, 5000]) one.add(size);
  other.add(100);
  one.merge(other.save());
  expect([one.between(0), one.between(0, sizeStep(5000)), one.between(sizeStep(100))]).toEqual([4, 3, 3]);
  const [first, second] = [new LargestByStep(), new LargestByStep()];
  first.add(3, 70);
  second.add(3, 90);
  second.add(9, 500);
  first.merge(second.save());
  expect([first.before(3), first.before(4), first.before(SIZE_STEPS)]).toEqual([0, 90, 500]);
  expect(() => one.merge([1])).toThrow(StateMismatch);
});
