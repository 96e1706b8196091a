import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assign, type Assign, assigners } from '../../src/pair/assign.ts';
import type { Edge } from '../../src/pair/edge.ts';

const names = ['greedy', 'in-order', 'optimal', 'every'] as const satisfies readonly Assign[];
const oneToOne = ['greedy', 'in-order', 'optimal'] as const satisfies readonly Assign[];

const position = fc.nat({ max: 7 });
const anEdge = fc.record({
  gold: position,
  predicted: position,
  // Few values, so that ties are common.
  similarity: fc.oneof(
    fc.nat({ max: 6 }).map((n) => n / 6),
    fc.double({ min: 0, max: 1, noNaN: true }),
  ),
  preference: fc.nat({ max: 3 }),
});
const someEdges = fc.array(anEdge, { maxLength: 30 });
const optionsOf = fc.record({ firstOfKind: fc.boolean() });

/** The number of pairs first, then the similarity: one pair more outweighs what all of them can be like. */
function total(edges: readonly Edge[]): number {
  return edges.reduce((sum, { similarity }) => sum + 100 + similarity, 0);
}

describe('assign', () => {
  const edges: readonly Edge[] = [
    { gold: 0, predicted: 0, similarity: 0.6, preference: 0 },
    { gold: 0, predicted: 1, similarity: 0.5, preference: 0 },
    { gold: 1, predicted: 0, similarity: 0.5, preference: 0 },
  ];

  test.each([
    ['greedy', '0-0'],
    ['in-order', '0-0'],
    ['optimal', '0-1 1-0'],
    ['every', '0-0 1-0'],
  ] as const)('%s pairs the same edges as %s', (name, expected) => {
    expect(
      assign(name, edges)
        .map(({ gold, predicted }) => `${gold}-${predicted}`)
        .join(' '),
    ).toBe(expected);
  });

  test('hands the options on', () => {
    const rivals: readonly Edge[] = [
      { gold: 0, predicted: 0, similarity: 0.5, preference: 0 },
      { gold: 0, predicted: 1, similarity: 0.9, preference: 0 },
    ];
    expect(assign('in-order', rivals)).toEqual([rivals[1]]);
    expect(assign('in-order', rivals, { firstOfKind: true })).toEqual([rivals[0]]);
  });

  test('the registry holds each algorithm under its name', () => {
    expect(Object.keys(assigners).sort()).toEqual([...names].sort());
  });
});

describe.each(names)('every way to assign: %s', (name) => {
  test('chooses each gold at most once, in gold order', () => {
    fc.assert(
      fc.property(someEdges, optionsOf, (given, options) => {
        const golds = assign(name, given, options).map(({ gold }) => gold);
        expect(golds).toEqual([...new Set(golds)].sort((a, b) => a - b));
      }),
      { seed: 11, numRuns: 1000 },
    );
  });

  test('gives the same answer whatever the order of the edges', () => {
    const shuffled = someEdges.chain((given) =>
      fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })),
    );
    fc.assert(
      fc.property(shuffled, optionsOf, ([given, mixed], options) => {
        expect(assign(name, mixed, options)).toEqual(assign(name, given, options));
      }),
      { seed: 12, numRuns: 1000 },
    );
  });

  test('returns the very edges it was given and leaves the array alone', () => {
    fc.assert(
      fc.property(someEdges, optionsOf, (given, options) => {
        const before = [...given];
        const frozen = Object.freeze(given.map((edge, id) => Object.freeze({ ...edge, id })));
        for (const chosen of assign(name, frozen, options)) expect(frozen[chosen.id]).toBe(chosen);
        assign(name, given, options);
        expect(given).toEqual(before);
      }),
      { seed: 13, numRuns: 1000 },
    );
  });

  test('does not let one group of items influence another that has no edge to it', () => {
    fc.assert(
      fc.property(someEdges, someEdges, optionsOf, (near, far, options) => {
        const moved = far.map((edge) => ({ ...edge, gold: edge.gold + 8, predicted: edge.predicted + 8 }));
        const apart = [...assign(name, near, options), ...assign(name, moved, options)];
        expect(assign(name, [...moved, ...near], options)).toEqual(apart);
      }),
      { seed: 14, numRuns: 1000 },
    );
  });
});

test.each(oneToOne)('%s chooses each predicted at most once', (name) => {
  fc.assert(
    fc.property(someEdges, optionsOf, (given, options) => {
      const predicteds = assign(name, given, options).map(({ predicted }) => predicted);
      expect(new Set(predicteds).size).toBe(predicteds.length);
    }),
    { seed: 15, numRuns: 1000 },
  );
});

test.each(['greedy', 'in-order'] as const)(
  'optimal has the pairs of %s or more; with as many, its similarity',
  (name) => {
    fc.assert(
      fc.property(someEdges, optionsOf, (given, options) => {
        expect(total(assign('optimal', given))).toBeGreaterThanOrEqual(total(assign(name, given, options)) - 1e-9);
      }),
      { seed: 16, numRuns: 1000 },
    );
  },
);

test('where no item has a rival all ways choose every edge', () => {
  const apart = fc
    .uniqueArray(anEdge, { selector: ({ gold }) => gold })
    .map((edges) => edges.map((edge) => ({ ...edge, predicted: 7 - edge.gold })));
  fc.assert(
    fc.property(apart, optionsOf, (given, options) => {
      const all = given.toSorted((a, b) => a.gold - b.gold);
      for (const name of names) expect(assign(name, given, options)).toEqual(all);
    }),
    { seed: 17, numRuns: 1000 },
  );
});
