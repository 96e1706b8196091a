import { describe, expect, test } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import { caseOf, entity, object, relationship, span } from '../pair/items.ts';
import { prepare } from './prepare.ts';

/* Rules that take items out of the scoring and keep them for the ledger. */

function asides({ setAside }: Case): unknown[] {
  return setAside.map(({ side, item, because }) => [side, item.index, because]);
}

describe('drop', () => {
  const given = caseOf({ gold: [span(0, 1, 'A'), span(1, 2, 'B')], predicted: [span(0, 1, 'A')] });

  test('items of some labels leave, on one side or both', () => {
    const both = prepare('drop', { labels: ['A'] }, given);
    expect([both.gold.length, both.predicted.length]).toEqual([1, 0]);
    expect(asides(both)).toEqual([
      ['gold', 0, 'left out by the recipe'],
      ['predicted', 0, 'left out by the recipe'],
    ]);
    const gold = prepare('drop', { labels: ['A'], side: 'gold', because: 'not ours' }, given);
    expect(asides(gold)).toEqual([['gold', 0, 'not ours']]);
  });

  test('whole kinds leave, whatever their labels', () => {
    const graph = caseOf({ gold: [entity('Ann'), relationship('Ann', 'knows', 'Bo')], predicted: [entity('Bo')] });
    const made = prepare('drop', { kinds: ['entity'], because: 'only triples count' }, graph);
    expect([made.gold.map(({ kind }) => kind), made.predicted]).toEqual([['relationship'], []]);
    expect(asides(made)).toEqual([
      ['gold', 0, 'only triples count'],
      ['predicted', 0, 'only triples count'],
    ]);
    expect(() => prepare('drop', { kinds: ['entitty'] }, graph)).toThrow('drop.kinds.0: expected one of');
  });

  test('items of a group leave only if all of them would, those without a group one by one', () => {
    const item = (start: number, label: string, fields = {}) => ({
      ...span(start, start + 1, label, { fields }),
      index: start,
    });
    const groups = [item(0, 'A', { g: 1 }), item(1, 'B', { g: 1 }), item(2, 'A', { g: 2 }), item(3, 'A', { g: 2 })];
    const own = caseOf({ gold: [...groups, item(4, 'A')], predicted: [item(0, 'A', { g: 1 })] });
    const { gold, predicted } = prepare('drop', { labels: ['A'], group: 'g' }, own);
    expect([gold.map(({ index }) => index), predicted.length]).toEqual([[0, 1], 0]);
  });

  test('a case without any is handed back as it is', () => {
    expect(prepare('drop', { labels: ['Z'] }, given)).toBe(given);
  });
});

describe('dedupe', () => {
  test('by names that are the same after the steps, where it is told any', () => {
    const gold = [relationship('New York', 'in', 'USA'), relationship('new_york', 'In', 'usa')];
    const given = caseOf({ gold });
    expect(asides(prepare('dedupe', {}, given))).toEqual([]);
    expect(asides(prepare('dedupe', { normalise: ['lower'] }, given))).toEqual([]);
    expect(asides(prepare('dedupe', { normalise: ['lower', 'separators'] }, given))).toEqual([
      ['gold', 1, 'equal to item 0'],
    ]);
  });

  test('of equal items the first stays', () => {
    const given = caseOf({
      gold: [span(0, 3, 'A'), span(0, 3, 'B'), span(0, 3, 'A'), span(0, 4, 'A'), span(0, 3, 'A')],
      predicted: [span(0, 3, 'A'), span(0, 3, 'A')],
    });
    expect(asides(prepare('dedupe', {}, given))).toEqual([
      ['gold', 2, 'equal to item 0'],
      ['gold', 4, 'equal to item 0'],
    ]);
    expect(asides(prepare('dedupe', { side: 'predicted' }, given))).toEqual([['predicted', 1, 'equal to item 0']]);
  });

  test('items without a place are equal by text and ends; no join of texts makes two alike', () => {
    const given = caseOf({
      gold: [
        entity('Ann'),
        entity('Ann'),
        entity('Bob'),
        relationship('Ann', 'knows', 'Bob'),
        relationship('Ann', 'knows', 'Bob'),
        object('a b', 'c'),
        object('a', 'b c'),
      ],
    });
    expect(asides(prepare('dedupe', {}, given))).toEqual([
      ['gold', 1, 'equal to item 0'],
      ['gold', 1, 'equal to item 0'],
    ]);
  });
});

describe('min-confidence', () => {
  const sure = (confidence: unknown): ReturnType<typeof object> => object('x', 'y', { confidence });
  const given = caseOf({
    gold: [sure(0)],
    predicted: [sure(0.5), sure(0.49), sure('0.9'), sure(undefined), sure(NaN), sure('0.2'), sure('high')],
  });

  test('predictions below the minimum leave; gold does not', () => {
    const out = prepare('min-confidence', {}, given);
    expect(out.gold).toHaveLength(1);
    expect(asides(out)).toEqual([
      ['predicted', 1, 'confidence 0.49 < 0.5'],
      // Columns of a CSV file are text.
      ['predicted', 5, 'confidence 0.2 < 0.5'],
    ]);
  });

  test('one that gives no number stays, or leaves where the recipe says so', () => {
    expect(asides(prepare('min-confidence', { min: 0, missing: 'drop' }, given))).toEqual([
      ['predicted', 3, 'it gives no confidence'],
      ['predicted', 4, 'it gives no confidence'],
      ['predicted', 6, 'it gives no confidence'],
    ]);
    const scores = caseOf({ predicted: [object('x', 'y', { score: 0.1 })] });
    expect(prepare('min-confidence', { field: 'score' }, scores).predicted).toEqual([]);
  });
});
