import { describe, expect, test } from 'vitest';
import { assign } from '../../src/pair/assign.ts';
import type { Edge } from '../../src/pair/pairing.ts';
import { processorTime } from '../processor-time.ts';

/** Numbers in [0, 1) from a seed (mulberry32), so that every run sees the same edges. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** About `each` edges for every gold item; with `steps` the similarities are multiples of 1 / steps. */
function sparse(golds: number, predicteds: number, each: number, seed: number, steps?: number): Edge[] {
  const random = randomNumbers(seed);
  return Array.from({ length: golds * each }, () => {
    const similarity = random();
    return {
      gold: Math.floor(random() * golds),
      predicted: Math.floor(random() * predicteds),
      similarity: steps === undefined ? similarity : Math.floor(similarity * (steps + 1)) / steps,
      preference: Math.floor(random() * 4),
    };
  });
}

function total(edges: readonly Edge[]): number {
  return edges.reduce((sum, { similarity }) => sum + similarity, 0);
}

/** The textbook Hungarian method on the full square table, O(n^3), without a thought for speed or sparseness. */
function hungarianTotal(edges: readonly Edge[], size: number): number {
  const table = new Map<string, number>();
  for (const { gold, predicted, similarity } of edges) {
    const key = `${gold} ${predicted}`;
    table.set(key, Math.max(similarity, table.get(key) ?? 0));
  }
  const cost = Array.from({ length: size + 1 }, (_, row) =>
    Array.from({ length: size + 1 }, (__, column) => -(table.get(`${row - 1} ${column - 1}`) ?? 0)),
  );
  const at = (numbers: readonly number[] | undefined, index: number) => numbers?.[index] ?? 0;
  const u = Array.from({ length: size + 1 }, () => 0);
  const v = Array.from({ length: size + 1 }, () => 0);
  const rowOf = Array.from({ length: size + 1 }, () => 0);
  for (let row = 1; row <= size; row++) {
    rowOf[0] = row;
    let column = 0;
    const least = Array.from({ length: size + 1 }, () => Infinity);
    const before = Array.from({ length: size + 1 }, () => 0);
    const used = Array.from({ length: size + 1 }, () => false);
    do {
      used[column] = true;
      const current = at(rowOf, column);
      let delta = Infinity;
      let next = 0;
      for (let j = 1; j <= size; j++) {
        if (used[j]) continue;
        const slack = at(cost[current], j) - at(u, current) - at(v, j);
        if (slack < at(least, j)) {
          least[j] = slack;
          before[j] = column;
        }
        if (at(least, j) < delta) {
          delta = at(least, j);
          next = j;
        }
      }
      for (let j = 0; j <= size; j++) {
        if (used[j]) {
          u[at(rowOf, j)] = at(u, at(rowOf, j)) + delta;
          v[j] = at(v, j) - delta;
        } else {
          least[j] = at(least, j) - delta;
        }
      }
      column = next;
    } while (at(rowOf, column) !== 0);
    while (column !== 0) {
      rowOf[column] = at(rowOf, at(before, column));
      column = at(before, column);
    }
  }
  return rowOf.slice(1).reduce((sum, row, index) => sum - at(cost[row], index + 1), 0);
}

describe('assignOptimal on many items', () => {
  test.each([
    { golds: 300, predicteds: 300, each: 3, seed: 1 },
    { golds: 300, predicteds: 300, each: 12, seed: 2 },
    { golds: 300, predicteds: 120, each: 5, seed: 3 },
    { golds: 120, predicteds: 300, each: 20, seed: 4 },
    { golds: 300, predicteds: 300, each: 8, seed: 5, steps: 4 },
  ])('agrees with the textbook method: $golds x $predicteds, $each edges each', (size) => {
    const given = sparse(size.golds, size.predicteds, size.each, size.seed, size.steps);
    // Under 1 and worth nothing but what they are like: the textbook method knows no number of pairs.
    const edges = given.map((edge) => ({ ...edge, similarity: edge.similarity / 2 }));
    const chosen = assign('optimal', edges, { partial: 0 });
    expect(total(chosen)).toBeCloseTo(hungarianTotal(edges, 300), 9);
    expect(new Set(chosen.map(({ gold }) => gold)).size).toBe(chosen.length);
    expect(new Set(chosen.map(({ predicted }) => predicted)).size).toBe(chosen.length);
  });

  test.each([
    ['different similarities', undefined],
    ['many ties', 3],
  ])('places 2,000 x 2,000 items with 20,000 edges and %s within seconds', (_, steps) => {
    const edges = sparse(2000, 2000, 10, 6, steps);
    const start = processorTime();
    const chosen = assign('optimal', edges);
    expect(processorTime() - start).toBeLessThan(5000);
    expect(chosen.length).toBeGreaterThan(1900);
  });

  test('shifts a chain of 20,000 items', () => {
    // Each gold likes its own place best; the last one fits only in the first place, and moves all others up by one.
    const length = 20_000;
    const chain = Array.from({ length }, (_, gold) => [
      { gold, predicted: gold, similarity: 0.5, preference: 0 },
      { gold, predicted: gold + 1, similarity: 0.5, preference: 1 },
    ]).flat();
    expect(assign('optimal', chain).every(({ gold, predicted }) => gold === predicted)).toBe(true);
    const newcomer = { gold: length, predicted: 0, similarity: 0.5, preference: 0 };
    const chosen = assign('optimal', [...chain, newcomer]);
    expect(chosen.length).toBe(length + 1);
    expect(chosen.slice(0, -1).every(({ gold, predicted }) => predicted === gold + 1)).toBe(true);
  });
});
