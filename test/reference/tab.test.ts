import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { memorySource } from '../../src/data/source.ts';
import { score } from '../../src/report/score.ts';
import { noReference, referenceJson, referencePath } from './reference-data.ts';

const GOLD = 'formats/tab/echr_dev_001-79436.json';

const mention = z.object({
  entity_type: z.string(),
  identifier_type: z.string(),
  start_offset: z.number(),
  end_offset: z.number(),
});
const document = z.object({
  doc_id: z.string(),
  text: z.string(),
  annotations: z.record(z.string(), z.object({ entity_mentions: z.array(mention) })),
});

type Mention = z.infer<typeof mention>;
type Mask = readonly [start: number, end: number];

const whole = ({ start_offset, end_offset }: Mention): Mask => [start_offset, end_offset];

/**
 * A real document of the Text Anonymization Benchmark under several maskings. The figures are those of its own
 * evaluation.py (commit c5246a2) with a stand-in for its tagger that knows the words that the recipe lists: precision and
 * recall of mentions, precision and recall of tokens, recall of entities, of direct and of quasi identifiers, and the recall
 * of tokens of four types.
 */
describe.skipIf(noReference)('a document of TAB', () => {
  const [only] = noReference ? [] : z.array(document).parse(referenceJson(GOLD));
  const all = Object.values(only?.annotations ?? {}).flatMap(({ entity_mentions }) => entity_mentions);
  const needed = all.filter(({ identifier_type }) => identifier_type !== 'NO_MASK');
  const titles = /^(?:Mr |Mrs |Ms |the |about )/;
  const untitled = ({ start_offset: start, end_offset: end }: Mention): Mask => {
    const title = titles.exec(only?.text.slice(start, end) ?? '')?.[0] ?? '';
    return [start + title.length, end];
  };
  const shortened = ({ start_offset: start, end_offset: end }: Mention): Mask => [start, Math.max(start + 1, end - 1)];

  it.each<[string, readonly Mask[], number[]]>([
    ['what must be masked, less titles', needed.map(untitled), [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    [
      'all but the last character',
      needed.map(shortened),
      [1, 0, 1, 0.684783, 0, 0, 0, 0.5, 0.666667, 0.692308, 0.709677],
    ],
    [
      'four characters too many',
      needed.map(({ start_offset: start, end_offset: end }) => [start - 4, end] as const),
      [0, 1, 0.760331, 1, 1, 1, 1, 1, 1, 1, 1],
    ],
    ['every mention', all.map(whole), [0.783784, 1, 0.844037, 1, 1, 1, 1, 1, 1, 1, 1]],
    ['the whole text', [[0, only?.text.length ?? 0]], [0, 1, 0.184, 1, 1, 1, 1, 1, 1, 1, 1]],
    [
      'persons',
      all.filter(({ entity_type }) => entity_type === 'PERSON').map(whole),
      [1, 0.068966, 1, 0.097826, 0.086957, 0.5, 0.047619, 0, 1, 0.057692, 0],
    ],
  ])('%s', async (_, masks, expected) => {
    const predictions = memorySource('masks.json', JSON.stringify({ [only!.doc_id]: masks }));
    expect(await figures(predictions)).toEqual(expected);
  });

  it('the masks beside it', async () => {
    const expected = [1, 0.068966, 1, 0.097826, 0.086957, 1, 0, 1, 0.666667, 0.057692, 0];
    expect(await figures(referencePath('formats/tab/masked-output.json'))).toEqual(expected);
  });
});

async function figures(predictions: string | ReturnType<typeof memorySource>): Promise<number[]> {
  const { measures } = await score('pii/tab', { cases: referencePath(GOLD), predictions });
  const value = (name: string, slice: object = {}): number => {
    const found = measures.find((one) => one.name === name && JSON.stringify(one.slice) === JSON.stringify(slice));
    return Number((found?.value ?? Number.NaN).toFixed(6));
  };
  const scheme = 'token';
  return [
    value('precision'),
    value('recall'),
    value('precision', { scheme }),
    value('recall', { scheme }),
    ...['entity_recall', 'entity_recall_direct', 'entity_recall_quasi'].map((name) => value(name)),
    ...['CODE', 'PERSON', 'DATETIME', 'ORG'].map((label) => value('recall', { scheme, label })),
  ];
}
