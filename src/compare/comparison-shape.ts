import { z } from 'zod';

import type { Comparison } from './comparison.ts';

/** The shape of what `compare --json` prints. Extra fields may come. */

const nullableNumber = z.number().nullable();
const reason = z.string().nullable();
const slice = z.record(z.string(), z.string()).meta({ description: 'empty: overall' });
const direction = z.enum(['higher', 'lower']);
const test = {
  pValue: nullableNumber,
  undefined: reason.meta({ description: 'why there is no p value' }),
  method: z.string(),
  statistic: nullableNumber,
  n: z.number(),
};

const measure = z.looseObject({
  name: z.string(),
  slice,
  direction,
  best: z.number().exactOptional().meta({ description: 'the best value where it is at neither end: nearer is better' }),
  system: z.int().meta({ description: 'place in systems; the baseline is 0' }),
  baseline: nullableNumber,
  other: nullableNumber,
  difference: nullableNumber.meta({ description: 'other − baseline' }),
  undefined: reason,
  interval: z.looseObject({ low: z.number(), high: z.number(), level: z.number(), method: z.string() }).nullable(),
  noInterval: reason,
  constant: z.boolean().meta({ description: 'every resample gave the same difference' }),
  units: z.int(),
  differing: z.int().meta({ description: 'units in which the counts of the two are not the same' }),
  permutation: z.looseObject(test),
  wilcoxon: z.looseObject(test),
  mcnemar: z.looseObject({ ...test, onlyBaseline: z.int(), onlyOther: z.int() }).nullable(),
  effect: z.looseObject({ dz: nullableNumber, rankBiserial: nullableNumber, standardised: nullableNumber }),
  wins: z.int(),
  losses: z.int(),
  ties: z.int(),
  withoutPair: z.int(),
  adjusted: nullableNumber.meta({ description: 'the permutation test’s p value after Holm’s correction' }),
  verdict: z.enum(['better', 'worse', 'no difference shown', 'too little data']),
  needed: nullableNumber.meta({ description: 'cases it would take to show a difference of this size, at 80 % power' }),
});

export const comparisonShape: z.ZodType<Comparison> = z.looseObject({
  systems: z.array(
    z.looseObject({
      name: z.string(),
      folder: z.string(),
      signature: z.string(),
      cases: z.int(),
      failed: z.int(),
      unanswered: z.int(),
      unpaired: z.looseObject({ n: z.int(), cases: z.array(z.string()) }),
    }),
  ),
  paired: z.int(),
  failed: z.int(),
  failedOtherwise: z
    .looseObject({
      failed: z.enum(['leave-out', 'empty']),
      measures: z.array(z.looseObject({ name: z.string(), values: z.array(nullableNumber) })),
    })
    .exactOptional()
    .meta({
      description: 'each system’s overall values if failed cases counted the other way, where that changes one',
    }),
  unit: z.string(),
  units: z.int(),
  level: z.number(),
  resamples: z.int(),
  seed: z.int(),
  family: z.int().meta({ description: 'tests that Holm’s correction went over' }),
  measures: z.array(measure),
  ranking: z.array(
    z.looseObject({
      name: z.string(),
      direction,
      best: z.number().exactOptional(),
      places: z.array(z.looseObject({ system: z.int(), place: z.int(), value: nullableNumber, tied: z.boolean() })),
    }),
  ),
  moved: z.array(
    z.looseObject({
      case: z.string(),
      system: z.int(),
      name: z.string(),
      baseline: z.number(),
      other: z.number(),
      difference: z.number(),
      change: z.enum(['better', 'worse']),
    }),
  ),
  notices: z.array(z.string()),
});
