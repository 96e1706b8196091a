import { expect, test } from 'vitest';

import { buildMeasures } from '../../../src/measure/measures.ts';
import { Tally } from '../../../src/measure/tally.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { jackknifeValues } from '../../../src/audit/checks/decisive.ts';
import { scoreCases } from '../../../src/score/score.ts';
import { cleanDocuments } from '../clean-sets.ts';
import { STRICT } from '../made-items.ts';

test.each(['f1', 'macro_f1', 'mean_f1'])('%s without a case is what scoring the others gives', async (name) => {
  const wanted = { [name]: name === 'mean_f1' ? { of: 'case-mean', measure: 'f1' } : {} };
  const plan = await planRecipe({ ...STRICT, measure: wanted }, ['interval=off']);
  const { measures } = buildMeasures(wanted, null);
  const cases = cleanDocuments(8, 11);
  const tally = new Tally(measures, []);
  await scoreCases(plan, cases, {
    scored: ({ variants }) =>
      variants.forEach(({ case: given, verdicts }) => void tally.addCase(given, null, verdicts)),
  });
  const found = [...jackknifeValues(measures[0]!, tally.groups()[0]!.table)];
  expect(found).toHaveLength(8);
  for (const { unit, value } of found) {
    const rest = cases.filter(({ id }) => `case ${id}` !== unit);
    const { measures: values } = await scoreCases(plan, rest);
    expect(value).toBeCloseTo(values[0]!.value!, 12);
  }
});
