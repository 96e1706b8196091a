import type { Case, MeasureValue } from '../../index.ts';
import { percentile } from '../../stats.ts';
import { endsAndMean, loggedNumbers, LOGGED_SHARES } from './logged-numbers.ts';
import { caseMetrics } from './metric-names.ts';
import { METRICS_SCHEMA } from './metric-records.ts';
import type { MeasuredCase } from './measure-stream.ts';

interface LegacyCase extends MeasuredCase {
  readonly variant: string;
  /** The measures of its variant, for their directions. */
  readonly measures: readonly MeasureValue[];
}

/** The measures whose names begin so, as many as the recipe has, under the names of the seed's tools. */
export function renamed(
  measures: Readonly<Record<string, number | null>>,
  begin: string,
  instead: string,
): Record<string, number | null> {
  const own = Object.entries(measures).filter(([name]) => name.startsWith(begin));
  return Object.fromEntries(own.map(([name, value]) => [`${instead}${name.slice(begin.length)}`, value]));
}

/**
 * One line of per_case.metrics.jsonl: `metrics` by the numbers of the seed document, and beside it the values under the
 * names of the published files, whose numbers are others.
 */
export function legacyCase({ result, given, variant, name, outliers, measures }: LegacyCase): Record<string, unknown> {
  const value = (measure: string): number | null => result.measures[measure] ?? null;
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  const of = (kind: 'summary' | 'decision' | 'flush' | 'trace', field: string): number[] =>
    loggedNumbers(given, kind, field);
  const summaries = (given.logged ?? []).filter(({ item }) => item.kind === 'summary');
  const failures = summaries.filter(({ verdict }) => verdict === 'spurious').length;
  const [summaryTimes, decisionTimes] = [of('summary', 'latency_ms'), of('decision', 'latency_ms')];
  const [summaryLatency, decisionLatency] = [distribution(summaryTimes), distribution(decisionTimes)];
  const [summaryTime, decisionTime] = [sum(summaryTimes), sum(decisionTimes)];
  const time = decisionTime + summaryTime;
  const prompt = sum([...of('summary', 'prompt_ctu'), ...of('decision', 'prompt_ctu')]);
  const completion = sum([...of('summary', 'completion_ctu'), ...of('decision', 'completion_ctu')]);
  return {
    schema_name: METRICS_SCHEMA.name,
    schema_version: METRICS_SCHEMA.version,
    metrics_type: 'per_case',
    case_id: name,
    variant_id: variant,
    failed: result.failed ?? null,
    metrics: caseMetrics(result, measures),
    compression_ratio: value('compression_ratio'),
    m1_update_count: summaries.length,
    m2_output_ctu: sum(of('summary', 'summary_ctu')),
    m3_redundancy_jaccard_mean: value('redundancy'),
    m3_redundancy_threshold_rates: renamed(result.measures, 'redundancy_at_', 'tau_'),
    m4_trace_coverage: value('trace_coverage'),
    m4_trace_cui_count: given.gold.length,
    m4_summary_cui_count: given.predicted.length,
    m5_unsupported_global_rate: value('unsupported_global'),
    m5_unsupported_per_summary_mean: value('unsupported_per_summary'),
    m6a_mean: value('unsupported_in_window'),
    m6b_mean: value('unsupported_in_contract'),
    faithfulness_valid_event_count: summaries.length - failures,
    excluded_from_faithfulness_count: failures,
    schema_failures: failures,
    m7b_coverage_by_budget: renamed(result.measures, 'coverage_at_', 'ctu_'),
    m8_summary_latency_ms_mean: summaryLatency?.mean ?? null,
    m8_summary_latency_distribution_ms: summaryLatency,
    m8_buffer_decision_latency_ms_mean: decisionLatency?.mean ?? null,
    m8_buffer_decision_latency_distribution_ms: decisionLatency,
    m9_buffer_decision_count: of('decision', 'input_ctu').length,
    m9_buffer_decision_ctu: sum([...of('decision', 'prompt_ctu'), ...of('decision', 'completion_ctu')]),
    m9_prompt_ctu_total: prompt,
    m9_completion_ctu_total: completion,
    m9_total_llm_ctu: prompt + completion,
    m10_schema_failure_count: failures,
    m10_schema_failure_rate: summaries.length === 0 ? null : failures / summaries.length,
    m10_compliance_rate: summaries.length === 0 ? null : 1 - failures / summaries.length,
    flush_count: of('flush', 'ctu').length,
    flush_reason_counts: reasons(given),
    flush_accumulated_ctu_distribution: distribution(of('flush', 'ctu')),
    flush_interval_ms_distribution: distribution(of('flush', 'interval_ms')),
    stub_trace_detected: given.fields['stub'] === true,
    parsing_statistics:
      given.logged?.find(({ item }) => item.kind === 'trace')?.item.fields['parsing_statistics'] ?? null,
    trace_ctu: of('trace', 'trace_ctu')[0] ?? null,
    virtual_time_duration_ms: of('trace', 'duration_ms')[0] ?? null,
    trace_ctu_per_s: value('trace_ctu_per_s'),
    summary_ctu_per_s: value('summary_ctu_per_s'),
    control_plane_latency_ms: decisionTime,
    content_plane_latency_ms: summaryTime,
    total_plane_latency_ms: time,
    control_plane_latency_pct: time === 0 ? null : decisionTime / time,
    content_plane_latency_pct: time === 0 ? null : summaryTime / time,
    outlier_flags: outliers,
    outlier_latency_spike: outliers.includes('latency_spike'),
    outlier_excessive_flushes: outliers.includes('excessive_flushes'),
    outlier_low_coverage: outliers.includes('low_coverage'),
  };
}

function reasons({ logged = [] }: Case): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { item } of logged) if (item.kind === 'flush') counts.set(item.label, (counts.get(item.label) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function distribution(values: readonly number[]): ReturnType<typeof endsAndMean> | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const percentiles = Object.fromEntries(LOGGED_SHARES.map((share) => [`p${share * 100}`, percentile(sorted, share)]));
  return { ...endsAndMean(values), ...percentiles };
}
