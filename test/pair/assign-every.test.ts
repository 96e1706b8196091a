import { describe, expect, test } from 'vitest';
import { assignEvery } from '../../src/pair/assign-every.ts';
import type { Edge } from '../../src/pair/edge.ts';

function edge(gold: number, predicted: number, similarity: number, preference = 0): Edge {
  return { gold, predicted, similarity, preference };
}

function pairs(edges: readonly Edge[]): string {
  return edges.map(({ gold, predicted }) => `${gold}-${predicted}`).join(' ');
}

describe('assignEvery', () => {
  test('chooses nothing where there is nothing', () => {
    expect(assignEvery([])).toEqual([]);
  });

  test('one predicted takes every gold it has an edge to', () => {
    expect(pairs(assignEvery([edge(2, 0, 0.5), edge(0, 0, 0.5), edge(1, 0, 0.9)]))).toBe('0-0 1-0 2-0');
  });

  test('an earlier predicted takes a gold that suits a later one better', () => {
    expect(pairs(assignEvery([edge(0, 1, 1), edge(0, 0, 0.5), edge(1, 1, 0.7)]))).toBe('0-0 1-1');
  });

  test('the preference does not change who comes first', () => {
    expect(pairs(assignEvery([edge(0, 1, 1, 0), edge(0, 0, 0.5, 2)]))).toBe('0-0');
  });

  test('a predicted whose gold items are all taken goes without', () => {
    expect(pairs(assignEvery([edge(0, 0, 0.6), edge(1, 0, 0.6), edge(0, 1, 1), edge(1, 2, 1)]))).toBe('0-0 1-0');
  });
});
