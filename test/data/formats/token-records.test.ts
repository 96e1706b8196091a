import { describe, expect, it } from 'vitest';

import { casesOf, jsonl, shown } from '../reading.ts';
import { converted, readGold } from './read-side.ts';

const SPANS = {
  id: 'd1',
  text: 'Ann Lee met 🙂 Bo.',
  spans: [
    { start: 0, end: 7, label: 'PER' },
    { start: 14, end: 16, label: 'PER' },
  ],
};
const TOKENS = ['Ann', 'Lee', 'met', '🙂', 'Bo', '.'];

describe('tagged-records', () => {
  it('reads tags by name, or by number with their names', async () => {
    const tokens = ['Ann', 'Lee', 'left'];
    const named = await readGold('a.jsonl', jsonl({ id: 'd1', tokens, ner_tags: ['B-PER', 'I-PER', 'O'], lang: 'en' }));
    expect([named.format, shown(named.cases[0]!.gold)]).toEqual(['tagged-records', ['PER Ann Lee 0..7']]);
    expect(named.cases[0]!.fields).toEqual({ lang: 'en' });
    const numbers = jsonl({ id: 'd1', tokens, ner_tags: [1, 2, 0] });
    const { cases } = await readGold('a.jsonl', numbers, { tagNames: ['O', 'B-PER', 'I-PER'] });
    expect(shown(cases[0]!.gold)).toEqual(['PER Ann Lee 0..7']);
    await expect(readGold('a.jsonl', numbers)).rejects.toThrow('ner_tags');
  });

  it('takes the text that is given, or the spaces that follow each token', async () => {
    const record = { document: 7, tokens: ['Ann', ',', 'left'], labels: ['B-PER', 'O', 'O'] };
    for (const more of [{ full_text: 'Ann, left' }, { trailing_whitespace: [false, true, false] }]) {
      const { cases } = await readGold('a.jsonl', jsonl({ ...record, ...more }));
      expect([cases[0]!.id, cases[0]!.text, cases[0]!.tokens?.[2]]).toEqual(['7', 'Ann, left', { start: 5, end: 9 }]);
    }
  });

  it('is written with the text where tokens and spaces do not give it', async () => {
    const { files, lost } = await converted('a.jsonl', jsonl(SPANS), 'out.jsonl', { to: 'tagged-records' });
    expect(lost).toEqual([]);
    expect(JSON.parse(files['out.jsonl']!)).toEqual({
      id: 'd1',
      tokens: TOKENS,
      text: SPANS.text,
      ner_tags: ['B-PER', 'I-PER', 'O', 'O', 'B-PER', 'O'],
    });
  });
});

describe('gliner', () => {
  it('reads the first and last token of each mention, and refuses others', async () => {
    const record = {
      tokenized_text: ['Ann', 'Lee', 'met', 'Bo'],
      ner: [
        [0, 1, 'person'],
        [3, 3, 'person'],
      ],
    };
    const { cases, format } = await readGold('a.json', JSON.stringify([record]));
    expect([format, shown(cases[0]!.gold)]).toEqual(['gliner', ['person Ann Lee 0..7', 'person Bo 12..14']]);
    await expect(readGold('a.json', JSON.stringify([{ ...record, ner: [[3, 4, 'person']] }]))).rejects.toThrow(
      'ner[0]: expected [first, last, label] with tokens from 0 to 3, found "[3,4,\\"person\\"]"',
    );
  });

  it('is written with overlapping mentions, and lists those inside a token', async () => {
    const spans = [...SPANS.spans, { start: 4, end: 7, label: 'LAST' }, { start: 0, end: 2, label: 'X' }];
    const { files, lost } = await converted('a.jsonl', jsonl({ ...SPANS, spans }), 'out.json', { to: 'gliner' });
    const ner = [
      [0, 1, 'PER'],
      [4, 4, 'PER'],
      [1, 1, 'LAST'],
    ];
    expect(JSON.parse(files['out.json']!)).toEqual([{ id: 'd1', tokenized_text: TOKENS, ner, text: SPANS.text }]);
    expect(lost).toEqual(['d1: span X "An" at 0..2: the item']);
  });
});

describe('dygie', () => {
  const record = {
    doc_key: 'd1',
    sentences: [
      ['Ann', 'left', '.'],
      ['Bo', 'Lee', 'too'],
    ],
    ner: [[[0, 0, 'PER']], [[3, 4, 'PER', 2.5, 0.9]]],
    relations: [[[0, 0, 3, 4, 'BEFORE']], []],
    predicted_ner: [[], [[3, 3, 'PER', 1.5, 0.8]]],
    predicted_relations: [[], []],
  };

  it('counts tokens through the document, and joins mentions by theirs', async () => {
    const { cases, format } = await readGold('a.jsonl', jsonl(record));
    const [ann, bo, before] = cases[0]!.gold;
    expect([format, cases[0]!.text]).toEqual(['dygie', 'Ann left . Bo Lee too']);
    expect(shown([ann!, bo!])).toEqual(['PER Ann 0..3', 'PER Bo Lee 11..17']);
    expect(bo!.fields['scores']).toEqual([2.5, 0.9]);
    expect([before!.label, before!.source, before!.target]).toEqual(['BEFORE', ann!.fields['id'], bo!.fields['id']]);
  });

  it('has both sides in one file', async () => {
    const [only] = await casesOf({ cases: jsonl(record) });
    expect([shown(only!.gold).slice(0, 2), shown(only!.predicted)]).toEqual([
      ['PER Ann 0..3', 'PER Bo Lee 11..17'],
      ['PER Bo 11..13'],
    ]);
  });

  it('is written in the sentences that it was read in, with both sides', async () => {
    const { files, lost } = await converted('a.jsonl', jsonl(record), 'out.jsonl', { to: 'dygie', side: 'both' });
    expect([lost, JSON.parse(files['out.jsonl']!)]).toEqual([[], record]);
  });
});
