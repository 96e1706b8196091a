import { describe, expect, test } from 'vitest';

import { readCases } from '../../../src/data/read-cases.ts';
import { memorySource } from '../../../src/data/source.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { spansWithinWords } from '../../../src/audit/checks/content/spans-within-words.ts';
import type { Finding } from '../../../src/audit/finding.ts';
import { foundBy } from './found-by.ts';

type Place = readonly [start: number, end: number];

/** Predicted spans without a text, all in one document. */
async function found(text: string, places: readonly Place[], unit = 'codepoint'): Promise<readonly Finding[]> {
  const plan = await planRecipe('spans/strict', ['interval=off', `data.offsets=${unit}`]);
  const line = (record: object): string => `${JSON.stringify(record)}\n`;
  const spans = places.map(([start, end]) => ({ start, end, label: 'PERSON' }));
  const sources = {
    gold: memorySource('gold.jsonl', line({ id: 'a', text, spans: [] })),
    predictions: memorySource('predictions.jsonl', line({ id: 'a', spans })),
  };
  return (await foundBy([spansWithinWords], plan, readCases(sources, plan.data))).findings;
}

const shifted = (places: readonly Place[], start: number, end: number): Place[] =>
  places.map(([from, to]) => [from + start, to + end]);

const TEXT = 'So Anna met Bert, Carla and Dora in Oslo.';
const NAMES: readonly Place[] = [
  [3, 7],
  [12, 16],
  [18, 23],
  [28, 32],
  [36, 40],
];

describe('spans that cut words', () => {
  test.each([
    [1, 1, 'offsets were counted from 1', '--offsets predicted=codepoint+one-based'],
    [0, -1, 'the end were the last character instead of the one after it', '--offsets predicted=codepoint+inclusive'],
    [
      1,
      0,
      'offsets were counted from 1 and the end were the last',
      '--offsets predicted=codepoint+inclusive+one-based',
    ],
    [-2, -2, 'both offsets were 2 more', 'Fix the offsets where the spans are made'],
  ])('by %i and %i are explained by a way of counting', async (start, end, when, todo) => {
    const [finding, ...others] = await found(TEXT, shifted(NAMES, start, end));
    expect(others).toEqual([]);
    expect(finding?.severity).toBe('error');
    expect(finding?.title).toMatch(
      /^5 of 5 predicted spans \(100 %\) begin or end within a word; 5 would be whole words/,
    );
    expect(finding?.title).toContain(when);
    expect(finding?.todo).toContain(todo);
    expect(finding?.items.total).toBe(5);
  });

  test('another unit is found where some spans come before the first character that it counts differently', async () => {
    // The cup is one character and two UTF-16 units, so that only what follows it is off.
    const text = 'Zoe and Yan had 🍵 as Anna met Bert and Carla with Dora in Oslo.';
    const places = ['Zoe', 'Yan', 'Anna', 'Bert', 'Carla', 'Dora', 'Oslo'].map((name): Place => {
      const start = text.indexOf(name);
      return [start, start + name.length];
    });
    const [finding] = await found(text, places);
    expect(finding?.title).toBe(
      '5 of 7 predicted spans (71 %) begin or end within a word; 5 would be whole words if offsets were UTF-16 units',
    );
    expect(finding?.todo).toContain('--offsets predicted=utf16');
  });

  test('are no fault of counting if they are few, whole words, parts of words, or of a script without spaces', async () => {
    expect(await found(TEXT, shifted(NAMES.slice(1), 1, 1))).toEqual([]);
    expect(await found(TEXT, NAMES)).toEqual([]);
    // Stems: the first three letters of each.
    const words = 'walking talking reading writing singing dancing';
    const stems = [...words.matchAll(/\w+/g)].map(({ index }): Place => [index, index + 3]);
    expect(await found(words, stems)).toEqual([]);
    const chinese = '张三在北京大学学习李四在上海工作王五';
    const names: readonly Place[] = [
      [1, 3],
      [4, 8],
      [10, 12],
      [13, 15],
      [16, 18],
    ];
    expect(await found(chinese, names)).toEqual([]);
  });

  test('are nothing if most others would be cut by that way of counting', async () => {
    expect(
      await found(`${TEXT} ${TEXT} ${TEXT}`, [...NAMES, ...shifted(NAMES, 42, 42), ...shifted(NAMES, 85, 85)]),
    ).toEqual([]);
  });
});
