import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assignGreedy } from '../../src/pair/assign-greedy.ts';
import type { Edge } from '../../src/pair/edge.ts';

function edge(gold: number, predicted: number, similarity: number, preference = 0): Edge {
  return { gold, predicted, similarity, preference };
}

function pairs(edges: readonly Edge[]): string {
  return edges.map(({ gold, predicted }) => `${gold}-${predicted}`).join(' ');
}

describe('assignGreedy', () => {
  test('chooses nothing where there is nothing', () => {
    expect(assignGreedy([])).toEqual([]);
  });

  test('takes the most similar pair first, also when two others together were better', () => {
    expect(pairs(assignGreedy([edge(0, 0, 0.6), edge(0, 1, 0.5), edge(1, 0, 0.5)]))).toBe('0-0');
  });

  test('goes along a chain from its strongest edge', () => {
    expect(pairs(assignGreedy([edge(0, 0, 0.9), edge(0, 1, 0.8), edge(1, 1, 0.85), edge(1, 2, 0.7)]))).toBe('0-0 1-1');
    expect(pairs(assignGreedy([edge(0, 0, 0.5), edge(0, 1, 0.9), edge(1, 1, 0.8), edge(1, 2, 0.6)]))).toBe('0-1 1-2');
  });

  test('takes a lower preference before a higher similarity', () => {
    expect(pairs(assignGreedy([edge(0, 0, 1, 1), edge(0, 1, 0.5, 0)]))).toBe('0-1');
  });

  test('at equal similarity the lower gold comes first, then the lower predicted', () => {
    expect(pairs(assignGreedy([edge(1, 0, 0.5), edge(0, 0, 0.5)]))).toBe('0-0');
    expect(pairs(assignGreedy([edge(0, 1, 0.5), edge(0, 0, 0.5)]))).toBe('0-0');
    // Lower gold before lower predicted: 0-1 is ranked before 1-0, and both are then free to be taken.
    expect(pairs(assignGreedy([edge(1, 0, 0.5), edge(1, 1, 0.5), edge(0, 1, 0.5)]))).toBe('0-1 1-0');
  });

  test('pairs with similarity 0 when nothing better is there', () => {
    expect(pairs(assignGreedy([edge(0, 0, 0), edge(0, 1, 0)]))).toBe('0-0');
  });

  test('returns every edge, in gold order, when no two share an item', () => {
    expect(pairs(assignGreedy([edge(7, 2, 0.5), edge(0, 9, 0.6), edge(3, 0, 0.9)]))).toBe('0-9 3-0 7-2');
  });

  test('takes one of two edges between the same items', () => {
    expect(assignGreedy([edge(0, 0, 0.5), edge(0, 0, 0.7)])).toEqual([edge(0, 0, 0.7)]);
  });

  test('leaves no edge whose ends are both free', () => {
    const position = fc.nat({ max: 6 });
    const similarity = fc.nat({ max: 4 }).map((n) => n / 4);
    const edges = fc.array(
      fc.record({ gold: position, predicted: position, similarity, preference: fc.nat({ max: 2 }) }),
    );
    fc.assert(
      fc.property(edges, (given) => {
        const chosen = assignGreedy(given);
        const golds = new Set(chosen.map(({ gold }) => gold));
        const predicteds = new Set(chosen.map(({ predicted }) => predicted));
        const open = given.filter(({ gold, predicted }) => !golds.has(gold) && !predicteds.has(predicted));
        expect(open).toEqual([]);
      }),
      { seed: 1, numRuns: 1000 },
    );
  });

  test('no edge is refused except for one that shares an item with it and is at least as good', () => {
    const position = fc.nat({ max: 4 });
    const similarity = fc.nat({ max: 4 }).map((n) => n / 4);
    const edges = fc.array(
      fc.record({ gold: position, predicted: position, similarity, preference: fc.nat({ max: 2 }) }),
    );
    fc.assert(
      fc.property(edges, (given) => {
        const chosen = assignGreedy(given);
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
      { seed: 2, numRuns: 1000 },
    );
  });
});
