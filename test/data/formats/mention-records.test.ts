import { describe, expect, it } from 'vitest';

import { jsonl, shown } from '../reading.ts';
import { converted, readGold } from './read-side.ts';

/** Bo is at code point 10, and at 11 in UTF-16. */
const TEXT = '🙂 Ann met Bo.';
const READ = ['PERSON Ann 3..6', 'PERSON Bo 11..13'];
const SPANS = {
  id: 'd1',
  text: TEXT,
  spans: [
    { start: 2, end: 5, label: 'PERSON', score: 0.5 },
    { start: 10, end: 12, label: 'PERSON' },
  ],
};

const result = (start: number, end: number, score: number) => ({ entity_type: 'PERSON', start, end, score });
const found = (start: number, end: number, word: string, score: number) => ({
  entity_group: 'PERSON',
  score,
  word,
  start,
  end,
});
const generated = (start: number, end: number, text: string, more: object = {}) => ({
  entity_type: 'PERSON',
  entity_value: text,
  start_position: start,
  end_position: end,
  ...more,
});
const extraction = (start: number, end: number, text: string, more: object = {}) => ({
  extraction_class: 'PERSON',
  extraction_text: text,
  char_interval: { start_pos: start, end_pos: end },
  alignment_status: 'match_exact',
  ...more,
});

/** What each tool has for the two people of the text, the first with a score of 0.5. */
const RECORDS = {
  presidio: { id: 'd1', text: TEXT, results: [result(2, 5, 0.5), result(10, 12, 1)] },
  'presidio-research': {
    sample_id: 'd1',
    full_text: TEXT,
    spans: [generated(2, 5, 'Ann', { score: 0.5 }), generated(10, 12, 'Bo')],
  },
  'hugging-face': { id: 'd1', text: TEXT, entities: [found(2, 5, 'Ann', 0.5), found(10, 12, 'Bo', 1)] },
  langextract: {
    document_id: 'd1',
    text: TEXT,
    extractions: [extraction(2, 5, 'Ann', { score: 0.5 }), extraction(10, 12, 'Bo')],
  },
  'model-json': {
    id: 'd1',
    text: TEXT,
    entities: [
      {
        text: 'Ann',
        type: 'PERSON',
        score: 0.5,
      },
      {
        text: 'Bo',
        type: 'PERSON',
      },
    ],
  },
};

describe.each(Object.entries(RECORDS))('%s', (name, record) => {
  it('is read with its places in code points, or found as quotes', async () => {
    const { cases, format } = await readGold('a.jsonl', jsonl(record));
    expect([format, cases[0]!.id, cases[0]!.text]).toEqual([name, 'd1', TEXT]);
    expect(shown(cases[0]!.gold)).toEqual(READ);
    expect(cases[0]!.gold[0]!.fields['score']).toBe(0.5);
  });

  it('is written as it is read', async () => {
    const { files, lost } = await converted('a.jsonl', jsonl(SPANS), 'out.jsonl', { to: name });
    const written: unknown = JSON.parse(files['out.jsonl']!);
    expect([lost, Array.isArray(written) ? written[0] : written]).toEqual([[], record]);
  });
});

describe('presidio', () => {
  it('has a plain list for each text, which is numbered, and whatever it explains', async () => {
    const first = { ...result(0, 3, 0.85), analysis_explanation: null, recognition_metadata: { recognizer: 'x' } };
    const { cases, isNumbered } = await readGold('a.jsonl', jsonl([first], []));
    expect(isNumbered).toBe(true);
    expect(cases.map(({ id, gold }) => [id, gold.map(({ label, start, end }) => [label, start, end])])).toEqual([
      ['1', [['PERSON', 0, 3]]],
      ['2', []],
    ]);
  });

  it('scores 1 for what has none, which no reader asks back', async () => {
    const given = { id: 'd1', text: 'Ann', spans: [{ start: 0, end: 3, label: 'X' }] };
    const { files, lost } = await converted('a.jsonl', jsonl(given), 'out.jsonl', { to: 'presidio' });
    expect(JSON.parse(files['out.jsonl']!)).toMatchObject({
      results: [{ entity_type: 'X', start: 0, end: 3, score: 1 }],
    });
    expect(lost).toEqual([]);
  });
});

describe('hugging-face', () => {
  it('takes the tag of a single token without its mark, and places rather than pieces of words', async () => {
    const tokens = [
      { entity: 'B-PER', score: 0.9, index: 1, word: 'An', start: 0, end: 2 },
      { entity: 'I-PER', score: 0.9, index: 2, word: '##n', start: 2, end: 3 },
    ];
    const { cases, format } = await readGold('a.jsonl', jsonl({ text: 'Ann', entities: tokens }));
    expect([format, shown(cases[0]!.gold)]).toEqual(['hugging-face', ['PER An 0..2', 'PER n 2..3']]);
    expect(cases[0]!.gold[1]!.fields).toEqual({ score: 0.9, index: 2, word: '##n' });
  });

  it('looks for the words of what has no places', async () => {
    const entities = [{ entity_group: 'PER', score: 0.9, word: 'Bo', start: null, end: null }];
    const { cases } = await readGold('a.jsonl', jsonl({ text: TEXT, entities }));
    expect(shown(cases[0]!.gold)).toEqual(['PER Bo 11..13']);
  });
});

describe('langextract', () => {
  it('takes the place of what was aligned loosely, and looks for what was not aligned', async () => {
    const extractions = [
      extraction(2, 9, 'Ann meets', { alignment_status: 'match_fuzzy' }),
      { extraction_class: 'PERSON', extraction_text: 'Bo', char_interval: null, alignment_status: null },
    ];
    const given = jsonl({ document_id: 'd1', text: TEXT, extractions });
    const { cases } = await readGold('a.jsonl', given);
    expect(shown(cases[0]!.gold)).toEqual(['PERSON Ann met 3..10', 'PERSON Bo 11..13']);
    expect(cases[0]!.gold[0]!.fields['extraction_text']).toBe('Ann meets');
  });
});

describe('model-json', () => {
  it.each([
    ['entities', { text: 'Ann', type: 'PERSON' }],
    ['items', { quote: 'Ann', label: 'PERSON' }],
    ['output', { value: 'Ann', category: 'PERSON' }],
    ['pii', { span: 'Ann', tag: 'PERSON' }],
  ])('reads quotes and labels under the names of %s', async (list, item) => {
    const { cases, format } = await readGold('a.jsonl', jsonl({ id: 'd1', text: TEXT, [list]: [item] }));
    expect([format, shown(cases[0]!.gold)]).toEqual(['model-json', ['PERSON Ann 3..6']]);
  });

  it('takes equal quotes in their order, and refuses gold that is not in the text', async () => {
    const entities = ['Bo', 'Ann', 'Bo'].map((text) => ({ text, type: 'P' }));
    const { cases } = await readGold('a.jsonl', jsonl({ id: 'd1', text: 'Bo, Ann and Bo', entities }));
    expect(shown(cases[0]!.gold)).toEqual(['P Bo 0..2', 'P Ann 4..7', 'P Bo 12..14']);
    await expect(
      readGold('a.jsonl', jsonl({ id: 'd1', text: 'Ann', entities: [{ text: 'Zoë', type: 'P' }] })),
    ).rejects.toThrow('the quote "Zoë" is not in the text');
  });
});
