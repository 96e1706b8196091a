import { describe, expect, test } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import { attributeTables } from '../../src/figures/attribute-tables.ts';
import type { AttributeTable } from '../../src/figures/run-figures.ts';
import { caseOf, object } from '../pair/items.ts';
import { scoreWith } from '../recipe/score-with.ts';

async function tablesOf(given: Case, attributes: object): Promise<AttributeTable[]> {
  const recipe = { task: 'journal', pair: { gate: ['label'], similarity: 'exact' }, attributes };
  const scored = await scoreWith(recipe, given);
  const tables = attributeTables(scored.plan.attributes);
  tables.add(scored.verdicts());
  return tables.list();
}

/** Pairs of objects with one text each: what gold says and what was predicted. */
function pairs(field: string, values: readonly (readonly [unknown, unknown])[], label = 'symptom'): Case {
  const made = (side: 0 | 1) =>
    values.map((pair, at) => object(label, `text ${at}`, pair[side] === undefined ? {} : { [field]: pair[side] }));
  return caseOf({ id: 'c1', text: null, gold: made(0), predicted: made(1) });
}

describe('attributes against what was right', () => {
  test('values in the order of how often gold has them', async () => {
    const given = pairs('polarity', [
      ['absent', 'absent'],
      ['present', 'present'],
      ['present', 'absent'],
      ['present', 'uncertain'],
    ]);
    expect(await tablesOf(given, { polarity: {} })).toEqual([
      {
        attribute: 'polarity',
        kind: 'object',
        n: 4,
        right: 2,
        values: ['present', 'absent', 'uncertain'],
        cells: [
          { gold: 'present', predicted: 'present', n: 1, right: true },
          { gold: 'present', predicted: 'absent', n: 1, right: false },
          { gold: 'present', predicted: 'uncertain', n: 1, right: false },
          { gold: 'absent', predicted: 'absent', n: 1, right: true },
        ],
      },
    ]);
  });

  test('what stands for a missing value is counted as it; without such a word the value is none', async () => {
    const values = [
      ['low', undefined],
      [undefined, undefined],
      [undefined, undefined],
    ] as const;
    const [known] = await tablesOf(pairs('bucket', values), { bucket: { missing: 'unknown' } });
    expect(known!.cells).toEqual([
      { gold: 'unknown', predicted: 'unknown', n: 2, right: true },
      { gold: 'low', predicted: 'unknown', n: 1, right: false },
    ]);
    const [unknown] = await tablesOf(pairs('bucket', values), { bucket: {} });
    expect(unknown!.cells).toEqual([{ gold: 'low', predicted: '(none)', n: 1, right: false }]);
  });

  test('values are shown as they are compared, and acceptable ones are right', async () => {
    const gold = { type: 'City', also: ['Town'] };
    const given = caseOf({
      id: 'c1',
      text: null,
      gold: [object('x', 'one', gold), object('x', 'two', { type: 'City' })],
      predicted: [object('x', 'one', { type: 'TOWN' }), object('x', 'two', { type: 'town' })],
    });
    const [table] = await tablesOf(given, { type: { normalise: ['lower'], acceptable: 'also' } });
    expect(table!.cells).toEqual([
      { gold: 'city', predicted: 'town', n: 1, right: true },
      { gold: 'city', predicted: 'town', n: 1, right: false },
    ]);
    expect(table).toMatchObject({ n: 2, right: 1, values: ['city', 'town'] });
  });

  test('an attribute that applies to other labels, or to nothing that was found, has no table', async () => {
    const given = pairs('polarity', [['present', 'absent']]);
    expect(await tablesOf(given, { polarity: { labels: ['food'] } })).toEqual([]);
  });

  test('of many values the most frequent are told apart, the rest are others', async () => {
    const values = Array.from({ length: 80 }, (_, at) => [`v${at}`, `v${at}`] as const);
    const [table] = await tablesOf(pairs('note', [...values, ['v7', 'v9']]), { note: {} });
    expect(table!.values).toHaveLength(51);
    expect(table!.values[0]).toBe('v7');
    expect(table!.values.at(-1)).toBe('(others)');
    expect(table!.cells.reduce((sum, { n }) => sum + n, 0)).toBe(81);
    expect(table!.cells.find(({ gold, predicted }) => gold === '(others)' && predicted === gold)).toMatchObject({
      n: 30,
      right: true,
    });
  });

  test('values called like parts of every object are values', async () => {
    const [table] = await tablesOf(pairs('polarity', [['__proto__', 'constructor']]), { polarity: {} });
    expect(table!.cells).toEqual([{ gold: '__proto__', predicted: 'constructor', n: 1, right: false }]);
  });
});
