import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { checkData } from '../../src/audit/check-data.ts';
import { checkFile } from '../../src/audit/check-file.ts';
import { convert } from '../../src/data/convert.ts';
import { InputError } from '../../src/data/problems.ts';
import { memorySource } from '../../src/data/source.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { scoreToRun } from '../../src/score/score-to-folder.ts';
import { casesOf, complaint, jsonl, shown, temporaryFolder } from './reading.ts';

const TEXT = 'Ann met Bo';
const ANN = { start: 0, end: 3 };
const BO = { start: 8, end: 10 };
const span = (place: object) => ({ ...place, label: 'PER' });
const group = (place: object, word: string) => ({ entity_group: 'PER', word, score: 0.5, ...place });
const quote = (text: string) => ({ text, type: 'PER' });
const [GOLD, FOUND] = [[span(ANN)], [span(BO)]];
const [GOLD_GROUPS, FOUND_GROUPS] = [[group(ANN, 'Ann')], [group(BO, 'Bo')]];
const RESULTS = [{ entity_type: 'PER', ...BO, score: 0.5 }];
const tags = (at: number) => [0, 1, 2].map((token) => (token === at ? 'B-PER' : 'O'));

/** Records whose gold is Ann and whose predicted span is Bo, without their id and text. */
const SHAPES: readonly (readonly [shape: string, gold: object, predicted: object])[] = [
  ['spans and predicted', { spans: GOLD }, { predicted: FOUND }],
  ['gold and predictions', { gold: GOLD }, { predictions: FOUND }],
  ['gold and spans', { gold: GOLD }, { spans: FOUND }],
  ['two lists of a pipeline', { entities: GOLD_GROUPS }, { predictions: FOUND_GROUPS }],
  ['a pipeline beside plain spans', { spans: GOLD }, { predictions: FOUND_GROUPS }],
  ['a pipeline beside a spaCy document', { ents: GOLD }, { predictions: FOUND_GROUPS }],
  ['a pipeline beside tags', { tokens: TEXT.split(' '), ner_tags: tags(0) }, { predictions: FOUND_GROUPS }],
  ['tags', { tokens: TEXT.split(' '), ner_tags: tags(0) }, { pred_tags: tags(2) }],
  ['an item and its output', { expected_output: { spans: GOLD } }, { output: { spans: FOUND } }],
  ['an item and the list of its output', { expected_output: { spans: GOLD } }, { output: FOUND_GROUPS }],
  [
    'an item and the quotes of its output',
    { expected_output: { spans: GOLD } },
    { output: { entities: [quote('Bo')] } },
  ],
  ['an item with quotes', { expected_output: { entities: [quote('Ann')] } }, { output: { entities: [quote('Bo')] } }],
  [
    'groups of an item and the list of its output',
    { expected_output: { spans: GOLD_GROUPS } },
    { output: FOUND_GROUPS },
  ],
  ['an item and results of Presidio', { expected_output: { spans: GOLD } }, { output: { results: RESULTS } }],
  ['spans and an output', { spans: GOLD }, { output: { spans: FOUND } }],
  ['groups and the list of an output', { entities: GOLD_GROUPS }, { output: FOUND_GROUPS }],
];

const file = (...records: readonly object[]) => memorySource('both.jsonl', jsonl(...records));
const plain = (...ids: readonly string[]) =>
  memorySource('plain.jsonl', jsonl(...ids.map((id) => ({ id, text: TEXT, spans: [] }))));

async function itemsOf(side: 'gold' | 'predicted', ...records: readonly object[]): Promise<(readonly string[])[]> {
  const ids = records.map((_, at) => `d${at}`);
  const sources =
    side === 'gold'
      ? { gold: file(...records), predictions: plain(...ids) }
      : { gold: plain(...ids), predictions: file(...records) };
  return (await casesOf(sources)).map((given) => shown(given[side]));
}

/** Where the items of each case begin, or the line that is refused. */
async function startsOf(side: 'gold' | 'predicted', files: Parameters<typeof casesOf>[0]): Promise<string> {
  try {
    const cases = await casesOf(files);
    return cases
      .map((given) => given[side].map(({ start }) => start).join())
      .join(' | ')
      .trim();
  } catch (error) {
    const [, line = '1'] = /both\.jsonl:(\d+)/.exec(String(error)) ?? [];
    return error instanceof InputError ? `refused in line ${line}` : String(error);
  }
}

describe.each(SHAPES)('a record of both sides: %s', (_, gold, predicted) => {
  const record = (id: string, ...parts: readonly object[]): object =>
    Object.assign({ id, text: TEXT }, ...parts) as object;

  it('gives each flag the list of its side', async () => {
    const both = record('d0', gold, predicted);
    expect(await itemsOf('gold', both)).toEqual([['PER Ann 0..3']]);
    expect(await itemsOf('predicted', both)).toEqual([['PER Bo 8..10']]);
    // In whichever order the record has them.
    expect(await itemsOf('gold', record('d0', predicted, gold))).toEqual([['PER Ann 0..3']]);
    for (const side of ['gold', 'predicted'] as const) {
      const { items } = await convert(file(both), join(temporaryFolder(), 'out.jsonl'), { side });
      expect(items).toBe(1);
    }
  });

  it('is never read as the other side, also by a record that lacks its own', async () => {
    const half = file(record('d0', gold, predicted), record('d1', gold));
    const outcome = await startsOf('predicted', { gold: plain('d0', 'd1'), predictions: half });
    expect(['refused in line 2', '8 |']).toContain(outcome);
    const gapped = file(record('d0', predicted), record('d1', gold, predicted));
    expect(['refused in line 1', '| 0']).toContain(
      await startsOf('gold', { gold: gapped, predictions: plain('d0', 'd1') }),
    );
  });

  it('is read with both as a case, or refused for want of predictions', async () => {
    const cases = file(record('d0', gold, predicted));
    const { problems, labels, contents } = await checkFile(cases);
    expect([problems.total, labels[0]]).toMatchObject([0, { label: 'PER', gold: 1 }]);
    const isBoth = contents === 'gold and predictions';
    expect(await startsOf('gold', { cases })).toBe(isBoth ? '0' : 'refused in line 1');
    expect(await startsOf('predicted', { cases })).toBe(isBoth ? '8' : 'refused in line 1');
  });
});

it.each([
  ['a text', 'hello'],
  ['numbers', { tokens: 12 }],
  ['a number', 0.5],
])('a field called output that holds no list shows no side, in some records or all: %s', async (_, output) => {
  for (const list of ['spans', 'ents', 'label']) {
    const records = [GOLD, GOLD, []].map((items, at) => {
      const own = list === 'label' ? items.map(() => [0, 3, 'PER']) : items;
      return { id: `d${at}`, text: TEXT, [list]: own, ...(at === 0 ? {} : { output }) };
    });
    for (const side of ['gold', 'predicted'] as const)
      expect(await itemsOf(side, ...records)).toEqual([['PER Ann 0..3'], ['PER Ann 0..3'], []]);
  }
});

it('an empty output beside an empty list shows no side, and convert writes none', async () => {
  const records = [
    { id: 'd0', text: TEXT, ents: GOLD },
    { id: 'd1', text: TEXT, ents: [], output: [] },
  ];
  expect(await itemsOf('gold', ...records)).toEqual([['PER Ann 0..3'], []]);
  const out = join(temporaryFolder(), 'out.jsonl');
  const { items } = await convert(file(...records), out, { side: 'gold', to: 'prodigy' });
  expect(items).toBe(1);
  expect(readFileSync(out, 'utf8')).not.toContain('output');
});

it('an item on which the system failed has no answer, whatever was expected', async () => {
  const items = [
    { id: 'd0', text: TEXT, expected_output: { spans: GOLD }, output: { spans: FOUND } },
    { id: 'd1', text: TEXT, expected_output: { spans: GOLD }, error: 'timed out' },
    { id: 'd2', text: TEXT, expected_output: { spans: GOLD }, output: null, error: 'timed out' },
  ];
  const files = { gold: plain('d0', 'd1', 'd2'), predictions: file(...items) };
  for (const sources of [files, { cases: file(...items) }]) {
    const cases = await casesOf(sources);
    expect(cases.map(({ predicted, failed }) => [predicted.length, failed])).toEqual([
      [1, null],
      [0, 'timed out'],
      [0, 'timed out'],
    ]);
  }
});

describe('two lists of which nothing shows the side', () => {
  it.each([
    ['of doccano', { label: [[0, 3, 'PER']], labels: [[8, 10, 'PER']] }, 'label', 'labels'],
    ['of a pipeline', { entities: GOLD_GROUPS, spans: FOUND_GROUPS }, 'entities', 'spans'],
    ['of which the first is empty', { entities: [], items: [quote('Bo')] }, 'entities', 'items'],
  ])('are asked about: %s', async (_, lists, first, second) => {
    const both = file({ id: 'd0', text: TEXT, ...lists });
    for (const files of [
      { gold: both, predictions: plain('d0') },
      { gold: plain('d0'), predictions: both },
    ])
      expect((await complaint(files)).message).toContain(
        `both.jsonl:1: ${first}: expected one list of annotations, without another under ${second}`,
      );
  });

  it('are one if they are alike, or if the other holds something else', async () => {
    for (const more of [{ labels: [[0, 3, 'PER']] }, { labels: ['travel'] }, { labels: [] }])
      expect(await itemsOf('gold', { id: 'd0', text: TEXT, label: [[0, 3, 'PER']], ...more })).toEqual([
        ['PER Ann 0..3'],
      ]);
  });
});

describe('a file of predictions alone, given as gold', () => {
  const tokens = TEXT.split(' ');
  const region = { type: 'labels', value: { ...ANN, text: 'Ann', labels: ['PER'] } };
  it.each([
    ['spans', 'spans/strict', { id: 'd0', text: TEXT, predicted: FOUND }],
    ['label-studio', 'spans/strict', { id: 'd0', data: { text: TEXT }, predictions: [{ result: [region] }] }],
    ['tagged-records', 'spans/strict', { id: 'd0', tokens, pred_tags: tags(2) }],
    ['dygie', 'spans/strict', { doc_key: 'd0', sentences: [tokens], predicted_ner: [[[2, 2, 'PER']]] }],
    ['annotated-documents', 'spans/strict', { doc_id: 'd0', text: TEXT, x_detected_pii: FOUND }],
    ['text2kgbench', 'triples/exact', { id: 'd0', sent: TEXT, llm_triples: [['Ann', 'met', 'Bo']] }],
    ['graph', 'graph/openspec', { id: 'd0', output: { entities: [{ name: 'Ann', type: 'PER' }] } }],
  ])('has no gold for score, validate and convert: %s', async (_, recipe, record) => {
    const plan = await planRecipe(recipe);
    const sources = () => ({ gold: file(record), predictions: file(record) });
    const { problems } = await checkData(plan, sources());
    expect(problems.shown.map((problem) => problem.file)).toContain('both.jsonl');
    await expect(scoreToRun(plan, sources())).rejects.toThrow('both.jsonl');
    const { items, losses } = await convert(file(record), join(temporaryFolder(), 'out.jsonl')).catch(() => ({
      items: 0,
      losses: ['refused'],
    }));
    expect([items, losses.length]).toEqual([0, 1]);
  });
});

it('a graph that is a record itself is gold in a file of cases, as other annotations are', async () => {
  const entities = [{ name: 'Ann', type: 'PER' }];
  const record = { id: 'd0', text: TEXT, entities, relationships: [] };
  for (const side of ['gold', 'both'] as const)
    expect(await convert(file(record), join(temporaryFolder(), 'out.jsonl'), { side })).toMatchObject({ items: 1 });
  const [one] = await casesOf({ cases: file(record), predictions: file(record) });
  expect([one!.gold.length, one!.predicted.length]).toEqual([1, 1]);
});
