import { expect, test } from 'vitest';

import { type Case, makeCase } from '../../src/data/case.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { CeilingWatch } from '../../src/figures/ceiling-counts.ts';
import type { AlonePerson } from '../../src/figures/run-figures.ts';
import { scoreToRun } from '../../src/score/score-to-folder.ts';
import { readerOf } from '../audit/audited.ts';
import { spans } from '../audit/made-items.ts';

async function alone(use: string, cases: readonly Case[]): Promise<readonly AlonePerson[] | undefined> {
  const plan = await planRecipe(
    { task: 'pii', prepare: { annotator: use }, pair: { gate: ['label'], similarity: 'exact' }, measure: ['f1'] },
    ['interval=off'],
  );
  const watch = new CeilingWatch(plan);
  await scoreToRun(plan, readerOf(cases), { sink: watch.sink });
  return watch.list()[0]?.alone;
}

const annotated = (id: string, gold: Readonly<Record<string, readonly string[]>>, predicted: readonly string[]): Case =>
  makeCase({
    id,
    gold: Object.entries(gold).flatMap(([annotator, words]) => spans(...words).map((item) => ({ ...item, annotator }))),
    predicted: spans(...predicted),
  });

const CASES = [
  annotated('c1', { ann: ['A 0', 'A 10'], bo: ['A 0'] }, ['A 0', 'A 20']),
  // Bo is taken not to have annotated this, and nobody is compared.
  annotated('c2', { ann: ['A 0'] }, ['A 0']),
  annotated('c3', { ann: ['A 0'], bo: ['A 10'] }, ['A 10']),
  // Nothing that could be right or wrong: the case counts, and adds nothing.
  annotated('c4', {}, []),
];

test('the system with the gold of each person alone, beside what the recipe makes of the same cases', async () => {
  // Ann 1 hit, 1 spurious, 1 missed, then 1 spurious, 1 missed: 2 / 6. Bo 1 hit, 1 spurious, then 1 hit: 4 / 5.
  expect(await alone('first', CASES)).toEqual([
    { name: 'ann', cases: 2, value: expect.closeTo(1 / 3, 12), own: expect.closeTo(1 / 3, 12) },
    { name: 'bo', cases: 2, value: expect.closeTo(4 / 5, 12), own: expect.closeTo(1 / 3, 12) },
  ]);
  // All together: 1 hit, 1 spurious, 1 missed, then 1 hit, 1 missed: 4 / 7.
  expect((await alone('union', CASES))?.map(({ own }) => own)).toEqual([
    expect.closeTo(4 / 7, 12),
    expect.closeTo(4 / 7, 12),
  ]);
});

test('is not told where each person’s gold is scored as a case of its own, nor where nobody shares a case', async () => {
  expect(await alone('each', CASES)).toBeUndefined();
  expect(await alone('first', [CASES[1]!])).toBeUndefined();
});
