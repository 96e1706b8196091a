import { describe, expect, test } from 'vitest';

import type { Item } from '../../src/data/item.ts';
import { caseOf, span } from '../pair/items.ts';
import { prepare, prepareAll } from './prepare.ts';

function by(annotator: string | null, start: number, fields: object = {}): Item {
  return { ...span(start, start + 3, 'LOC', { fields: { ...fields } }), annotator };
}

const CASE = caseOf({
  gold: [by('a10', 0, { id: 'x' }), by('a2', 0, { id: 'y' }), by('a2', 5), by('a3', 9), by('a2', 5)],
});

function starts(use: unknown): (number | null)[] {
  return prepare('annotator', use, CASE).gold.map(({ start }) => start);
}

describe('annotator', () => {
  test('first is by natural order, first-lexicographic by letters', () => {
    expect(starts('first')).toEqual([0, 5, 5]);
    expect(starts('first-lexicographic')).toEqual([0]);
    expect(starts({})).toEqual([0, 5, 5]);
  });

  test('what others gave is counted, since it was never part of the question', () => {
    expect(prepare('annotator', 'first', CASE).notCounted).toEqual([{ rule: 'annotator', count: 2 }]);
    expect(prepare('annotator', 'a3', CASE).notCounted).toEqual([{ rule: 'annotator', count: 4 }]);
  });

  test('union is every distinct span; the record of the first annotator stands for all', () => {
    const union = prepare('annotator', 'union', CASE);
    expect(union.gold.map(({ start, annotator }) => [start, annotator])).toEqual([
      [0, 'a2'],
      [5, 'a2'],
      [9, 'a3'],
    ]);
    // The other annotator's copy is counted; a copy by the same hand is excused in the ledger.
    expect(union.notCounted).toEqual([{ rule: 'annotator', count: 1 }]);
    expect(union.setAside).toMatchObject([{ side: 'gold', rule: 'annotator', because: 'equal to item 2' }]);
  });

  test('majority is more than half of the annotators of the document', () => {
    const majority = prepare('annotator', 'majority', CASE);
    expect(majority.gold.map(({ start }) => start)).toEqual([0]);
    expect(majority.setAside.map(({ item, because }) => [item.start, because])).toContainEqual([
      9,
      'given by 1 of 3 annotators',
    ]);
    // Two of four are half, and not more.
    const four = caseOf({ gold: [by('a', 0), by('b', 0), by('c', 5), by('d', 5), by('a', 5)] });
    expect(prepare('annotator', 'majority', four).gold.map(({ start }) => start)).toEqual([5]);
  });

  test('each makes a case of its own for every annotator, in natural order', () => {
    const cases = prepareAll('annotator', 'each', CASE);
    expect(cases.map(({ id, fields, gold }) => [id, fields['annotator'], gold.length])).toEqual([
      ['c1 (a2)', 'a2', 3],
      ['c1 (a3)', 'a3', 1],
      ['c1 (a10)', 'a10', 1],
    ]);
    expect(cases.every(({ notCounted }) => notCounted === undefined)).toBe(true);
  });

  test('gold that an earlier rule took out goes with its annotator', () => {
    const out = { side: 'gold', item: by('a3', 20), rule: 'drop', because: 'x' } as const;
    const given = { ...CASE, setAside: [out] };
    expect(prepareAll('annotator', 'each', given).map(({ setAside }) => setAside.length)).toEqual([0, 1, 0]);
    expect(prepare('annotator', 'first', given).notCounted).toEqual([{ rule: 'annotator', count: 3 }]);
  });

  test('gold without an annotator counts for all', () => {
    const mixed = caseOf({ gold: [by(null, 0), by('a', 5), by('b', 9)] });
    for (const use of ['first', 'b', 'union', 'majority'])
      expect(prepare('annotator', use, mixed).gold.map(({ start }) => start)).toContain(0);
    const plain = caseOf({ gold: [by(null, 0)] });
    expect(prepare('annotator', 'majority', plain)).toBe(plain);
  });

  test('a name that the case does not have is a mistake, unless the recipe says it is empty gold', () => {
    expect(() => prepare('annotator', 'a22', CASE)).toThrow(
      expect.objectContaining({
        message: 'case c1: no gold by the annotator a22; it has gold by a2, a3, a10',
        next: expect.stringContaining('did you mean a2'),
      }),
    );
    expect(() => prepare('annotator', 'zoe', CASE)).toThrow(
      expect.objectContaining({ next: expect.stringContaining('absent: empty') }),
    );
    const empty = prepare('annotator', { use: 'zoe', absent: 'empty' }, CASE);
    expect(empty.gold).toEqual([]);
    expect(empty.notCounted).toEqual([{ rule: 'annotator', count: 5 }]);
  });
});
