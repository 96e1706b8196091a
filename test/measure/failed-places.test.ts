import { expect, it } from 'vitest';

import { StateMismatch } from '../../src/data/fold-state.ts';
import { FailedPlaces } from '../../src/measure/failed-places.ts';

it('places of a part come after those of the cases before it', () => {
  const [first, second] = [new FailedPlaces(() => 10), new FailedPlaces(() => 0)];
  first.empty.add(3);
  second.empty.add(0);
  second.leftOut.add(4);
  first.merge(structuredClone(second.save()));
  expect([...first.empty]).toEqual([3, 10]);
  expect([...first.leftOut]).toEqual([14]);
  expect(() => first.merge([3])).toThrow(StateMismatch);
});
