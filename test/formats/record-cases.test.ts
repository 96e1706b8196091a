import { describe, expect, it, test } from 'vitest';

import type { Fields } from '../../src/data/item.ts';
import { InputError } from '../../src/data/problems.ts';
import { memorySource } from '../../src/data/source.ts';
import { planFor } from '../../src/experiment/run/scorer.ts';
import { caseReader } from '../../src/formats/case-formats.ts';
import { recordCases } from '../../src/formats/record-cases.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { jsonl, shown } from '../data/reading.ts';

const ANN = { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] };
const item = { id: 'a', input: { document_text: 'Ann' }, expected_output: ANN };

test('a dataset item and the output for it are one case, with what is in both', async () => {
  const plan = await planFor('graph/openspec', []);
  const { cases, hasGold, formats } = await recordCases(plan, item, { id: 'a', output: ANN });
  expect(cases).toMatchObject([
    { id: 'a', text: 'Ann', gold: [{ text: 'Ann', label: 'Person' }], predicted: [{ text: 'Ann' }], failed: null },
  ]);
  expect({ hasGold, formats }).toEqual({ hasGold: true, formats: { cases: 'graph', predictions: 'graph' } });
});

test('what failed is a case that failed; an item without gold says so', async () => {
  const plan = await planFor('graph/openspec', []);
  const failed = await recordCases(plan, item, { id: 'a', error: 'server: gone' });
  expect(failed.cases).toMatchObject([{ id: 'a', predicted: [], failed: 'server: gone' }]);
  const { hasGold } = await recordCases(plan, { id: 'a', input: 'Ann' }, { id: 'a', output: ANN });
  expect(hasGold).toBe(false);
});

test('an output that is none is refused with all that is wrong, as that of a file is', async () => {
  const plan = await planFor('graph/openspec', []);
  const output = {
    entities: [
      { name: 3, type: 'Person' },
      { name: 'Ann', type: 4 },
    ],
    relationships: [],
  };
  const refused = await recordCases(plan, item, { id: 'a', output }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(InputError);
  expect(refused).toMatchObject({ total: 2, problems: [{ file: 'output', field: 'output.entities[0].name' }, {}] });
});

test('a recipe whose files are no rows reads its records as it reads its files', async () => {
  const plan = await planFor('consult/ayurmind', []);
  const { cases } = await recordCases(
    plan,
    { id: '7', input: { text: 'I sleep badly' } },
    { id: '7', output: 'Rest.' },
  );
  expect(cases).toMatchObject([{ id: '7', text: 'I sleep badly', failed: null }]);
});

describe('an output of spans is read in every shape that a file of predictions may have', () => {
  const text = 'Ann met Bo in Rome .';
  const document = { id: 'd1', input: { text }, expected_output: { spans: [{ start: 0, end: 3, label: 'PER' }] } };
  const spans = [
    { start: 0, end: 3, label: 'PER' },
    { start: 8, end: 10, label: 'PER' },
  ];
  const lists = spans.map(({ start, end, label }) => [start, end, label]);
  const found = spans.map((span) => ({ ...span, text: text.slice(span.start, span.end), score: 0.9 }));
  const groups = found.map(({ label, text: word, ...rest }) => ({ entity_group: label, word, ...rest }));
  const tokens = groups.map(({ entity_group: label, ...rest }, at) => ({
    entity: `B-${label}`,
    index: 2 * at,
    ...rest,
  }));
  const results = found.map(({ label, start, end, score }) => ({ entity_type: label, start, end, score }));
  const quotes = found.map(({ label, text: quote }) => ({ type: label, text: quote }));
  const extractions = found.map(({ label, text: quote, start, end }) => ({
    extraction_class: label,
    extraction_text: quote,
    char_interval: { start_pos: start, end_pos: end },
  }));
  const task = found.map(({ label, score: _, ...value }) => ({
    type: 'labels',
    value: { ...value, labels: [label] },
  }));
  it.each<[string, unknown]>([
    ['spans', { spans }],
    ['spans as lists', { spans: lists }],
    ['spans as predictions', { predictions: spans }],
    ['a plain list of spans', spans],
    ['a plain list of lists', lists],
    ['spans under entities', { entities: spans }],
    ['lists under entities', { entities: lists }],
    ['spans under ents', { ents: spans }],
    ['GLiNER’s predict_entities', found],
    ['a Hugging Face pipeline', groups],
    ['a pipeline’s tokens', tokens],
    ['a pipeline’s list under entities', { entities: groups }],
    ['a pipeline’s list under output', { output: groups }],
    ['Presidio’s analyzer', results],
    ['Presidio’s results in a record', { results }],
    ['quotes of a model', quotes],
    ['quotes under entities', { entities: quotes }],
    ['LangExtract', { extractions }],
    ['spaCy’s to_json', { text, ents: spans }],
    ['spaCy’s pair', [text, { entities: lists }]],
    ['doccano', { text, label: lists }],
    ['Prodigy', { text, spans, answer: 'accept' }],
    ['Label Studio', { data: { text }, predictions: [{ result: task }] }],
    ['Piranha’s documents', { piranha_detected_pii: found }],
    ['tags of tokens', { tokens: text.split(' '), ner_tags: ['B-PER', 'O', 'B-PER', 'O', 'O', 'O'] }],
    [
      'GLiNER’s training data',
      {
        tokenized_text: text.split(' '),
        ner: [
          [0, 0, 'PER'],
          [2, 2, 'PER'],
        ],
      },
    ],
  ])('%s', async (_, output) => {
    const read = ['PER Ann 0..3', 'PER Bo 8..10'];
    const { cases } = await recordCases(await planFor('pii/strict', []), document, { id: 'd1', output });
    expect(cases.map(({ predicted }) => shown(predicted))).toEqual([read]);
    const inRecord = Array.isArray(output) ? { id: 'd1', output } : Object.assign({ id: 'd1' }, output);
    for (const record of [{ id: 'd1', output }, inRecord]) expect(await predictedInFile(record)).toEqual([read]);
  });

  it.each([spans, lists, groups, results, quotes].map((output) => ({ output })))(
    'a list beside an empty one: $output',
    async ({ output }) => {
      const read = ['PER Ann 0..3', 'PER Bo 8..10'];
      const empty = { id: 'd2', output: [] };
      expect(await predictedInFile({ id: 'd1', output }, empty)).toEqual([read, []]);
      expect(await predictedInFile(empty, { id: 'd1', output })).toEqual([[], read]);
    },
  );

  it.each([[[]], [{ spans: [] }], [{ entities: [] }], [{ results: [] }], [{ text, label: [] }]])(
    '%j is empty',
    async (output) => {
      const { cases } = await recordCases(await planFor('pii/strict', []), document, { id: 'd1', output });
      expect(cases).toMatchObject([{ predicted: [], failed: null }]);
    },
  );

  async function predictedInFile(...records: readonly Fields[]): Promise<string[][]> {
    const sources = {
      cases: memorySource('items.jsonl', jsonl(...records.map(({ id }) => ({ ...document, id })))),
      predictions: memorySource('predictions.jsonl', jsonl(...records)),
    };
    const cases = await Array.fromAsync(caseReader(sources, await planRecipe('pii/strict')));
    return cases.map(({ predicted }) => shown(predicted));
  }
});
