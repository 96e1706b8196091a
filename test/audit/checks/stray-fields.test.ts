import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { type Item, makeItem } from '../../../src/data/item.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { misplacedFields } from '../../../src/audit/checks/broken-items.ts';
import { scoreToRun } from '../../../src/score/score-to-folder.ts';
import { look, readerOf } from '../audited.ts';
import { STRICT, spanCase } from '../made-items.ts';

const object = (label: string, text: string, fields: Readonly<Record<string, unknown>>): Item =>
  makeItem({ kind: 'object', index: 0, label, text, fields });
const entry = (id: string, gold: Item, predicted: Item): Case =>
  makeCase({ id, text: 'So anxious, and a headache.', gold: [gold], predicted: [predicted] });
const CALM = { polarity: 'present', arousal_bucket: 'high', time_bucket: 'today' };
const ANXIOUS = object('emotion', 'anxious', CALM);

describe('fields that the label of an item does not have', () => {
  test('are named with their item: an emotion with an intensity, a symptom with an arousal', async () => {
    const cases = [
      entry('a', ANXIOUS, object('emotion', 'anxious', { ...CALM, intensity_bucket: 'high' })),
      entry('b', object('symptom', 'headache', CALM), object('symptom', 'headache', { intensity_bucket: 'low' })),
      entry('c', ANXIOUS, object('emotion', 'anxious', { ...CALM, intensity_bucket: null })),
    ];
    const { said, findings } = await look(misplacedFields, 'journal/ashwam', cases);
    expect(said).toEqual([
      'warning: 2 items have a field that their label does not have: intensity_bucket of emotion (1) and arousal_bucket of symptom (1)',
    ]);
    expect(findings[0]).toMatchObject({ subjects: ['predicted', 'gold'], cases: { total: 2, shown: ['a', 'b'] } });
    expect(findings[0]!.items.shown).toEqual([
      { case: 'a', side: 'predicted', label: 'emotion', text: 'anxious', note: 'intensity_bucket: high' },
      { case: 'b', side: 'gold', label: 'symptom', text: 'headache', note: 'arousal_bucket: high' },
    ]);
  });

  test('change no number', async () => {
    const plan = await planRecipe('journal/ashwam', ['interval=off']);
    const valuesWith = async (fields: object): Promise<unknown> => {
      const cases = [entry('a', ANXIOUS, object('emotion', 'anxious', { ...CALM, ...fields }))];
      return (await scoreToRun(plan, readerOf(cases))).measures.measures.map(({ name, value }) => [name, value]);
    };
    expect(await valuesWith({ intensity_bucket: 'high' })).toEqual(await valuesWith({}));
  });

  test('are a note where they say no more than that nothing is known', async () => {
    const cases = [entry('a', ANXIOUS, object('emotion', 'anxious', { ...CALM, intensity_bucket: 'unknown' }))];
    expect((await look(misplacedFields, 'journal/ashwam', cases)).said).toEqual([
      'note: 1 item has a field that its label does not have: intensity_bucket of emotion (1)',
    ]);
  });

  test('are not looked for where every field is for every label', async () => {
    const { said, skipped } = await look(misplacedFields, STRICT, [spanCase('a', [], [])]);
    expect([said, skipped]).toEqual([[], 'the recipe has no attribute that is for some labels only']);
  });
});
