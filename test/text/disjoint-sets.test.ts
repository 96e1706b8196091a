import { expect, test } from 'vitest';

import { DisjointSets } from '../../src/text/disjoint-sets.ts';

test('what is joined, also in a roundabout way, has one root: that of the first', () => {
  const sets = new DisjointSets();
  sets.join(1, 2);
  sets.join(3, 4);
  sets.join(2, 4);
  expect([1, 2, 3, 4, 5].map((one) => sets.rootOf(one))).toEqual([1, 1, 1, 1, 5]);
});

test('to join a set with itself changes nothing', () => {
  const sets = new DisjointSets();
  sets.join(1, 2);
  sets.join(2, 1);
  sets.join(1, 1);
  expect([sets.rootOf(1), sets.rootOf(2)]).toEqual([1, 1]);
});
