import type { CaseResult, MeasureValue } from '../../index.ts';

/** Numbers, names and directions of the measures that the document defines; `measure` is our name. */
interface DocumentMetric {
  readonly metric: string;
  readonly title: string;
  readonly measure: string;
  readonly direction: 'higher' | 'lower';
}

/** Measures in every metric file, whether or not the recipe has them. The preset's symbols are these numbers. */
export const DOCUMENT_METRICS: readonly DocumentMetric[] = [
  { metric: 'M1', title: 'compression ratio', measure: 'compression_ratio', direction: 'higher' },
  { metric: 'M2', title: 'summary count', measure: 'summary_count', direction: 'lower' },
  { metric: 'M3', title: 'redundancy', measure: 'redundancy', direction: 'lower' },
  { metric: 'M4', title: 'trace coverage', measure: 'trace_coverage', direction: 'higher' },
  { metric: 'M5a', title: 'unsupported global', measure: 'unsupported_global', direction: 'lower' },
  { metric: 'M5b', title: 'unsupported per-summary', measure: 'unsupported_per_summary', direction: 'lower' },
  {
    metric: 'M6a',
    title: 'window-groundedness (unsupported share)',
    measure: 'unsupported_in_window',
    direction: 'lower',
  },
  {
    metric: 'M6b',
    title: 'contract-groundedness (unsupported share)',
    measure: 'unsupported_in_contract',
    direction: 'lower',
  },
  { metric: 'M7', title: 'mean latency', measure: 'summary_latency_ms', direction: 'lower' },
  { metric: 'M8', title: 'LLM usage', measure: 'llm_ctu_total', direction: 'lower' },
  { metric: 'M9', title: 'BufferAgent overhead', measure: 'decision_count', direction: 'lower' },
  { metric: 'M9', title: 'BufferAgent overhead', measure: 'decision_ctu', direction: 'lower' },
  { metric: 'M10', title: 'schema failure rate', measure: 'schema_failure_rate', direction: 'lower' },
  { metric: 'M10', title: 'schema failures', measure: 'schema_failures', direction: 'lower' },
];

/** The name of a measure in metric files: its number and its name, `m1_compression_ratio`; without a number its name. */
export function metricField(name: string, symbol?: string): string {
  const number = metricNumber(name, symbol);
  return number === null ? name : `${number.toLowerCase()}_${name}`;
}

/** The document's measures keep their number if a recipe gives them no symbol. */
function metricNumber(name: string, symbol?: string): string | null {
  return DOCUMENT_METRICS.find(({ measure }) => measure === name)?.metric ?? symbol ?? null;
}

/**
 * Fields of a case's record that carry the numbering of the published files, which is an earlier one: `m2_output_ctu` is
 * not the document's M2. Each with the metric of the same value.
 */
export const EARLIER_FIELDS: Readonly<Record<string, string>> = {
  compression_ratio: 'm1_compression_ratio',
  m1_update_count: 'm2_summary_count',
  m2_output_ctu: 'summary_ctu',
  m3_redundancy_jaccard_mean: 'm3_redundancy',
  m4_trace_coverage: 'm4_trace_coverage',
  m5_unsupported_global_rate: 'm5a_unsupported_global',
  m5_unsupported_per_summary_mean: 'm5b_unsupported_per_summary',
  m6a_mean: 'm6a_unsupported_in_window',
  m6b_mean: 'm6b_unsupported_in_contract',
  m8_summary_latency_ms_mean: 'm7_summary_latency_ms',
  m8_buffer_decision_latency_ms_mean: 'm7_decision_latency_ms',
  m9_total_llm_ctu: 'm8_llm_ctu_total',
  m9_buffer_decision_count: 'm9_decision_count',
  m9_buffer_decision_ctu: 'm9_decision_ctu',
  m10_schema_failure_count: 'm10_schema_failures',
  m10_schema_failure_rate: 'm10_schema_failure_rate',
};

type Fields = Readonly<Record<string, unknown>>;

/** A case's measures by the seed document's numbers and names: those that it defines, then the recipe's others. */
export function caseMetrics({ measures }: CaseResult, overall: readonly MeasureValue[]): Record<string, Fields> {
  return byField(overall, ({ name, direction, unit }) => ({
    value: measures[name] ?? null,
    direction,
    ...(unit === undefined ? {} : { unit }),
  }));
}

/** The measures of a variant, likewise, with its interval. */
export function variantMetrics(overall: readonly MeasureValue[]): Record<string, Fields> {
  return byField(overall, (own) => ({
    value: own.value,
    undefined: own.undefined,
    n: own.n,
    direction: own.direction,
    ...(own.unit === undefined ? {} : { unit: own.unit }),
    interval: own.interval,
    no_interval: own.noInterval,
  }));
}

function byField(overall: readonly MeasureValue[], fields: (own: MeasureValue) => Fields): Record<string, Fields> {
  const metrics: Record<string, Fields> = {};
  for (const { metric, title, measure, direction } of DOCUMENT_METRICS) {
    const own = overall.find(({ name }) => name === measure);
    metrics[metricField(measure)] = {
      metric,
      name: measure,
      title,
      ...(own === undefined ? absent(direction) : fields(own)),
    };
  }
  for (const own of overall) {
    const { name, symbol } = own;
    metrics[metricField(name, symbol)] ??= { metric: metricNumber(name, symbol), name, ...fields(own) };
  }
  return metrics;
}

function absent(direction: 'higher' | 'lower'): Fields {
  const why = 'the recipe does not measure it';
  return { value: null, undefined: why, n: 0, direction, interval: null, no_interval: why };
}
