import { expect, it } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import { score } from '../../src/report/score.ts';

it('predictions whose quote is not verbatim are listed with what keeps it from being so, by case and not by line', async () => {
  const item = (quote: string) => ({ domain: 'food', evidence_span: quote, polarity: 'present' });
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  const quotes = ['Had tea', 'had tea', 'Had  tea', 'Had tea, then', 'tea had', 'coffee', ''];
  const text = 'Had tea then slept.';
  const scored = async (ids: readonly string[]) =>
    score('journal/ashwam', {
      cases: memorySource('c.jsonl', lines(ids.map((id) => ({ journal_id: id, text })))),
      gold: memorySource('g.jsonl', lines(ids.map((id) => ({ journal_id: id, items: [] })))),
      predictions: memorySource('p.jsonl', lines(ids.map((id) => ({ journal_id: id, items: quotes.map(item) })))),
    });
  const { ungrounded, measures } = await scored(['b']);
  expect(ungrounded.total).toBe(6);
  expect(Object.fromEntries(ungrounded.shown.map(({ text: quote, why }) => [quote, why]))).toEqual({
    'had tea': 'in the text but for upper and lower case',
    'Had  tea': 'in the text but for white space',
    'Had tea, then': 'in the text but for punctuation',
    'tea had': 'its words are in the text, but not in this order',
    coffee: 'not in the text',
    '': 'an empty quote',
  });
  expect(measures.find(({ name }) => name === 'evidence_coverage')).toMatchObject({ value: 1 / 7, n: 7 });
  // 24 in all: the first 20 by case id, whichever line they stood on.
  const [forth, back] = [await scored(['a', 'b', 'c', 'd']), await scored(['d', 'c', 'b', 'a'])];
  expect(forth.ungrounded).toEqual(back.ungrounded);
  expect([forth.ungrounded.total, forth.ungrounded.shown.length, forth.ungrounded.shown[0]?.case]).toEqual([
    24,
    20,
    'a',
  ]);
});
