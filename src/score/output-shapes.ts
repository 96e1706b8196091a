import { z } from 'zod';

import { VERDICTS } from '../judge/verdict.ts';
import { aggregateMetricsRecord, caseMetricsRecord } from '../tasks/stream/measure/metric-records.ts';
import { comparisonShape } from '../compare/comparison-shape.ts';

/** The shapes of the files in a run folder, versioned by `format` in the manifest. Extra fields may come. */

const nullableNumber = z.number().nullable();
const verdict = z.enum(VERDICTS);

const item = z.looseObject({
  index: z.int().meta({ description: 'place in its list as given; -1 for a stretch of tokens or characters' }),
  label: z.string(),
  text: z.string(),
  start: z.int().optional().meta({ description: 'in the unit the files use' }),
  end: z.int().optional(),
  annotator: z.string().optional(),
  was: z.string().optional().meta({ description: 'label before a label map' }),
  parts: z.array(z.int()).optional().meta({ description: 'indexes of the items merged into this one' }),
  grounded: z.boolean().optional(),
  ungrounded: z.string().optional().meta({ description: 'what keeps the quote from being verbatim' }),
  refused: z
    .object({ start: z.number(), end: z.number(), because: z.string() })
    .exactOptional()
    .meta({ description: 'the place that a predicted span gave, and why it was not taken' }),
  fields: z.record(z.string(), z.unknown()).optional(),
});

export const ledgerLine = z.looseObject({
  case: z.string(),
  scheme: z.string().optional().meta({ description: 'absent: the recipe’s own pairing' }),
  kind: z.string(),
  verdict,
  rule: z.string(),
  label: z.string(),
  similarity: z.number().optional(),
  credit: z.number().optional().meta({ description: 'absent: 1' }),
  weight: z.number().optional().meta({ description: 'absent: 1' }),
  match: z.string().optional(),
  gold: item.optional(),
  predicted: item.optional(),
  attributes: z.record(z.string(), z.boolean()).optional(),
  because: z.string().optional(),
  setAside: z.boolean().optional().meta({ description: 'true: left before pairing' }),
  rejected: z
    .looseObject({ index: z.int(), label: z.string(), text: z.string(), similarity: z.number(), why: z.string() })
    .optional(),
});

const counts = z.looseObject({ hit: z.number(), spurious: z.number(), missed: z.number(), excused: z.number() });

export const caseLine = z.looseObject({
  case: z.string(),
  counts,
  kinds: z.record(z.string(), counts).optional(),
  measures: z.record(z.string(), nullableNumber),
  failed: z.string().optional(),
  failedAsEmpty: z.string().exactOptional().meta({ description: 'why it failed; scored as empty (data.failed)' }),
  answered: z.boolean().optional().meta({ description: 'false: no prediction record, scored as empty' }),
  slices: z.record(z.string(), z.string()).optional().meta({ description: 'values of the columns that slice' }),
  cluster: z.string().optional().meta({ description: 'value of the column that clusters cases' }),
});

const measure = z.looseObject({
  name: z.string(),
  slice: z.record(z.string(), z.string()).meta({ description: 'empty: overall' }),
  value: nullableNumber,
  undefined: z.string().nullable().meta({ description: 'why there is no value' }),
  n: z.number(),
  units: z.int().meta({ description: 'cases, or clusters of them, that have anything to do with it' }),
  interval: z.looseObject({ low: z.number(), high: z.number(), level: z.number(), method: z.string() }).nullable(),
  noInterval: z.string().nullable().meta({ description: 'why there is no interval' }),
  direction: z.enum(['higher', 'lower']),
  best: z.number().exactOptional().meta({ description: 'the best value where it is at neither end: nearer is better' }),
  range: z.tuple([nullableNumber, nullableNumber]).meta({ description: 'null: no such end' }),
  unit: z.string().exactOptional().meta({ description: 'what it is measured in; absent: a share or a plain number' }),
  note: z.string().nullable(),
  cases: z
    .looseObject({
      n: z.int(),
      undefined: z.int(),
      mean: nullableNumber,
      min: nullableNumber,
      max: nullableNumber,
      sd: nullableNumber,
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
          value: nullableNumber,
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
      verdict,
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
    .record(z.string(), z.looseObject({ sha256: z.string(), bytes: z.int() }))
    .exactOptional()
    .meta({ description: 'what was written, to notice edits; absent in runs scored by an earlier version' }),
});

export const OUTPUT_SHAPES: Readonly<Record<string, { readonly about: string; readonly schema: z.ZodType }>> = {
  ledger: { about: 'one line of ledger.jsonl: a verdict', schema: ledgerLine },
  cases: { about: 'one line of cases.jsonl: a case’s counts and measures', schema: caseLine },
  measures: { about: 'measures.json', schema: measuresFile },
  manifest: { about: 'manifest.json', schema: manifestFile },
  comparison: { about: 'what compare --json prints', schema: comparisonShape },
  'stream-case-metrics': { about: 'one line of per_case.metrics.jsonl of stream measure', schema: caseMetricsRecord },
  'stream-metrics': { about: 'aggregate.metrics.json of stream measure', schema: aggregateMetricsRecord },
};
