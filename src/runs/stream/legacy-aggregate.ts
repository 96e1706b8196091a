import { pairwiseSum } from '../../measure/pairwise-sum.ts';
import type { MeasureValue } from '../../measure/tally.ts';
import type { PooledDistribution } from '../../stats/pooled-distribution.ts';
import { legacyCase, renamed } from './legacy-case.ts';
import type { MeasuredVariant } from './measure-stream.ts';

/** All variants under the names that the seed's tools use: aggregate.metrics.json, without a time. */
export function legacyAggregate(variants: readonly MeasuredVariant[]): Record<string, unknown> {
  const settings = variants[0]?.run.manifest.recipe.resolved['interval'];
  return {
    schema_name: 'assay.stream.metrics',
    schema_version: '1.0.0',
    metrics_type: 'aggregate',
    interval: settings,
    note: 'unsupported rates: lower is better. No clinical outcome is claimed.',
    variants: Object.fromEntries(variants.map((measured) => [measured.variant, variantRecord(measured)])),
  };
}

/** The cases of all variants, one record each. */
export function legacyCases(variants: readonly MeasuredVariant[]): Record<string, unknown>[] {
  return variants.flatMap(({ variant, cases }) =>
    cases.map(({ result, given, name, outliers }) => legacyCase({ result, given, variant, name, outliers })),
  );
}

function variantRecord({ variant, run, cases, distributions, models }: MeasuredVariant): Record<string, unknown> {
  const overall = run.measures.measures.filter(({ slice }) => Object.keys(slice).length === 0);
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
  const records = cases.map(({ result, given, name, outliers }) =>
    legacyCase({ result, given, variant, name, outliers }),
  );
  const mean = (field: string): number | null => meanOf(records.map((record) => record[field]));
  const total = (field: string): number => numbersOf(records.map((record) => record[field])).reduce((a, b) => a + b, 0);
  const reasons = [...new Set(cases.flatMap(({ given }) => flushReasons(given.logged ?? [])))].sort();
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
      summary: plain(distributions['summary_latency_ms'] ?? null),
      buffer_decision: plain(distributions['decision_latency_ms'] ?? null),
    },
    m9_usage_ctu_mean: {
      buffer_decision_count: value('decision_count'),
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
        reasons.map((reason) => [
          reason,
          meanOf(cases.map(({ given }) => flushReasons(given.logged ?? []).filter((own) => own === reason).length)),
        ]),
      ),
      flush_accumulated_ctu_distribution: plain(distributions['flush_ctu'] ?? null),
      flush_interval_ms_distribution: plain(distributions['flush_interval_ms'] ?? null),
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

function plain(distribution: PooledDistribution | null): object | null {
  if (distribution === null) return null;
  const { count, min, max, mean, percentiles } = distribution;
  return {
    count,
    min,
    max,
    mean,
    ...Object.fromEntries(percentiles.map(({ share, value }) => [`p${share * 100}`, value])),
    intervals: Object.fromEntries(
      percentiles.map(({ share, interval, noInterval }) => [
        `p${share * 100}`,
        interval === null ? { undefined: noInterval } : { low: interval.low, high: interval.high },
      ]),
    ),
  };
}
