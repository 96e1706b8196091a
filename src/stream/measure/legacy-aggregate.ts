import type { FileExporter, MeasureValue, Run } from '../../index.ts';
import { OTHER_EXPORTERS } from '../../pipeline.ts';
import { sortedJson } from '../../plugin.ts';
import { bootstrap, pairwiseSum, type ResampleSettings } from '../../stats.ts';
import { EARLIER_FIELDS, variantMetrics } from './metric-names.ts';
import { METRICS_SCHEMA } from './metric-records.ts';
import { legacyCase, renamed } from './legacy-case.ts';
import type { MeasuredCase, MeasuredVariant, PooledDistribution } from './measure-stream.ts';

/**
 * aggregate.metrics.json, without a clock: `computed_at` is the latest created_at of the logs. Of each variant `metrics`
 * by the numbers of the seed document, and beside it the means under the names of the published files, whose numbers are
 * others, with `intervals` of these.
 */
export function aggregateMetrics(
  variants: readonly MeasuredVariant[],
  config: Readonly<Record<string, unknown>> | null,
): Record<string, unknown> {
  const settings = variants[0]?.run.manifest.recipe.resolved['interval'];
  return {
    schema_name: METRICS_SCHEMA.name,
    schema_version: METRICS_SCHEMA.version,
    metrics_type: 'aggregate',
    computed_at: latestTime(variants),
    interval: settings,
    bootstrap_samples: variants[0]?.interval?.resamples ?? 0,
    seed: variants[0]?.interval?.seed ?? null,
    note: 'unsupported rates: lower is better. No clinical outcome is claimed.',
    aliases: Object.fromEntries(Object.entries(EARLIER_FIELDS).map(([field, metric]) => [field, `metrics.${metric}`])),
    variants: Object.fromEntries(variants.map((measured) => [measured.variant, variantRecord(measured)])),
    ...(config === null ? {} : { config }),
  };
}

/** What `stream measure` writes for the programs of the evaluation document; `config` is the content of metrics.yaml. */
export const streamMetrics: FileExporter<{
  readonly variants: readonly MeasuredVariant[];
  readonly config: Readonly<Record<string, unknown>> | null;
}> = {
  name: 'stream-metrics',
  ...OTHER_EXPORTERS['stream-metrics'],
  files: {
    'per_case.metrics.jsonl': ({ variants }) =>
      legacyCases(variants)
        .map((record) => `${sortedJson(record)}\n`)
        .join(''),
    'aggregate.metrics.json': ({ variants, config }) =>
      `${JSON.stringify(aggregateMetrics(variants, config), null, 2)}\n`,
  },
};

/** The cases of all variants, one record each. */
export function legacyCases(variants: readonly MeasuredVariant[]): Record<string, unknown>[] {
  return variants.flatMap((measured) => measured.cases.map((own) => caseRecord(own, measured)));
}

function caseRecord(own: MeasuredCase, { variant, run }: MeasuredVariant): Record<string, unknown> {
  return legacyCase({ ...own, variant, measures: overallMeasures(run) });
}

function latestTime(variants: readonly MeasuredVariant[]): string | null {
  const known = variants.flatMap(({ latest }) => latest ?? []);
  return known.length === 0 ? null : new Date(Math.max(...known)).toISOString();
}

function overallMeasures({ measures }: Run): readonly MeasureValue[] {
  return measures.measures.filter(({ slice }) => Object.keys(slice).length === 0);
}

function variantRecord(measured: MeasuredVariant): Record<string, unknown> {
  const { run, cases, distributions, models, interval } = measured;
  const overall = overallMeasures(run);
  const of = (name: string): MeasureValue | undefined => overall.find((value) => value.name === name);
  const value = (name: string): number | null => of(name)?.value ?? null;
  const values = Object.fromEntries(overall.map((own) => [own.name, own.value]));
  const sure = (name: string): object => {
    const own = of(name);
    return {
      mean: own?.value ?? null,
      ci_low: own?.interval?.low ?? null,
      ci_high: own?.interval?.high ?? null,
      n: own?.n ?? 0,
    };
  };
  const records = cases.map((own) => caseRecord(own, measured));
  const mean = (field: string): number | null => meanOf(records.map((record) => record[field]));
  const total = (field: string): number => numbersOf(records.map((record) => record[field])).reduce((a, b) => a + b, 0);
  const reasons = [...new Set(cases.flatMap(({ given }) => flushReasons(given.logged ?? [])))].sort();
  const reasonCounts = new Map(
    reasons.map((reason) => [
      reason,
      cases.map(({ given }) => flushReasons(given.logged ?? []).filter((own) => own === reason).length),
    ]),
  );
  const pooled = (name: string): object | null => plain(distributions[name] ?? null, of(name));
  const failures = total('m10_schema_failure_count');
  const summaries = total('m1_update_count');
  const control = total('control_plane_latency_ms');
  const time = total('total_plane_latency_ms');
  return {
    n_cases: cases.length,
    answered_by: models,
    heuristic_logs: run.manifest.notices['heuristicLogs'] ?? 0,
    concepts: run.manifest.recipe.resolved['concepts'] ?? null,
    failed_cases: run.measures.cases.failed,
    faithfulness_valid_event_count: summaries - failures,
    excluded_from_faithfulness_count: failures,
    schema_failures: failures,
    metrics: variantMetrics(overall),
    intervals: intervalsOf(of, records, reasonCounts, interval),
    compression_ratio: sure('compression_ratio'),
    m1_update_count_mean: value('summary_count'),
    m2_output_ctu_mean: value('summary_ctu'),
    m3_redundancy: {
      jaccard_mean: value('redundancy'),
      threshold_rates: renamed(values, 'redundancy_at_', 'tau_'),
    },
    m4_trace_coverage: sure('trace_coverage'),
    m5_unsupported: {
      global_rate_mean: value('unsupported_global'),
      per_summary_mean: value('unsupported_per_summary'),
    },
    m6a: sure('unsupported_in_window'),
    m6b: sure('unsupported_in_contract'),
    m7b_coverage_by_budget_mean: renamed(values, 'coverage_at_', 'ctu_'),
    m8_latency_ms_mean: { summary: value('summary_latency_ms'), buffer_decision: value('decision_latency_ms') },
    m8_latency_ms_distribution: {
      summary: pooled('summary_latency_ms'),
      buffer_decision: pooled('decision_latency_ms'),
    },
    m9_usage_ctu_mean: {
      buffer_decision_count: value('decision_count'),
      buffer_decision_ctu: value('decision_ctu'),
      prompt: mean('m9_prompt_ctu_total'),
      completion: mean('m9_completion_ctu_total'),
      total: mean('m9_total_llm_ctu'),
    },
    m10_compliance: {
      summary_event_count: summaries,
      schema_failure_count: failures,
      schema_failure_rate_mean: summaries === 0 ? null : failures / summaries,
      compliance_rate_mean: summaries === 0 ? null : 1 - failures / summaries,
    },
    flush_statistics: {
      flush_count_mean: mean('flush_count'),
      flush_reason_counts_mean: Object.fromEntries(
        [...reasonCounts].map(([reason, counts]) => [reason, meanOf(counts)]),
      ),
      flush_accumulated_ctu_distribution: pooled('flush_ctu'),
      flush_interval_ms_distribution: pooled('flush_interval_ms'),
    },
    overhead_attribution: {
      control_plane_latency_ms_total: control,
      content_plane_latency_ms_total: total('content_plane_latency_ms'),
      total_plane_latency_ms_total: time,
      control_plane_latency_pct: time === 0 ? null : control / time,
      content_plane_latency_pct: time === 0 ? null : total('content_plane_latency_ms') / time,
    },
    virtual_time_throughput: {
      duration_ms_mean: mean('virtual_time_duration_ms'),
      trace_ctu_mean: mean('trace_ctu'),
      trace_ctu_per_s_mean: value('trace_ctu_per_s'),
      summary_ctu_per_s_mean: value('summary_ctu_per_s'),
    },
    outliers: Object.fromEntries(
      cases.flatMap(({ name, outliers }) => (outliers.length === 0 ? [] : [[name, outliers]])),
    ),
  };
}

/** Means under earlier names, and the measure that each is. */
const MEASURED_MEANS: Readonly<Record<string, string>> = {
  m1_update_count_mean: 'summary_count',
  m2_output_ctu_mean: 'summary_ctu',
  'm3_redundancy/jaccard_mean': 'redundancy',
  'm3_redundancy/threshold_rates/tau_0.85': 'redundancy_at_0.85',
  'm3_redundancy/threshold_rates/tau_0.90': 'redundancy_at_0.90',
  'm3_redundancy/threshold_rates/tau_0.95': 'redundancy_at_0.95',
  'm5_unsupported/global_rate_mean': 'unsupported_global',
  'm5_unsupported/per_summary_mean': 'unsupported_per_summary',
  'm7b_coverage_by_budget_mean/ctu_250': 'coverage_at_250',
  'm7b_coverage_by_budget_mean/ctu_500': 'coverage_at_500',
  'm7b_coverage_by_budget_mean/ctu_1000': 'coverage_at_1000',
  'm7b_coverage_by_budget_mean/ctu_2000': 'coverage_at_2000',
  'm8_latency_ms_mean/summary': 'summary_latency_ms',
  'm8_latency_ms_mean/buffer_decision': 'decision_latency_ms',
  'm9_usage_ctu_mean/buffer_decision_count': 'decision_count',
  'm9_usage_ctu_mean/buffer_decision_ctu': 'decision_ctu',
  'm9_usage_ctu_mean/total': 'llm_ctu_total',
  'm10_compliance/schema_failure_rate_mean': 'schema_failure_rate',
  'flush_statistics/flush_count_mean': 'flush_count',
  'overhead_attribution/control_plane_latency_pct': 'decision_latency_share',
  'virtual_time_throughput/trace_ctu_per_s_mean': 'trace_ctu_per_s',
  'virtual_time_throughput/summary_ctu_per_s_mean': 'summary_ctu_per_s',
};

/** Those that are 1 minus a measure. */
const MIRRORED_MEANS: Readonly<Record<string, string>> = {
  'm10_compliance/compliance_rate_mean': 'schema_failure_rate',
  'overhead_attribution/content_plane_latency_pct': 'decision_latency_share',
};

/** Those that no measure is: means of a field of the cases' records. */
const FIELD_MEANS: Readonly<Record<string, string>> = {
  'm9_usage_ctu_mean/prompt': 'm9_prompt_ctu_total',
  'm9_usage_ctu_mean/completion': 'm9_completion_ctu_total',
  'virtual_time_throughput/duration_ms_mean': 'virtual_time_duration_ms',
  'virtual_time_throughput/trace_ctu_mean': 'trace_ctu',
};

function intervalsOf(
  of: (name: string) => MeasureValue | undefined,
  records: readonly Readonly<Record<string, unknown>>[],
  reasonCounts: ReadonlyMap<string, readonly number[]>,
  settings: ResampleSettings | null,
): Record<string, MeanInterval> {
  const found: Record<string, MeanInterval> = {};
  for (const [path, name] of Object.entries(MEASURED_MEANS)) found[path] = measuredInterval(of(name));
  for (const [path, name] of Object.entries(MIRRORED_MEANS)) found[path] = measuredInterval(of(name), true);
  for (const [path, field] of Object.entries(FIELD_MEANS))
    found[path] = caseMeanInterval(numbersOf(records.map((record) => record[field])), settings);
  for (const [reason, counts] of reasonCounts)
    found[`flush_statistics/flush_reason_counts_mean/${reason}`] = caseMeanInterval(counts, settings);
  return found;
}

/** The interval of a mean, or why it is absent. */
type MeanInterval =
  | { readonly low: number; readonly high: number; readonly n: number }
  | { readonly undefined: string };

/** Of a measure of the run; `mirrored`: of 1 minus its value. */
function measuredInterval(own: MeasureValue | undefined, mirrored = false): MeanInterval {
  if (own === undefined) return { undefined: 'the recipe does not measure it' };
  const { interval, noInterval, n } = own;
  if (interval === null) return { undefined: own.undefined ?? noInterval ?? 'not known' };
  const { low, high } = interval;
  return mirrored ? { low: 1 - high, high: 1 - low, n } : { low, high, n };
}

/** Of a mean of the cases' own values, resampled as numpy would; `settings` null: none are asked for. */
function caseMeanInterval(values: readonly number[], settings: ResampleSettings | null): MeanInterval {
  if (settings === null) return { undefined: 'not asked for' };
  const { low, high, note, n } = bootstrap(values, { ...settings, compat: 'numpy' });
  return low === null || high === null || note !== null ? { undefined: note ?? 'not known' } : { low, high, n };
}

function flushReasons(
  logged: readonly { readonly item: { readonly kind: string; readonly label: string } }[],
): string[] {
  return logged.flatMap(({ item }) => (item.kind === 'flush' ? [item.label] : []));
}

function numbersOf(values: readonly unknown[]): number[] {
  return values.filter((value) => typeof value === 'number');
}

function meanOf(values: readonly unknown[]): number | null {
  const numbers = numbersOf(values);
  return numbers.length === 0 ? null : pairwiseSum(numbers) / numbers.length;
}

function plain(distribution: PooledDistribution | null, own: MeasureValue | undefined): object | null {
  if (distribution === null) return null;
  const { percentiles, cases: _, ...ends } = distribution;
  return {
    ...ends,
    ...Object.fromEntries(percentiles.map(({ name, value }) => [name, value])),
    intervals: {
      ...Object.fromEntries(
        percentiles.map(({ name, interval, noInterval }) => [
          name,
          interval === null ? { undefined: noInterval } : { low: interval.low, high: interval.high },
        ]),
      ),
      mean: measuredInterval(own),
    },
  };
}
