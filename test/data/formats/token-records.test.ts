import { describe, expect, it } from 'vitest';

import { memorySource } from '../../../src/data/source.ts';
import { casesOf, complaint, jsonl, shown } from '../reading.ts';
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

describe('tagged-records with tags of both sides', () => {
  const tokens = ['Ann', 'met', 'Bo'];
  const gold = ['B-PER', 'O', 'B-PER'];
  const guess = ['B-PER', 'O', 'B-LOC'];
  const source = (name: string, record: object) => memorySource(name, jsonl({ id: 'd1', tokens, ...record }));
  const one = source('one.jsonl', { ner_tags: gold });

  it.each(['predictions', 'predicted_tags', 'pred', 'ner_tags_pred'])(
    'give each flag the list of its side, predicted ones as %s',
    async (name) => {
      const both = source('both.jsonl', { tags: gold, [name]: guess, lang: 'en' });
      const sides = [{ cases: both }, { gold: both, predictions: both }, { gold: one, predictions: both }];
      for (const files of sides) {
        const [first] = await casesOf(files);
        expect([shown(first!.gold), shown(first!.predicted)]).toEqual([
          ['PER Ann 0..3', 'PER Bo 8..10'],
          ['PER Ann 0..3', 'LOC Bo 8..10'],
        ]);
      }
      expect((await casesOf({ cases: both }))[0]!.fields).toEqual({ lang: 'en' });
    },
  );

  it('of which only the predicted ones are there are no gold', async () => {
    const { message } = await complaint({ gold: source('p.jsonl', { predictions: guess }), predictions: one });
    expect(message).toBe('p.jsonl:1: ner_tags: expected a list of tags, found nothing');
    const [first] = await casesOf({ gold: one, predictions: source('p.jsonl', { predictions: guess }) });
    expect(shown(first!.predicted)).toEqual(['PER Ann 0..3', 'LOC Bo 8..10']);
  });

  it('are asked about if nothing shows which of two lists is gold', async () => {
    const two = source('two.jsonl', { labels: gold, ner_tags: guess });
    for (const files of [{ gold: two, predictions: one }, { gold: one, predictions: two }, { cases: two }])
      expect((await complaint(files)).message).toContain(
        'two.jsonl:1: ner_tags: expected one list of tags, found others under labels (leave one of them out, or call the predicted one predicted_tags)',
      );
    // The same tags, parts of speech and chunks are no second opinion.
    const more = { labels: gold, tags: ['NNP', 'VBD', 'NNP'], ner: ['B-NP', 'B-VP', 'B-NP'], ner_tags: gold };
    const [first] = await casesOf({ gold: source('a.jsonl', more), predictions: one });
    expect(shown(first!.gold)).toEqual(['PER Ann 0..3', 'PER Bo 8..10']);
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
