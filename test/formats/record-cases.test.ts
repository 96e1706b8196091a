import { expect, test } from 'vitest';

import { InputError } from '../../src/data/problems.ts';
import { planFor } from '../../src/experiment/run/scorer.ts';
import { recordCases } from '../../src/formats/record-cases.ts';

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
