import { z } from 'zod';

import { timestamp } from '../run-log-records.ts';
import { DOCUMENT_METRICS, EARLIER_FIELDS, metricField } from './metric-names.ts';

/** per_case.metrics.jsonl and aggregate.metrics.json, as `stream measure` writes them. Further fields are welcome. */

/** The published schema: both files fit it, unless a value is undefined, which is null here and 0 in the published files. */
export const METRICS_SCHEMA = { name: 'exaid.metrics', version: '2.2.0' } as const;

const count = z.int().min(0);
const value = z.number().nullable();

const metric = {
  metric: z.string().nullable().meta({ description: 'number in the seed document, M1 to M10; null: it has none' }),
  name: z.string().meta({ description: 'name of the measure in recipes, reports and measures.json' }),
  title: z.string().exactOptional().meta({ description: 'what the document calls it' }),
  value: value.meta({ description: 'null: undefined here' }),
  direction: z.enum(['higher', 'lower']).meta({ description: 'which way is better' }),
  unit: z.string().exactOptional(),
};

const caseMetric = z.looseObject(metric);

const bounds = z.looseObject({ low: z.number(), high: z.number(), level: z.number(), method: z.string() });

const aggregateMetric = z.looseObject({
  ...metric,
  undefined: z.string().nullable().meta({ description: 'why there is no value' }),
  n: count.meta({ description: 'cases of a mean over cases; summaries, decisions or flushes of a pooled one' }),
  interval: bounds.nullable().meta({ description: 'bootstrap over cases' }),
  no_interval: z.string().nullable().meta({ description: 'why there is no interval' }),
});

/** Each of the document's metrics has to be there; whatever else the recipe measures is in the same shape. */
function metrics<T extends z.ZodType>(entry: T): z.ZodObject<Record<string, T>, z.core.$catchall<T>> {
  const fields = DOCUMENT_METRICS.map(({ measure }) => [metricField(measure), entry] as const);
  return z.object(Object.fromEntries(fields)).catchall(entry);
}

const header = { schema_name: z.literal(METRICS_SCHEMA.name), schema_version: z.string() };

const faithfulness = {
  faithfulness_valid_event_count: count.meta({ description: 'summaries that M6a and M6b are means of' }),
  excluded_from_faithfulness_count: count.meta({ description: 'summaries left out of M6a and M6b: schema failures' }),
  schema_failures: count,
};

const parsingStatistics = z
  .looseObject({
    included_message_chunks: count,
    excluded_orchestrator_summary: count,
    excluded_system_note: count,
    excluded_other_subtype: count,
    missing_event_subtype: count,
  })
  .partial()
  .meta({ description: 'what of the trace is part of its canonical text' });

export const caseMetricsRecord = z.looseObject({
  ...header,
  metrics_type: z.literal('per_case'),
  case_id: z.string().min(1),
  variant_id: z.string().min(1),
  failed: z.string().nullable().meta({ description: 'why the case counts as failed: it is in no mean' }),
  metrics: metrics(caseMetric),
  ...faithfulness,
  ...Object.fromEntries(
    Object.entries(EARLIER_FIELDS).map(([field, name]) => [
      field,
      value.meta({ description: `metrics.${name}, under its earlier name` }),
    ]),
  ),
  parsing_statistics: parsingStatistics.nullable().exactOptional(),
});
export type CaseMetricsRecord = z.infer<typeof caseMetricsRecord>;

const variantMetrics = z.looseObject({
  n_cases: count,
  failed_cases: count,
  ...faithfulness,
  metrics: metrics(aggregateMetric),
  intervals: z
    .record(
      z.string(),
      z.union([
        z.looseObject({ low: z.number(), high: z.number(), n: count }),
        z.looseObject({ undefined: z.string() }),
      ]),
    )
    .meta({ description: 'intervals of the means under earlier names, by the path of the mean' }),
});

export const aggregateMetricsRecord = z.looseObject({
  ...header,
  metrics_type: z.literal('aggregate'),
  computed_at: timestamp.nullable().meta({ description: 'latest created_at of the logs, never from a clock' }),
  bootstrap_samples: count.meta({ description: '0: no intervals were asked for' }),
  seed: z.int().nullable(),
  note: z.string(),
  aliases: z
    .record(z.string(), z.string())
    .meta({ description: 'fields with the numbering of the published files, and the metric each has the value of' }),
  variants: z.record(z.string(), variantMetrics),
});
export type AggregateMetricsRecord = z.infer<typeof aggregateMetricsRecord>;
