import { expect, test } from 'vitest';

import { isOfWholeNumbers, rowTallies } from '../../../src/compare/waterfall/row-tally.ts';
import { makeCase } from '../../../src/data/case.ts';
import { makeVerdict, type Verdict } from '../../../src/judge/verdict.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';

const { measures, ...plan } = await planRecipe('pii/partial', [
  'measure.recall=on',
  'measure.macro_f1=on',
  'measure.mean_recall={ of: case-mean, measure: recall }',
  'measure.pooled_size={ of: field-percentile, field: size, p: 50, pooled: true, direction: lower }',
]);

function verdicts(label: string, hit: number, missed: number, credit = 1): Verdict[] {
  const of = (verdict: 'hit' | 'missed'): Verdict =>
    makeVerdict({ case: 'c', scheme: null, kind: 'span', verdict, rule: 'pair', label, credit });
  return [...Array.from({ length: hit }, () => of('hit')), ...Array.from({ length: missed }, () => of('missed'))];
}

test('only measures that count are of whole numbers: the others depend on the order of their cases', () => {
  const names = measures.filter(isOfWholeNumbers).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['recall', 'macro_f1']));
  expect(names).not.toContain('mean_recall');
  expect(names).not.toContain('pooled_size');
});

test('a row has the sums of all cases together, of the whole, by kind and by label', () => {
  const row = rowTallies({ ...plan, measures })();
  const add = (id: string, own: readonly Verdict[]): void => row.add({ case: makeCase({ id }), verdicts: own });
  add('1', verdicts('PERSON', 3, 1));
  add('2', [...verdicts('LOC', 1, 1), ...verdicts('PERSON', 0, 2)]);
  // More labels than there is room for at first.
  for (let at = 0; at < 20; at += 1) add(`z${at}`, verdicts(`Z${at}`, 1, 0));
  add('half', verdicts('HALF', 2, 0, 0.5));
  const { kinds, measures: values } = row.result();
  expect(kinds[0]).toMatchObject({ kind: 'span', hit: 25, missed: 4, spurious: 0, excused: 0, hits: 26, partly: 2 });
  expect(values['recall']).toBe(25 / 30);
  // The mean of 3/4, 1/4, twenty times 1, and 1/2.
  expect(values['mean_recall']).toBeCloseTo((3 / 4 + 1 / 4 + 20 + 1 / 2) / 23, 12);
  // F1 is 2/3 for LOC and PERSON alike (1 of 1 + 1 missed; 3 of 3 + 3 missed), 1/2 for HALF, and 1 for twenty others.
  expect(values['macro_f1']).toBeCloseTo((2 / 3 + 2 / 3 + 1 / 2 + 20) / 23, 12);
});
