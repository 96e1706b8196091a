import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { readCases } from '../../../src/data/read-cases.ts';
import { memorySource } from '../../../src/data/source.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { spanText } from '../../../src/audit/checks/content/span-text.ts';
import { foundBy } from './found-by.ts';

interface Given {
  readonly start: number;
  readonly end: number;
  readonly text?: string;
}

/** Files as people have them; predictions that do not fit count as spurious. */
async function read(text: string, spans: readonly Given[], unit = 'codepoint'): Promise<ReturnType<typeof foundBy>> {
  const plan = await planRecipe('pii/strict', ['interval=off', 'data.badSpan=spurious', `data.offsets=${unit}`]);
  const line = (record: object): string => `${JSON.stringify(record)}\n`;
  const label = 'PERSON';
  return foundBy(
    [spanText],
    plan,
    readCases(
      {
        gold: memorySource('gold.jsonl', line({ id: 'a', text, spans: [{ start: 0, end: 1, label }] })),
        predictions: memorySource(
          'predictions.jsonl',
          line({ id: 'a', spans: spans.map((own) => ({ label, ...own })) }),
        ),
      },
      plan.data,
    ),
  );
}

const TEXT = 'Anna met Bert and Carla in Oslo';

describe('spans whose text is not their slice', () => {
  test('an end that is the last character is recognised', async () => {
    const { findings } = await read(TEXT, [
      { start: 0, end: 3, text: 'Anna' },
      { start: 9, end: 12, text: 'Bert' },
      { start: 18, end: 22, text: 'Carla' },
    ]);
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      [
        'error',
        '3 of 3 predicted spans (100 %) do not have the text that stands at their place; 3 would fit if the end were the last character instead of the one after it',
      ],
    ]);
  });

  test('a count from 1, and bytes taken for characters', async () => {
    const from1 = await read(TEXT, [
      { start: 1, end: 5, text: 'Anna' },
      { start: 10, end: 14, text: 'Bert' },
      { start: 19, end: 24, text: 'Carla' },
    ]);
    expect(from1.findings[0]?.title).toContain('3 would fit if offsets were counted from 1');
    // é and ö have two bytes each: Bert begins at character 9 and byte 10, Carla at 18 and 20.
    const bytes = await read('René met Bört and Carla in Oslo', [
      { start: 10, end: 15, text: 'Bört' },
      { start: 20, end: 25, text: 'Carla' },
      { start: 29, end: 33, text: 'Oslo' },
    ]);
    expect(bytes.findings[0]?.title).toContain('3 would fit if offsets were UTF-8 bytes');
  });

  test('UTF-16 units taken for characters', async () => {
    // The cup is one character and two units.
    const { findings } = await read('🍵 Anna met Bert and Carla', [
      { start: 3, end: 7, text: 'Anna' },
      { start: 12, end: 16, text: 'Bert' },
      { start: 21, end: 26, text: 'Carla' },
    ]);
    expect(findings[0]?.title).toContain('3 would fit if offsets were UTF-16 units');
  });

  test('what explains most is named, with all that it explains', async () => {
    // One character and two units: after the cup, a count from 1 is also that of UTF-16 units.
    const { findings } = await read('Anna met Bert and Carla 🍵 Dora', [
      { start: 1, end: 5, text: 'Anna' },
      { start: 10, end: 14, text: 'Bert' },
      { start: 27, end: 31, text: 'Dora' },
    ]);
    expect(findings[0]?.title).toContain('; 3 would fit if offsets were counted from 1');
    expect(findings[0]?.items.shown.map(({ note }) => note)).toEqual([
      'would fit if offsets were counted from 1',
      'would fit if offsets were counted from 1',
      'would fit if offsets were counted from 1',
    ]);
  });

  test('line breaks that were two characters and are one, and the other way round', async () => {
    // Bert begins at 5 and, where the break is CR LF, at 6; Carla at 10 and 12, Dora at 16 and 19.
    const fromLong = await read('Anna\nBert\nCarla\nDora', [
      { start: 0, end: 4, text: 'Anna' },
      { start: 6, end: 10, text: 'Bert' },
      { start: 12, end: 17, text: 'Carla' },
      { start: 19, end: 23, text: 'Dora' },
    ]);
    expect(fromLong.findings[0]?.title).toBe(
      '3 of 4 predicted spans (75 %) do not have the text that stands at their place; 3 would fit if line breaks counted as two characters (CR LF) instead of one',
    );
    const fromShort = await read('Anna\r\nBert\r\nCarla\r\nDora', [
      { start: 5, end: 15, text: 'Bert\nCarla' },
      { start: 10, end: 15, text: 'Carla' },
      { start: 16, end: 20, text: 'Dora' },
    ]);
    expect(fromShort.findings[0]?.title).toContain(
      '; 3 would fit if line breaks counted as one character instead of two (CR LF)',
    );
  });

  test('of very many bad spans some are looked at, and it is said how many', async () => {
    const many = Array.from({ length: 600 }, () => ({ start: 1, end: 5, text: 'Anna' }));
    const { findings } = await read(TEXT, many);
    expect(findings[0]?.title).toContain(
      '600 of 600 predicted spans (100 %) do not have the text that stands at their place; of 500 that were looked at, 500 would fit if offsets were counted from 1',
    );
  });

  test('one of many that fits nowhere is a warning', async () => {
    const good = Array.from({ length: 30 }, () => ({ start: 0, end: 4, text: 'Anna' }));
    const { findings } = await read(TEXT, [...good, { start: 5, end: 8, text: 'Zoe' }]);
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['warning', '1 of 31 predicted spans (3 %) do not have the text that stands at their place'],
    ]);
  });

  test('spans that fit, and spans that give no text, are fine', async () => {
    expect(
      (
        await read(TEXT, [
          { start: 0, end: 4, text: 'Anna' },
          { start: 9, end: 13 },
        ])
      ).said,
    ).toEqual([]);
  });

  test('gold that does not fit is an error', async () => {
    const given: Case = makeCase({
      id: 'a',
      text: TEXT,
      gold: [{ ...makeItem({ kind: 'span', index: 0, label: 'PERSON', start: 1, end: 5 }), text: 'Anna' }],
    });
    expect((await foundBy([spanText], 'pii/strict', [given])).said).toEqual(['span-text-mismatch error']);
  });

  test('without spans there is nothing to look at, and that is said', async () => {
    const given = makeCase({
      id: 'a',
      text: TEXT,
      gold: [makeItem({ kind: 'object', index: 0, label: 'food', text: 'Oslo' })],
    });
    expect((await foundBy([spanText], 'journal/ashwam', [given])).skipped).toEqual({
      'span-text-mismatch': 'there are no spans',
    });
  });
});
