import { describe, expect, test } from 'vitest';

import { alignLists, everyTwo } from '../../src/stats/aligned-lists.ts';

describe('several lists beside each other', () => {
  const entries = [0, 0, 1, 1, 2].map((list) => ({ list }));

  test('entries that are linked, also by way of others, are one thing; things come by their first entries', () => {
    const links: [number, number][] = [
      [3, 1],
      [4, 3],
    ];
    expect(alignLists(entries, links)).toEqual([[0], [1, 3, 4], [2]]);
  });

  test('a list has one entry of a thing at most where that is asked for: the first links count', () => {
    const links: [number, number][] = [
      [1, 2],
      [2, 4],
      [0, 4],
      [0, 3],
    ];
    expect(alignLists(entries, links)).toEqual([[0, 1, 2, 3, 4]]);
    expect(alignLists(entries, links, { onePerList: true })).toEqual([
      [0, 3],
      [1, 2, 4],
    ]);
  });
});

test('every two of some lists are those of a round robin', () => {
  expect(everyTwo(3)).toEqual([
    [0, 1],
    [0, 2],
    [1, 2],
  ]);
  expect([everyTwo(0), everyTwo(1)]).toEqual([[], []]);
});
