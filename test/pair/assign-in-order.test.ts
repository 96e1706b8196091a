import { describe, expect, test } from 'vitest';
import { assignInOrder } from '../../src/pair/assign-in-order.ts';
import type { Edge } from '../../src/pair/edge.ts';

function edge(gold: number, predicted: number, similarity: number, preference = 0): Edge {
  return { gold, predicted, similarity, preference };
}

function pairs(edges: readonly Edge[]): string {
  return edges.map(({ gold, predicted }) => `${gold}-${predicted}`).join(' ');
}

describe('assignInOrder', () => {
  test('chooses nothing where there is nothing', () => {
    expect(assignInOrder([])).toEqual([]);
  });

  test('an earlier gold takes what suits a later one better', () => {
    expect(pairs(assignInOrder([edge(1, 0, 0.9), edge(0, 0, 0.6)]))).toBe('0-0');
  });

  test('a gold takes its best, and the next makes do with what is free', () => {
    const edges = [edge(0, 0, 0.6), edge(0, 1, 0.8), edge(1, 1, 0.9), edge(1, 2, 0.5), edge(2, 2, 1)];
    expect(pairs(assignInOrder(edges))).toBe('0-1 1-2');
  });

  test('takes a lower preference before a higher similarity, then the lower predicted', () => {
    expect(pairs(assignInOrder([edge(0, 0, 1, 1), edge(0, 1, 0.5, 0)]))).toBe('0-1');
    expect(pairs(assignInOrder([edge(0, 2, 0.5), edge(0, 1, 0.5)]))).toBe('0-1');
  });

  test('with firstOfKind takes the first predicted of the best kind, whatever its similarity', () => {
    const edges = [edge(0, 0, 1, 1), edge(0, 1, 0.85, 0), edge(0, 2, 0.95, 0)];
    expect(pairs(assignInOrder(edges))).toBe('0-2');
    expect(pairs(assignInOrder(edges, { firstOfKind: true }))).toBe('0-1');
    expect(pairs(assignInOrder(edges, { firstOfKind: false }))).toBe('0-2');
  });

  test('with firstOfKind a kind that is used up gives way to the next kind', () => {
    const edges = [edge(0, 0, 0.9, 0), edge(1, 0, 1, 0), edge(1, 2, 0.9, 1), edge(1, 1, 0.85, 1)];
    expect(pairs(assignInOrder(edges, { firstOfKind: true }))).toBe('0-0 1-1');
  });
});
