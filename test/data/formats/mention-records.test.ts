import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from '../../cli/assay-here.ts';
import { caseOf, jsonl, shown, temporaryFolder } from '../reading.ts';
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

describe('model-json', () => {
  it('keeps the places that some of the quotes have', async () => {
    const entities = [
      { text: 'Bo', type: 'PER', start: null, end: null },
      { text: 'Bo', type: 'PER', start: 7, end: 9 },
      { text: 'Ann', type: 'PER', start: 'Monday', end: 'Friday' },
    ];
    const record = { id: 'd1', text: 'Bo met Bo and Ann', entities };
    const { cases } = await readGold('a.jsonl', jsonl(record));
    expect(shown(cases[0]!.gold)).toEqual(['PER Bo 0..2', 'PER Bo 7..9', 'PER Ann 14..17']);
    expect(cases[0]!.gold.map(({ fields }) => Object.keys(fields))).toEqual([['start', 'end'], [], ['start', 'end']]);
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
  it('is known by its groups, also without the words', async () => {
    const groups = [{ entity_group: 'PER', start: 0, end: 3, score: 0.5 }];
    for (const record of [{ id: '1', spans: groups }, { id: '1', output: { spans: groups } }, groups]) {
      const { predicted } = await caseOf({
        gold: jsonl({ id: '1', text: 'Ann', spans: [] }),
        predictions: JSON.stringify([record]),
      });
      expect(shown(predicted)).toEqual(['PER Ann 0..3']);
    }
  });

  const token = (entity: string, index: number, word: string, start: number, score = 0.5): object => ({
    entity,
    score,
    index,
    word,
    start,
    end: start + word.replace('##', '').length,
  });
  const TOKENS = [
    token('B-PER', 1, 'An', 0, 0.75),
    token('I-PER', 2, '##n', 2, 0.25),
    token('I-PER', 3, 'Lee', 4),
    token('B-PER', 4, 'Bo', 8),
    token('I-LOC', 6, 'Rome', 14),
    token('I-PER', 7, 'Cy', 19),
    token('I-PER', 9, 'Di', 25),
  ];
  const PEOPLE = ['PER Ann Lee 0..7', 'PER Bo 8..10', 'LOC Rome 14..18', 'PER Cy 19..21', 'PER Di 25..27'];

  it.each([
    ['a record for each text', jsonl({ id: '1', text: 'Ann Lee Bo in Rome Cy or Di', entities: TOKENS })],
    ['a plain list for each', JSON.stringify([TOKENS])],
    ['one plain list', JSON.stringify(TOKENS)],
  ])('joins the tokens of an entity, as its simple aggregation does: %s', async (_, content) => {
    const texts = jsonl({ id: '1', text: 'Ann Lee Bo in Rome Cy or Di', spans: [] });
    const { predicted } = await caseOf({ gold: texts, predictions: content });
    expect(shown(predicted)).toEqual(PEOPLE);
    expect(predicted[0]?.fields).toEqual({ score: 0.5, index: 1, word: 'Ann Lee' });
  });

  it('joins bare labels of neighbouring tokens only if tokens are numbered, and words of what has no places', async () => {
    const bare = [token('PER', 1, 'Ann', 0), token('PER', 2, 'Lee', 4)];
    const [joined, apart, words] = await Promise.all(
      [
        bare,
        bare.map((one) => ({ ...one, index: undefined })),
        TOKENS.slice(0, 3).map((one) => ({ ...one, start: null, end: null })),
      ].map(async (entities) => {
        const { cases } = await readGold('a.jsonl', jsonl({ text: 'Ann Lee', entities }));
        return shown(cases[0]!.gold);
      }),
    );
    expect([joined, apart, words]).toEqual([
      ['PER Ann Lee 0..7'],
      ['PER Ann 0..3', 'PER Lee 4..7'],
      ['PER Ann Lee 0..7'],
    ]);
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

  const INTERVALS = [
    undefined,
    null,
    {},
    { start_pos: null, end_pos: null },
    { start_pos: 2 },
    { start_pos: null, end_pos: 5 },
  ];
  const without = (quote: string, interval: unknown) =>
    jsonl({
      document_id: 'd1',
      text: TEXT,
      extractions: [
        extraction(2, 5, 'Ann'),
        { extraction_class: 'PERSON', extraction_text: quote, char_interval: interval, alignment_status: null },
      ],
    });

  it.each(INTERVALS)('looks in the text for words with the interval %j; other words are spurious', async (interval) => {
    for (const badSpan of ['error', 'spurious', 'align'] as const) {
      const read = async (quote: string) =>
        (await caseOf({ cases: jsonl(SPANS), predictions: without(quote, interval) }, { badSpan })).predicted;
      expect(shown(await read('Bo'))).toEqual(READ);
      const [ann, other] = await read('the other person');
      expect(shown([ann!, other!])).toEqual([READ[0], 'PERSON the other person -1..-1']);
      expect([other!.aligned?.status, other!.refused?.because]).toEqual([
        'missing',
        'the quote "the other person" is not in the text',
      ]);
    }
  });

  it('has empty words spurious as well, whatever badSpan is, and refuses them in gold', async () => {
    const { predicted } = await caseOf({ cases: jsonl(SPANS), predictions: without('', null) });
    expect(predicted[1]!.refused?.because).toBe('the quote is empty');
    await expect(readGold('a.jsonl', without(' ', null))).rejects.toThrow('d1 gold item 1: the quote is empty');
  });

  it('refuses gold that is not in the text, and intervals that are no numbers', async () => {
    await expect(readGold('a.jsonl', without('the other person', null))).rejects.toThrow('is not in the text');
    await expect(readGold('a.jsonl', without('Bo', { start_pos: '10', end_pos: '12' }))).rejects.toThrow(
      'extractions[1].start: expected a whole number',
    );
  });

  it.each([
    ['langextract', 'the other person', 'predictions', 0],
    ['langextract', 'Bo', 'annotations', 0],
    ['model-json', 'the other person', 'predictions', 0],
  ])('is output of a model to validate as it is to score: %s with %s', async (format, quote, contents, problems) => {
    const cwd = temporaryFolder();
    const entities = [{ text: quote, type: 'PERSON' }];
    const record = format === 'langextract' ? without(quote, null) : jsonl({ id: 'd1', text: TEXT, entities });
    writeFileSync(join(cwd, 'a.jsonl'), record);
    writeFileSync(join(cwd, 'gold.jsonl'), jsonl(SPANS));
    const check = await assayHere(['validate', 'a.jsonl', '--json'], { cwd });
    expect([check.code, JSON.parse(check.stdout)]).toMatchObject([0, { contents, problems: { total: problems } }]);
    const files = ['--gold', 'gold.jsonl', '--predictions', 'a.jsonl'];
    expect((await assayHere(['score', 'spans/strict', ...files], { cwd })).code).toBe(0);
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
