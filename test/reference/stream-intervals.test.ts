import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { makeCase } from '../../src/data/case.ts';
import { makeItem } from '../../src/data/item.ts';
import { logged } from '../measure/logged-items.ts';
import { scoreWith } from '../recipe/score-with.ts';
import { noReference, referenceJson } from './reference-data.ts';

const interval = z.object({ mean: z.number(), ci_low: z.number(), ci_high: z.number() });

const published = z.object({
  variants: z.record(
    z.string(),
    z.looseObject({
      m1_update_count_mean: z.number(),
      m2_output_ctu_mean: z.number(),
      m4_trace_coverage: interval,
      m6a: interval,
      m6b: interval,
    }),
  ),
});

const perCase = z.record(
  z.string(),
  z.array(
    z.looseObject({
      case_id: z.string(),
      m4_trace_coverage: z.number(),
      m6a_mean: z.number(),
      m6b_mean: z.number(),
      m1_update_count: z.number(),
      m2_output_ctu: z.number(),
    }),
  ),
);

const mean = (field: string) => ({
  of: 'case-mean',
  measure: { of: 'field-mean', kind: 'trace', field, direction: 'higher' },
});

const RECIPE = {
  task: 'stream',
  stream: { budgets: [], redundancy: [] },
  measure: {
    coverage: mean('coverage'),
    in_window: mean('in_window'),
    in_contract: mean('in_contract'),
    updates: mean('updates'),
    output: mean('output'),
  },
  slice: [],
};

describe.skipIf(noReference)('streaming summaries', () => {
  test('the published means and their fifteen intervals come out of scoring, to the last bit', async () => {
    const { variants } = published.parse(referenceJson('stream/metrics/aggregate.published.json'));
    const values = perCase.parse(referenceJson('stream/metrics/per_case.values.json'));
    let compared = 0;
    for (const [variant, own] of Object.entries(variants)) {
      const cases = (values[variant] ?? []).map((one) =>
        makeCase({
          id: one.case_id,
          logged: [
            logged('trace', {
              coverage: one.m4_trace_coverage,
              in_window: one.m6a_mean,
              in_contract: one.m6b_mean,
              updates: one.m1_update_count,
              output: one.m2_output_ctu,
            }),
          ],
        }),
      );
      expect(cases).toHaveLength(40);
      // The usual settings, and the cases in another order than that of their ids.
      const { measure, value } = await scoreWith(RECIPE, cases.toReversed(), ['interval=on']);
      for (const [name, expected] of [
        ['coverage', own.m4_trace_coverage],
        ['in_window', own.m6a],
        ['in_contract', own.m6b],
      ] as const) {
        const { value: found, interval: sure, n, units } = measure(name);
        expect({ mean: found, ci_low: sure?.low, ci_high: sure?.high }, `${variant} ${name}`).toEqual(expected);
        expect({ n, units }).toEqual({ n: 40, units: 40 });
        compared += 1;
      }
      expect(value('updates'), variant).toBe(own.m1_update_count_mean);
      expect(value('output'), variant).toBe(own.m2_output_ctu_mean);
    }
    expect(compared).toBe(15);
  });
});

test('a concept that is covered is a hit, whatever else is logged of the case', async () => {
  const concept = (text: string, index: number) => makeItem({ kind: 'concept', index, label: 'concept', text });
  const given = makeCase({
    id: 'a',
    gold: [concept('C1', 0), concept('C2', 1)],
    predicted: [concept('C2', 0), concept('C3', 1)],
    logged: [logged('trace', { coverage: 1 })],
  });
  expect((await scoreWith(RECIPE, given)).tally).toBe('1/1/1');
});
