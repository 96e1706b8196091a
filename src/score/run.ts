import { z } from 'zod';

import { VERDICTS } from '../judge/verdict.ts';
import type { FailedOtherwise, MeasureValue } from '../measure/tally.ts';
import type { ConfusionCount, RuleCount, UngroundedList, WorstCase } from './run-counts.ts';

export const RUN_FORMAT = 2;

export interface CaseTotals {
  readonly total: number;
  readonly failed: number;
  /** Cases without a prediction record, scored as empty. */
  readonly unanswered: number;
}

/** measures.json */
export interface Measures {
  readonly signature: string;
  readonly cases: CaseTotals;
  readonly measures: readonly MeasureValue[];
  /** Only where failed cases change a value. */
  readonly failedOtherwise?: FailedOtherwise;
  readonly rules: readonly RuleCount[];
  readonly confusion: readonly ConfusionCount[];
  readonly ungrounded: UngroundedList;
}

/** All that a report needs of a run, whether just scored or read from its folder. */
export interface Run {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly measures: Measures;
  readonly worst: readonly WorstCase[];
}

/** The shapes of these files, versioned by `format`. Extra fields may come. */
const nullable = z.number().nullable();

const measure = z.looseObject({
  name: z.string(),
  slice: z.record(z.string(), z.string()).meta({ description: 'empty: overall' }),
  value: nullable,
  undefined: z.string().nullable().meta({ description: 'why there is no value' }),
  n: z.number(),
  units: z.int().meta({ description: 'cases, or clusters of them, that have anything to do with it' }),
  interval: z.looseObject({ low: z.number(), high: z.number(), level: z.number(), method: z.string() }).nullable(),
  noInterval: z.string().nullable().meta({ description: 'why there is no interval' }),
  direction: z.enum(['higher', 'lower']),
  best: z.number().exactOptional().meta({ description: 'the best value where it is at neither end: nearer is better' }),
  range: z.tuple([nullable, nullable]).meta({ description: 'null: no such end' }),
  unit: z.string().exactOptional().meta({ description: 'what it is measured in; absent: a share or a plain number' }),
  note: z.string().nullable(),
  cases: z
    .looseObject({
      n: z.int(),
      undefined: z.int(),
      mean: nullable,
      min: nullable,
      max: nullable,
      sd: nullable,
    })
    .nullable(),
});

export const measuresFile = z.looseObject({
  signature: z.string(),
  cases: z.looseObject({ total: z.int(), failed: z.int(), unanswered: z.int() }),
  measures: z.array(measure),
  failedOtherwise: z
    .looseObject({
      failed: z.enum(['leave-out', 'empty']),
      measures: z.array(
        z.looseObject({
          name: z.string(),
          value: nullable,
          undefined: z.string().nullable(),
          n: z.number(),
        }),
      ),
    })
    .exactOptional()
    .meta({ description: 'the overall values if failed cases counted the other way (data.failed), where they differ' }),
  rules: z.array(
    z.looseObject({
      scheme: z.string().nullable(),
      kind: z.string(),
      verdict: z.enum(VERDICTS),
      rule: z.string(),
      label: z.string(),
      n: z.number(),
    }),
  ),
  confusion: z.array(
    z.looseObject({
      scheme: z.string().nullable(),
      kind: z.string(),
      gold: z.string().nullable(),
      predicted: z.string().nullable(),
      n: z.number(),
      wrong: z.number().exactOptional().meta({ description: 'hits that by label are missed and spurious' }),
    }),
  ),
  ungrounded: z.looseObject({
    total: z.int(),
    shown: z.array(z.looseObject({ case: z.string(), label: z.string(), text: z.string(), why: z.string() })),
  }),
});

const fileFact = z.looseObject({ sha256: z.string(), bytes: z.int() });

/** A file of a run folder, as it was written. */
export type FileFact = z.infer<typeof fileFact>;

/** manifest.json: what was scored and how. Holds no time, host or folder name, so that a run again gives the same bytes. */
export const manifestFile = z.looseObject({
  format: z.int(),
  assay: z.string(),
  signature: z.string(),
  comparable: z.string(),
  task: z.string(),
  recipe: z.looseObject({
    name: z.string(),
    about: z.string(),
    set: z.array(z.string()),
    resolved: z.record(z.string(), z.unknown()),
  }),
  inputs: z.array(
    z.looseObject({
      role: z.enum(['cases', 'gold', 'predictions', 'reviews']),
      name: z.string(),
      format: z.string(),
      sha256: z.string(),
      bytes: z.int(),
      rows: z.int(),
    }),
  ),
  notices: z.record(z.string(), z.number()),
  outputs: z.record(z.string(), z.looseObject({ rows: z.int() })),
  files: z
    .record(z.string(), fileFact)
    .exactOptional()
    .meta({ description: 'what was written, to notice edits; absent in runs scored by an earlier version' }),
});

export type Manifest = z.infer<typeof manifestFile>;
