import { describe, expect, it } from 'vitest';

import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';
import type { DataOptions } from '../../src/data/data-options.ts';

it('texts mended from broken UTF-8 are counted, so that the mending is seen', async () => {
  const text = 'Vestre Højesteret';
  const span = { start: 7, end: 17, label: 'ORG', text: 'HÃ¸jesteret' };
  const record = JSON.stringify({ id: 'a', text, gold: [span], predicted: [] });
  const reader = readCases({ cases: memorySource('a.jsonl', record) }, { mojibake: 'repair' });
  const [only] = await Array.fromAsync(reader);
  expect(only?.gold[0]?.text).toBe('Højesteret');
  expect(reader.notices.textsRepaired).toBe(1);
});

describe('a document of broken UTF-8', () => {
  // 🍵 is one character and two UTF-16 units. Characters as the file counts them: "SÃ¸ren" 2..8, "HÃ¸jesteret" 12..23.
  const text = '🍵 SÃ¸ren in HÃ¸jesteret, São';
  const gold = [
    { start: 2, end: 8, label: 'PERSON', text: 'SÃ¸ren' },
    { start: 12, end: 23, label: 'ORG', text: 'Højesteret' },
    { start: 25, end: 28, label: 'LOC' },
  ];
  const predicted = [{ start: 12, end: 23, label: 'ORG' }];
  const read = async (options: Partial<DataOptions>, spans: object[] = predicted) => {
    const record = JSON.stringify({
      id: 'a',
      text,
      gold: options.mojibake === 'repair' ? gold : [gold[0]],
      predicted: spans,
    });
    const reader = readCases({ cases: memorySource('a.jsonl', record) }, options);
    return { cases: await Array.fromAsync(reader), notices: reader.notices };
  };

  it('is noticed, and left as it is', async () => {
    const { cases, notices } = await read({ mojibake: 'report' });
    expect(cases[0]?.text).toBe(text);
    expect(notices).toMatchObject({ documentsBroken: 1 });
    expect(notices.documentsRepaired).toBeUndefined();
  });

  it('is repaired with the places of both sides, whether their texts are broken, right or not there', async () => {
    const { cases, notices } = await read({ mojibake: 'repair' });
    const [only] = cases;
    expect(only?.text).toBe('🍵 Søren in Højesteret, São');
    // In UTF-16 units of the repaired text.
    expect(only?.gold.map(({ start, end, text: own }) => [start, end, own])).toEqual([
      [3, 8, 'Søren'],
      [12, 22, 'Højesteret'],
      [24, 27, 'São'],
    ]);
    expect(only?.predicted.map(({ start, end, text: own }) => [start, end, own])).toEqual([[12, 22, 'Højesteret']]);
    expect(only?.offsets?.fromUtf16(24)).toBe(23);
    expect(notices).toMatchObject({ documentsRepaired: 1, textsRepaired: 1 });
    expect(notices.documentsBroken).toBeUndefined();
  });

  it('refuses a place inside of what becomes one character', async () => {
    const inside = [{ start: 4, end: 8, label: 'PERSON' }];
    await expect(read({ mojibake: 'repair' }, inside)).rejects.toThrow(/inside a broken character/);
    const { cases } = await read({ mojibake: 'repair', badSpan: 'spurious' }, inside);
    expect(cases[0]?.predicted[0]).toMatchObject({ start: -1, end: -1 });
  });

  it('is repaired in quotes that have no place, so that they are found in it', async () => {
    const item = { domain: 'food', evidence_span: 'blÃ¥bær', polarity: 'present', time_bucket: 'today' };
    const other = { ...item, evidence_span: 'rugbrÃ¸d' };
    const record = JSON.stringify({ journal_id: 'a', text: 'Spiste rugbrÃ¸d.', items: [item, other] });
    const sources = { gold: memorySource('a.jsonl', record), predictions: memorySource('p.jsonl', record) };
    const [only] = await Array.fromAsync(readCases(sources, { mojibake: 'repair' }));
    expect(only?.text).toBe('Spiste rugbrød.');
    // Half broken, half right: nobody knows what it was.
    expect(only?.gold.map(({ text: own }) => own)).toEqual(['blÃ¥bær', 'rugbrød']);
  });
});
