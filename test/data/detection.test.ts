import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';

import { checkFile } from '../../src/audit/check-file.ts';
import { convert } from '../../src/data/convert.ts';
import type { ItemKind } from '../../src/data/item.ts';
import { InputError } from '../../src/data/problems.ts';
import { readCases } from '../../src/data/read-cases.ts';
import { fileSource, memorySource } from '../../src/data/source.ts';
import { jsonl, problems, shown, temporaryFolder } from './reading.ts';

const TEXT = 'Ann met Bo.';
const ENTITIES = [{ temp_id: 'e1', name: 'Ann', type: 'PER' }];
const QUOTES = [{ text: 'Ann', type: 'PER' }];
const GROUPS = [{ entity_group: 'PER', word: 'Ann', start: 0, end: 3, score: 0.5 }];
const NOTHING = (...ids: readonly string[]): string => jsonl(...ids.map((id) => ({ id, gold: [], predicted: [] })));

interface Read {
  readonly formats: readonly string[];
  readonly gold: readonly (readonly string[])[];
  readonly predicted: readonly (readonly string[])[];
  readonly notices: object;
}

/** Files as a recipe that pairs these kinds reads them. */
async function read(files: Readonly<Record<string, string>>, kinds?: readonly ItemKind[]): Promise<Read> {
  const sources = Object.fromEntries(
    Object.entries(files).map(([role, text]) => [role, memorySource(`${role}.jsonl`, text)]),
  );
  const reader = readCases(sources, kinds === undefined ? {} : { kinds });
  const cases = await Array.fromAsync(reader);
  return {
    formats: reader.files().map(({ format }) => format),
    gold: cases.map(({ gold }) => shown(gold)),
    predicted: cases.map(({ predicted }) => shown(predicted)),
    notices: reader.notices,
  };
}

const EMPTY_GRAPH = { id: 'a', text: TEXT, entities: [], relationships: [] };

describe('the first record that holds something decides', () => {
  it.each([
    ['a graph', 'graph', EMPTY_GRAPH, { ...EMPTY_GRAPH, id: 'b', entities: ENTITIES }],
    [
      'a graph without relationships so far',
      'graph',
      { id: 'a', expected_output: { entities: [] } },
      { id: 'b', expected_output: { entities: ENTITIES } },
    ],
    ['model JSON', 'model-json', { id: 'a', text: TEXT, entities: [] }, { id: 'b', text: TEXT, entities: QUOTES }],
    ['quotes under items', 'model-json', { id: 'a', text: TEXT, items: [] }, { id: 'b', text: TEXT, items: QUOTES }],
    ['a pipeline', 'hugging-face', { id: 'a', text: TEXT, entities: [] }, { id: 'b', text: TEXT, entities: GROUPS }],
    [
      'a pipeline whose list is called spans',
      'hugging-face',
      { id: 'a', spans: [] },
      { id: 'b', text: TEXT, spans: GROUPS },
    ],
    ['doccano', 'doccano', { id: 'a', text: TEXT }, { id: 'b', text: TEXT, label: [[0, 3, 'PER']] }],
    [
      'plain spans after texts',
      'spans',
      { id: 'a', text: TEXT, spans: [] },
      { id: 'b', text: TEXT, spans: [{ start: 0, end: 3, label: 'PER' }] },
    ],
  ])('in %s', async (_, format, first, second) => {
    const predictions = NOTHING('a', 'b');
    for (const gold of [
      jsonl(first, second),
      JSON.stringify([first, second]),
      JSON.stringify([first, second], null, 1),
    ]) {
      const { formats, gold: items } = await read({ gold, predictions });
      expect([formats[0], items.map(({ length }) => length)]).toEqual([format, [0, 1]]);
      expect(items[1]![0]).toContain('PER Ann');
    }
  });

  it('wherever it is: behind long texts, failures and many others', async () => {
    const long = 'word '.repeat(1200);
    const before = Array.from({ length: 40 }, (_, at) => ({ id: `d${at}`, text: long, entities: [] }));
    const failed = { id: 'f', error: 'timed out' };
    const all = [failed, ...before, { id: 'last', entities: GROUPS }];
    const gold = jsonl(...all.map(({ id }) => ({ id, gold: [], predicted: [] })));
    const { formats, predicted } = await read({ gold, predictions: jsonl(...all) });
    expect(formats[1]).toBe('hugging-face');
    expect(predicted.filter(({ length }) => length > 0)).toEqual([[expect.stringContaining('PER')]]);
    expect(predicted).toHaveLength(42);
  });

  it('and lists without ids keep their numbers', async () => {
    const predictions = '[]\n[]\n' + JSON.stringify(GROUPS) + '\n';
    const { formats, predicted } = await read({ gold: NOTHING('1', '2', '3'), predictions });
    expect(formats[1]).toBe('hugging-face');
    expect(predicted.map(({ length }) => length)).toEqual([0, 0, 1]);
  });

  it.each([
    ['one text of 70,000 characters', [{ id: 'd0', text: 'x'.repeat(70_000), spans: [] }]],
    ['1,500 empty records', Array.from({ length: 1500 }, (_, at) => ({ id: `d${at}`, text: TEXT, spans: [] }))],
  ])('also behind %s', async (_, before) => {
    const gold = jsonl(...before, { id: 'last', text: TEXT, spans: GROUPS });
    const predictions = NOTHING(...before.map(({ id }) => id), 'last');
    const { formats, gold: items } = await read({ gold, predictions });
    expect([formats[0], items.filter(({ length }) => length > 0)]).toEqual(['hugging-face', [['PER Ann 0..3']]]);
  });
});

describe('a record that holds something in no known format is refused, also behind empty ones', () => {
  const placed = [{ from: 8, to: 10, words: 'Bo', tag: 'PER', p: 0.5 }];
  const gold = NOTHING('a', 'b');
  it.each([
    ['under entities', { id: 'a', entities: [] }, { id: 'b', entities: placed }, 'spans=entities'],
    ['under results', { id: 'a', text: TEXT, results: [] }, { id: 'b', text: TEXT, results: placed }, 'spans=results'],
    [
      'without words',
      { id: 'a', entities: [] },
      { id: 'b', entities: [{ start: 8, end: 10, type: 'PER' }] },
      'label=type',
    ],
    [
      'in an output',
      { id: 'a', output: { entities: [] } },
      { id: 'b', output: { entities: placed } },
      'output.entities',
    ],
    ['under the name of another tool', { id: 'a', ents: [] }, { id: 'b', ents: placed }, 'spans=ents'],
  ])('%s', async (_, first, second, columns) => {
    for (const records of [[first, second], [second, first], [second]]) {
      const line = records.indexOf(second) + 1;
      const [message] = await problems({ gold, predictions: jsonl(...records) });
      expect(message).toContain(`predictions.jsonl:${line}: unknown file format`);
      expect(message).toContain(columns);
    }
  });

  it.each([['output'], ['expected_output']])('and not taken for a graph without entities, as %s', async (side) => {
    const answers = [{ nodes: QUOTES, edges: [] }, { ents: placed }, { marks: [[0, 3, 'PER']] }];
    for (const answer of answers) {
      const text = jsonl({ id: 'a', [side]: answer });
      const source = memorySource('file.jsonl', text);
      const out = join(temporaryFolder(), 'out.jsonl');
      expect((await checkFile(source)).problems.total).toBe(1);
      const convertSide = side === 'output' ? 'predicted' : 'gold';
      await expect(convert(source, out, { side: convertSide })).rejects.toThrow(InputError);
      const role = side === 'output' ? 'predictions' : 'gold';
      for (const kinds of [['span'], ['entity', 'relationship']] as const)
        await expect(read({ gold: NOTHING('a'), [role]: text }, kinds)).rejects.toThrow(InputError);
    }
  });

  it('as a plain list', async () => {
    const predictions = `[]\n${JSON.stringify(placed)}\n`;
    expect(await problems({ gold: NOTHING('1', '2'), predictions })).toEqual([
      expect.stringContaining('predictions.jsonl:2: unknown file format'),
    ]);
  });
});

describe('in a folder with a file for each document', () => {
  const extraction = { extraction_class: 'PER', extraction_text: 'Ann', char_interval: { start_pos: 0, end_pos: 3 } };
  it.each([
    ['doccano', {}, { label: [[0, 3, 'PER']] }],
    ['spacy-json', {}, { ents: [{ start: 0, end: 3, label: 'PER' }] }],
    ['langextract', { document_id: 'a' }, { document_id: 'b', extractions: [extraction] }],
    ['presidio', { id: 'a' }, { id: 'b', results: [{ entity_type: 'PER', start: 0, end: 3, score: 1 }] }],
  ])('another file decides about a text without a list: %s', async (format, first, second) => {
    const folder = temporaryFolder();
    for (const [name, record] of Object.entries({ a: first, b: second }))
      writeFileSync(join(folder, `${name}.json`), JSON.stringify({ text: TEXT, ...record }, null, 1));
    const texts = ['a', 'b'].map((id) => ({ id, text: TEXT, spans: [] }));
    const reader = readCases({ gold: memorySource('gold.jsonl', jsonl(...texts)), predictions: fileSource(folder) });
    const cases = await Array.fromAsync(reader);
    expect(reader.files()[1]!.format).toBe(format);
    expect(cases.map(({ predicted }) => shown(predicted))).toEqual([[], ['PER Ann 0..3']]);
    expect(reader.notices).toMatchObject({ absentLists: 1 });
  });
});

it('the first row of a Parquet file that holds something decides too', async () => {
  const columnData = [
    { name: 'id', data: ['a', 'b'], type: 'STRING' as const },
    { name: 'text', data: [TEXT, TEXT], type: 'STRING' as const },
    { name: 'entities', data: [[], QUOTES], type: 'JSON' as const },
  ];
  const gold = memorySource('gold.parquet', new Uint8Array(parquetWriteBuffer({ columnData })));
  const reader = readCases({ gold, predictions: memorySource('p.jsonl', NOTHING('a', 'b')) });
  const cases = await Array.fromAsync(reader);
  expect(cases.map((given) => shown(given.gold))).toEqual([[], ['PER Ann 0..3']]);
});

describe('a model that found nothing anywhere is scored', () => {
  it.each([
    ['under entities', jsonl({ id: 'a', entities: [] }, { id: 'b', entities: [] })],
    ['as results', jsonl({ id: 'a', results: [] }, { id: 'b', results: [] })],
    ['in an output', jsonl({ id: 'a', output: { entities: [] } }, { id: 'b', output: { entities: [] } })],
    ['as the output', jsonl({ id: 'a', output: [] }, { id: 'b', output: [] })],
    ['as entities of spaCy', jsonl({ id: 'a', ents: [] }, { id: 'b', ents: [] })],
    ['as such entities in an output', jsonl({ id: 'a', output: { ents: [] } }, { id: 'b', output: { ents: [] } })],
    ['beside its texts', jsonl({ id: 'a', text: TEXT, entities: [] }, { id: 'b', text: TEXT, entities: [] })],
  ])('%s', async (_, predictions) => {
    const gold = jsonl(...['a', 'b'].map((id) => ({ id, text: TEXT, spans: [{ start: 0, end: 3, label: 'PER' }] })));
    const { gold: items, predicted, notices } = await read({ gold, predictions }, ['span']);
    expect([items.map(({ length }) => length), predicted]).toEqual([
      [1, 1],
      [[], []],
    ]);
    expect(notices).not.toHaveProperty('absentLists');
  });

  it('without a note of absent lists if others have results of Presidio as their output', async () => {
    const output = [{ entity_type: 'PER', start: 0, end: 3, score: 0.5 }];
    const predictions = jsonl({ id: 'a', output }, { id: 'b', output: [] });
    const { formats, predicted, notices } = await read({ gold: NOTHING('a', 'b'), predictions }, ['span']);
    expect([formats[1], predicted.map(({ length }) => length)]).toEqual(['presidio', [1, 0]]);
    expect(notices).not.toHaveProperty('absentLists');
  });

  it('without any list too if gold shows the format, with a note', async () => {
    const gold = jsonl(...['a', 'b'].map((id) => ({ id, text: TEXT, label: [[0, 3, 'PER']] })));
    const predictions = jsonl({ id: 'a', text: TEXT }, { id: 'b', text: TEXT });
    const { formats, predicted, notices } = await read({ gold, predictions }, ['span']);
    expect([formats, predicted]).toEqual([
      ['doccano', 'doccano'],
      [[], []],
    ]);
    expect(notices).toMatchObject({ absentListsEverywhere: 2 });
  });

  it('but not an answer that nothing reads', async () => {
    const gold = jsonl({ id: 'a', text: TEXT, label: [[0, 3, 'PER']] });
    expect(await problems({ gold, predictions: jsonl({ id: 'a', answer: 'Ann' }) })).toEqual([
      expect.stringContaining('predictions.jsonl:1: unknown file format'),
    ]);
    const found = [{ from: 0, to: 3, tag: 'PER' }];
    expect(await problems({ gold, predictions: jsonl({ id: 'a', text: TEXT, found }) })).toEqual([
      expect.stringContaining('try --columns'),
    ]);
  });
});

describe('lists of relations that are absent or null', () => {
  it.each([
    ['triples', { id: 'a', triples: [{ subject: 'Ann', predicate: 'met', object: 'Bo' }] }, { id: 'b', triples: null }],
    ['function-calls', { id: 'a', ground_truth: [{ area: { base: [10] } }] }, { id: 'b' }],
  ])('are empty ones in %s, counted', async (format, first, second) => {
    const gold = jsonl({ id: 'a', triples: [] }, { id: 'b', triples: [] });
    const { formats, predicted, notices } = await read({ gold, predictions: jsonl(first, second) }, ['relationship']);
    expect([formats[1], predicted.map(({ length }) => length)]).toEqual([format, [1, 0]]);
    expect(notices).toMatchObject({ absentLists: 1 });
  });
});

describe('where nothing is annotated, the recipe decides', () => {
  it.each([
    [{ id: 'a', items: [] }, ['object'], 'journal'],
    [{ id: 'a', items: [] }, ['span'], 'model-json'],
    [{ id: 'a', output: { entities: [] } }, ['entity', 'relationship'], 'graph'],
    [{ id: 'a', output: { entities: [] } }, ['span'], 'model-json'],
    [{ id: 'a', triples: [] }, ['relationship'], 'triples'],
    [{ id: 'a', text: 'Ann.', tokens: [{ id: 0, start: 0, end: 3 }], spans: [] }, ['span'], 'spans'],
    [{ id: 'a', text: 'Ann.', tokens: [{ id: 0, start: 0, end: 3 }], spans: {} }, ['span'], 'spacy-json'],
  ] as const)('%j for %j is %s', async (record, kinds, format) => {
    const { formats, predicted } = await read({ gold: NOTHING('a'), predictions: jsonl(record) }, kinds);
    expect([formats[1], predicted]).toEqual([format, [[]]]);
  });
});
