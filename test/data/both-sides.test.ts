import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { checkFile } from '../../src/audit/check-file.ts';
import { convert } from '../../src/data/convert.ts';
import { memorySource } from '../../src/data/source.ts';
import { caseOf, casesOf, complaint, jsonl, shown, temporaryFolder } from './reading.ts';

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

  it('never takes gold for the predictions of a record that lacks them', async () => {
    const records = [record('d0', gold, predicted), record('d1', gold)];
    const open = { gold: plain('d0', 'd1'), predictions: file(...records) };
    const read = await casesOf(open).catch((error: unknown) => error);
    if (read instanceof Error) expect(read.message).toMatch(/both\.jsonl:2: /);
    else expect(read).toMatchObject([{ predicted: [{ start: 8 }] }, { predicted: [] }]);
    const gapped = [record('d0', predicted), record('d1', gold, predicted)];
    const again = await casesOf({ gold: file(...gapped), predictions: plain('d0', 'd1') }).catch(
      (error: unknown) => error,
    );
    if (again instanceof Error) expect(again.message).toMatch(/both\.jsonl:1: /);
    else expect(again).toMatchObject([{ gold: [] }, { gold: [{ start: 0 }] }]);
  });

  it('is read with both as a case, or refused for want of predictions', async () => {
    const cases = file(record('d0', gold, predicted));
    const check = await checkFile(cases);
    expect(check.problems.total).toBe(0);
    expect(check.labels[0]).toMatchObject({ label: 'PER', gold: 1 });
    if (check.contents !== 'gold and predictions') {
      expect((await complaint({ cases })).message).toMatch(/no predictions in this file|: predictions\[0\]/);
      return;
    }
    const one = await caseOf({ cases });
    expect([shown(one.gold), shown(one.predicted)]).toEqual([['PER Ann 0..3'], ['PER Bo 8..10']]);
  });
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
