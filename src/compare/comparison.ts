import { z } from 'zod';

import type { DataOf } from '../measure/results.ts';

export type { PairedDifference, PairedTest, YesNoTest } from '../stats/paired-difference.ts';

const nullableNumber = z.number().nullable();
const reason = z.string().nullable();
const slice = z.record(z.string(), z.string()).meta({ description: 'empty: overall' });
const direction = z.enum(['higher', 'lower']);
/** What a comparison comes to, in one word. */
const verdict = z.enum(['better', 'worse', 'no difference shown', 'too little data']);
/** Tests that are corrected for together: overall values of measures, or all slices. */
const familyName = z.enum(['primary', 'all', 'named', 'further', 'slices']).meta({
  description:
    'primary: overall values of the recipe’s primary measures; all: of all measures, if the recipe names none; ' +
    'named: of the measures asked for instead; further: measures of gate rules beyond these; slices: values by slice',
});
const test = {
  pValue: nullableNumber,
  undefined: reason.meta({ description: 'why there is no p value' }),
  method: z.string(),
  statistic: nullableNumber,
  n: z.number(),
};

const interval = z.looseObject({ low: z.number(), high: z.number(), level: z.number(), method: z.string() });

const meanOfCases = z
  .literal(true)
  .exactOptional()
  .meta({ description: 'the mean of the values of the cases; absent: all cases are pooled' });

/** One measure of one slice: a system beside the baseline; see PairedDifference. */
const measure = z.looseObject({
  name: z.string(),
  slice,
  family: familyName,
  sameAs: z
    .string()
    .exactOptional()
    .meta({ description: 'measure with the same contribution of every case in both runs; the two are one test' }),
  direction,
  best: z.number().exactOptional().meta({ description: 'the best value where it is at neither end: nearer is better' }),
  meanOfCases,
  system: z.int().meta({ description: 'place in systems; the baseline is 0' }),
  baseline: nullableNumber,
  other: nullableNumber,
  difference: nullableNumber.meta({ description: 'other − baseline' }),
  undefined: reason,
  interval: interval.nullable(),
  noInterval: reason,
  bounds: z
    .looseObject({ interval: interval.nullable(), noInterval: reason })
    .exactOptional()
    .meta({ description: 'the interval that a gate judges by' }),
  constant: z.boolean().meta({ description: 'every resample gave the same difference' }),
  units: z.int(),
  differing: z.int().meta({ description: 'units in which the counts of the two are not the same' }),
  fixed: z
    .boolean()
    .meta({ description: 'no case can make the two differ, so it is no test: counts or values are the same in each' }),
  permutation: z.looseObject(test),
  wilcoxon: z.looseObject(test),
  mcnemar: z.looseObject({ ...test, onlyBaseline: z.int(), onlyOther: z.int() }).nullable(),
  effect: z.looseObject({ dz: nullableNumber, rankBiserial: nullableNumber, standardised: nullableNumber }),
  wins: z.int(),
  losses: z.int(),
  ties: z.int(),
  withoutPair: z.int(),
  adjusted: nullableNumber.meta({
    description: 'the permutation test’s p value after Holm’s correction over its family',
  }),
  verdict,
  needed: nullableNumber.meta({ description: 'cases it would take to show a difference of this size, at 80 % power' }),
});

/** One system of a comparison. */
const system = z.looseObject({
  /** Unlike the others: what a person called the run, else its folder, or as much of the path as it takes. */
  name: z.string(),
  folder: z.string(),
  signature: z.string(),
  cases: z.int(),
  failed: z.int(),
  /** Cases without a prediction record, scored as empty. */
  unanswered: z.int(),
  /** Cases of this run that are not compared since another run lacks them: how many, and the first few. */
  unpaired: z.looseObject({ n: z.int(), cases: z.array(z.string()) }),
});

/** Where each system stands by one measure: 1 + the number of systems shown to be better. */
const ranking = z.looseObject({
  name: z.string(),
  direction,
  best: z.number().exactOptional(),
  meanOfCases,
  /** `tied`: another system has the same place. */
  places: z.array(z.looseObject({ system: z.int(), place: z.int(), value: nullableNumber, tied: z.boolean() })),
});

/** A case that got better or worse; the difference is other − baseline. */
const moved = z.looseObject({
  case: z.string(),
  system: z.int(),
  name: z.string().meta({ description: 'errors, or the measure that cases change by' }),
  baseline: z.number(),
  other: z.number(),
  difference: z.number(),
  change: z.enum(['better', 'worse']),
});

const cases = (description: string) => z.int().meta({ description: `cases ${description}` });
/** What became of the paired cases: each is in exactly one group of each system. */
const changes = z.looseObject({
  by: z
    .string()
    .nullable()
    .meta({ description: 'null: errors, missed and spurious items; a measure if no item has a verdict' }),
  systems: z.array(
    z.looseObject({
      system: z.int(),
      worse: cases('with more errors'),
      better: cases('with fewer errors'),
      others: cases('with as many errors, but not the same ones'),
      unchanged: z.int(),
      errors: z.looseObject({ baseline: z.number(), other: z.number() }).meta({ description: 'of all paired cases' }),
    }),
  ),
});

/** Two or more runs over the same cases: what `compare --json` prints. Extra fields may come. */
export const comparisonShape = z.looseObject({
  systems: z.array(system),
  /** Cases that all systems have and none failed on. */
  paired: z.int(),
  /** Cases that all have but some system failed on: in no figure. */
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
  /** What is resampled and swapped: `case`, or the column that clusters them; and how many there are. */
  unit: z.string(),
  units: z.int(),
  level: z.number(),
  resamples: z.int(),
  seed: z.int(),
  /** By family, the overall values first. */
  corrections: z.array(
    z.looseObject({
      family: familyName,
      method: z.literal('holm'),
      tests: z.int().meta({ description: 'constants (fixed) and twins (sameAs) are no tests' }),
      swaps: z
        .int()
        .meta({ description: 'random swaps of each test: resamples, or 20 times the tests if that is more' }),
    }),
  ),
  measures: z.array(measure),
  /** Only of three systems or more. */
  ranking: z.array(ranking),
  changes,
  /** The largest change first. */
  moved: z.array(moved),
  /** What a reader should mind: signatures that differ, cases left out, and the like. */
  notices: z.array(z.string()),
});

export type Comparison = DataOf<typeof comparisonShape>;
export type ComparisonVerdict = z.infer<typeof verdict>;
export type ComparedSystem = DataOf<typeof system>;
export type MeasureComparison = DataOf<typeof measure>;
export type FamilyName = MeasureComparison['family'];
export type FamilyCorrection = Comparison['corrections'][number];
export type Ranking = DataOf<typeof ranking>;
export type CaseChanges = Comparison['changes'];
export type MovedCase = DataOf<typeof moved>;
