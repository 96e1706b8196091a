import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assign, type Assign } from '../../src/pair/assign.ts';
import type { Edge } from '../../src/pair/pairing.ts';
import { runsHere } from '../many-runs.ts';

const names = ['greedy', 'in-order', 'optimal', 'every'] as const satisfies readonly Assign[];
const oneToOne = ['greedy', 'in-order', 'optimal'] as const satisfies readonly Assign[];

const edgePosition = fc.nat({ max: 7 });
const anEdge = fc.record({
  gold: edgePosition,
  predicted: edgePosition,
  // Few values, so that ties are common.
  similarity: fc.oneof(
    fc.nat({ max: 6 }).map((n) => n / 6),
    fc.double({ min: 0, max: 1, noNaN: true }),
  ),
  preference: fc.nat({ max: 3 }),
});
const someEdges = fc.array(anEdge, { maxLength: 30 });
const optionsOf = fc.record({ firstOfKind: fc.boolean() });

function edge(gold: number, predicted: number, similarity: number, preference = 0): Edge {
  return { gold, predicted, similarity, preference };
}

function pairs(edges: readonly Edge[]): string {
  return edges.map(({ gold, predicted }) => `${gold}-${predicted}`).join(' ');
}

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
});

describe.each(names)('every way to assign: %s', (name) => {
  test('chooses each gold at most once, in gold order', () => {
    fc.assert(
      fc.property(someEdges, optionsOf, (given, options) => {
        const golds = assign(name, given, options).map(({ gold }) => gold);
        expect(golds).toEqual([...new Set(golds)].sort((a, b) => a - b));
      }),
      { seed: 11, numRuns: runsHere(1000) },
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
      { seed: 12, numRuns: runsHere(1000) },
    );
  });

  test('returns the very edges it was given and leaves the array alone', () => {
    fc.assert(
      fc.property(someEdges, optionsOf, (given, options) => {
        const before = [...given];
        const frozen = Object.freeze(given.map((own, id) => Object.freeze({ ...own, id })));
        for (const chosen of assign(name, frozen, options)) expect(frozen[chosen.id]).toBe(chosen);
        assign(name, given, options);
        expect(given).toEqual(before);
      }),
      { seed: 13, numRuns: runsHere(1000) },
    );
  });

  test('does not let one group of items influence another that has no edge to it', () => {
    fc.assert(
      fc.property(someEdges, someEdges, optionsOf, (near, far, options) => {
        const moved = far.map((own) => ({ ...own, gold: own.gold + 8, predicted: own.predicted + 8 }));
        const apart = [...assign(name, near, options), ...assign(name, moved, options)];
        expect(assign(name, [...moved, ...near], options)).toEqual(apart);
      }),
      { seed: 14, numRuns: runsHere(1000) },
    );
  });
});

test.each(oneToOne)('%s chooses each predicted at most once', (name) => {
  fc.assert(
    fc.property(someEdges, optionsOf, (given, options) => {
      const predicteds = assign(name, given, options).map(({ predicted }) => predicted);
      expect(new Set(predicteds).size).toBe(predicteds.length);
    }),
    { seed: 15, numRuns: runsHere(1000) },
  );
});

test.each(['greedy', 'in-order'] as const)(
  'optimal has the pairs of %s or more; with as many, its similarity',
  (name) => {
    fc.assert(
      fc.property(someEdges, optionsOf, (given, options) => {
        expect(total(assign('optimal', given))).toBeGreaterThanOrEqual(total(assign(name, given, options)) - 1e-9);
      }),
      { seed: 16, numRuns: runsHere(1000) },
    );
  },
);

test('where no item has a rival all ways choose every edge', () => {
  const apart = fc
    .uniqueArray(anEdge, { selector: ({ gold }) => gold })
    .map((edges) => edges.map((own) => ({ ...own, predicted: 7 - own.gold })));
  fc.assert(
    fc.property(apart, optionsOf, (given, options) => {
      const all = given.toSorted((a, b) => a.gold - b.gold);
      for (const name of names) expect(assign(name, given, options)).toEqual(all);
    }),
    { seed: 17, numRuns: runsHere(1000) },
  );
});

describe('greedy', () => {
  test('chooses nothing where there is nothing', () => {
    expect(assign('greedy', [])).toEqual([]);
  });

  test('takes the most similar pair first, also when two others together were better', () => {
    expect(pairs(assign('greedy', [edge(0, 0, 0.6), edge(0, 1, 0.5), edge(1, 0, 0.5)]))).toBe('0-0');
  });

  test('goes along a chain from its strongest edge', () => {
    expect(pairs(assign('greedy', [edge(0, 0, 0.9), edge(0, 1, 0.8), edge(1, 1, 0.85), edge(1, 2, 0.7)]))).toBe(
      '0-0 1-1',
    );
    expect(pairs(assign('greedy', [edge(0, 0, 0.5), edge(0, 1, 0.9), edge(1, 1, 0.8), edge(1, 2, 0.6)]))).toBe(
      '0-1 1-2',
    );
  });

  test('takes a lower preference before a higher similarity', () => {
    expect(pairs(assign('greedy', [edge(0, 0, 1, 1), edge(0, 1, 0.5, 0)]))).toBe('0-1');
  });

  test('at equal similarity the lower gold comes first, then the lower predicted', () => {
    expect(pairs(assign('greedy', [edge(1, 0, 0.5), edge(0, 0, 0.5)]))).toBe('0-0');
    expect(pairs(assign('greedy', [edge(0, 1, 0.5), edge(0, 0, 0.5)]))).toBe('0-0');
    // Lower gold before lower predicted: 0-1 is ranked before 1-0, and both are then free to be taken.
    expect(pairs(assign('greedy', [edge(1, 0, 0.5), edge(1, 1, 0.5), edge(0, 1, 0.5)]))).toBe('0-1 1-0');
  });

  test('pairs with similarity 0 when nothing better is there', () => {
    expect(pairs(assign('greedy', [edge(0, 0, 0), edge(0, 1, 0)]))).toBe('0-0');
  });

  test('returns every edge, in gold order, when no two share an item', () => {
    expect(pairs(assign('greedy', [edge(7, 2, 0.5), edge(0, 9, 0.6), edge(3, 0, 0.9)]))).toBe('0-9 3-0 7-2');
  });

  test('takes one of two edges between the same items', () => {
    expect(assign('greedy', [edge(0, 0, 0.5), edge(0, 0, 0.7)])).toEqual([edge(0, 0, 0.7)]);
  });

  test('leaves no edge whose ends are both free', () => {
    const aPosition = fc.nat({ max: 6 });
    const similarity = fc.nat({ max: 4 }).map((n) => n / 4);
    const edges = fc.array(
      fc.record({ gold: aPosition, predicted: aPosition, similarity, preference: fc.nat({ max: 2 }) }),
    );
    fc.assert(
      fc.property(edges, (given) => {
        const chosen = assign('greedy', given);
        const golds = new Set(chosen.map(({ gold }) => gold));
        const predicteds = new Set(chosen.map(({ predicted }) => predicted));
        const open = given.filter(({ gold, predicted }) => !golds.has(gold) && !predicteds.has(predicted));
        expect(open).toEqual([]);
      }),
      { seed: 1, numRuns: runsHere(1000) },
    );
  });

  test('no edge is refused except for one that shares an item with it and is at least as good', () => {
    const aPosition = fc.nat({ max: 4 });
    const similarity = fc.nat({ max: 4 }).map((n) => n / 4);
    const edges = fc.array(
      fc.record({ gold: aPosition, predicted: aPosition, similarity, preference: fc.nat({ max: 2 }) }),
    );
    fc.assert(
      fc.property(edges, (given) => {
        const chosen = assign('greedy', given);
        for (const refused of given) {
          const rivals = chosen.filter((one) => one.gold === refused.gold || one.predicted === refused.predicted);
          const reason = rivals.some(
            (one) =>
              one.preference < refused.preference ||
              (one.preference === refused.preference && one.similarity >= refused.similarity),
          );
          expect(reason).toBe(true);
        }
      }),
      { seed: 2, numRuns: runsHere(1000) },
    );
  });
});

describe('in-order', () => {
  test('chooses nothing where there is nothing', () => {
    expect(assign('in-order', [])).toEqual([]);
  });

  test('an earlier gold takes what suits a later one better', () => {
    expect(pairs(assign('in-order', [edge(1, 0, 0.9), edge(0, 0, 0.6)]))).toBe('0-0');
  });

  test('a gold takes its best, and the next makes do with what is free', () => {
    const edges = [edge(0, 0, 0.6), edge(0, 1, 0.8), edge(1, 1, 0.9), edge(1, 2, 0.5), edge(2, 2, 1)];
    expect(pairs(assign('in-order', edges))).toBe('0-1 1-2');
  });

  test('takes a lower preference before a higher similarity, then the lower predicted', () => {
    expect(pairs(assign('in-order', [edge(0, 0, 1, 1), edge(0, 1, 0.5, 0)]))).toBe('0-1');
    expect(pairs(assign('in-order', [edge(0, 2, 0.5), edge(0, 1, 0.5)]))).toBe('0-1');
  });

  test('with firstOfKind takes the first predicted of the best kind, whatever its similarity', () => {
    const edges = [edge(0, 0, 1, 1), edge(0, 1, 0.85, 0), edge(0, 2, 0.95, 0)];
    expect(pairs(assign('in-order', edges))).toBe('0-2');
    expect(pairs(assign('in-order', edges, { firstOfKind: true }))).toBe('0-1');
    expect(pairs(assign('in-order', edges, { firstOfKind: false }))).toBe('0-2');
  });

  test('with firstOfKind a kind that is used up gives way to the next kind', () => {
    const edges = [edge(0, 0, 0.9, 0), edge(1, 0, 1, 0), edge(1, 2, 0.9, 1), edge(1, 1, 0.85, 1)];
    expect(pairs(assign('in-order', edges, { firstOfKind: true }))).toBe('0-0 1-1');
  });
});

describe('every', () => {
  test('chooses nothing where there is nothing', () => {
    expect(assign('every', [])).toEqual([]);
  });

  test('one predicted takes every gold it has an edge3 to', () => {
    expect(pairs(assign('every', [edge(2, 0, 0.5), edge(0, 0, 0.5), edge(1, 0, 0.9)]))).toBe('0-0 1-0 2-0');
  });

  test('an earlier predicted takes a gold that suits a later one better', () => {
    expect(pairs(assign('every', [edge(0, 1, 1), edge(0, 0, 0.5), edge(1, 1, 0.7)]))).toBe('0-0 1-1');
  });

  test('the preference does not change who comes first', () => {
    expect(pairs(assign('every', [edge(0, 1, 1, 0), edge(0, 0, 0.5, 2)]))).toBe('0-0');
  });

  test('a predicted whose gold items are all taken goes without', () => {
    expect(pairs(assign('every', [edge(0, 0, 0.6), edge(1, 0, 0.6), edge(0, 1, 1), edge(1, 2, 1)]))).toBe('0-0 1-0');
  });
});
