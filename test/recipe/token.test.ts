import { describe, expect, it } from 'vitest';

import { memorySource } from '../../src/data/source.ts';
import { score } from '../../src/report/score.ts';

const lines = (...rows: readonly string[]): string => `${rows.join('\n')}\n`;
const source = (name: string, ...rows: readonly string[]) => memorySource(name, lines(...rows));

/** Hits, spurious and missed tokens, with precision and recall. */
async function counted(input: Parameters<typeof score>[1], set: readonly string[] = []) {
  const { measures, rules, signature } = await score('pii/token', input, { set: ['interval=off', ...set] });
  const n = (verdict: string): number =>
    rules.filter((rule) => rule.verdict === verdict).reduce((sum, rule) => sum + rule.n, 0);
  const value = (name: string) =>
    measures.find((one) => one.name === name && Object.keys(one.slice).length === 0)?.value;
  return { tally: [n('hit'), n('spurious'), n('missed')], measures: [value('precision'), value('recall')], signature };
}

// As a token-by-token report counts it (predicted, gold and equal tags other than O):
// PER: Ann found, Lee missed; LOC: U.K. and St.-Malo found, 's spurious; ORG: AT&T missed. 3 of 4 predicted, 3 of 5 gold.
const SENTENCE = [
  'Ann B-PER B-PER',
  'Lee I-PER O',
  'left O O',
  'U.K. B-LOC B-LOC',
  "'s O I-LOC",
  'AT&T B-ORG O',
  'St.-Malo B-LOC B-LOC',
];
const column = (at: number): string[] => SENTENCE.map((row) => [row.split(' ')[0], row.split(' ')[at]].join(' '));

describe('pii/token', () => {
  it('counts the tokens of CoNLL files as they are: U.K. is one', async () => {
    const cases = source('both.conll', ...SENTENCE);
    expect(await counted({ cases })).toMatchObject({ tally: [3, 1, 2], measures: [3 / 4, 3 / 5] });
    // As words: U . K . found and ' s spurious; St . - Malo found; AT & T missed.
    expect((await counted({ cases }, ['pair.tokens=words'])).tally).toEqual([9, 2, 4]);
  });

  it('counts them also from one file a side, and with the other side as JSON', async () => {
    const [gold, predictions] = [source('gold.conll', ...column(1)), source('predicted.conll', ...column(2))];
    expect((await counted({ gold, predictions })).tally).toEqual([3, 1, 2]);
    // Ann Lee left U.K. 's AT&T St.-Malo
    const spans = [
      { start: 0, end: 3, label: 'PER' },
      { start: 13, end: 20, label: 'LOC' },
      { start: 26, end: 34, label: 'LOC' },
    ];
    const json = memorySource('predicted.jsonl', lines(JSON.stringify({ id: '1', spans })));
    expect((await counted({ gold, predictions: json })).tally).toEqual([3, 1, 2]);
  });

  it('counts words in plain files, whose signature is another', async () => {
    const text = 'Ann U.K.';
    const spans = [{ start: 4, end: 8, label: 'LOC' }];
    const json = {
      cases: memorySource('a.jsonl', lines(JSON.stringify({ id: '1', text, gold: spans, predicted: spans }))),
    };
    const conll = { cases: source('a.conll', 'Ann O O', 'U.K. B-LOC B-LOC') };
    expect([(await counted(json)).tally, (await counted(conll)).tally]).toEqual([
      [4, 0, 0],
      [1, 0, 0],
    ]);
    expect((await counted(json)).signature).not.toBe((await counted(conll)).signature);
    const set = ['pair.tokens=words'];
    expect((await counted(json, set)).signature).toBe((await counted(conll, set)).signature);
  });

  it('refuses two files that cut one text into different tokens, unless words are counted', async () => {
    const gold = source('gold.conll', 'New York\tB-LOC', 'fell\tO');
    const predictions = source('predicted.conll', 'New\tB-LOC', 'York\tI-LOC', 'fell\tO');
    await expect(counted({ gold, predictions })).rejects.toThrow(
      'case 1: its files cut the text into different tokens',
    );
    expect((await counted({ gold, predictions }, ['pair.tokens=words'])).tally).toEqual([2, 0, 0]);
  });
});
