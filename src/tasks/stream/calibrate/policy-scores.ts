import type { ScoreName, ScoreReader } from './scores.ts';

export interface PolicyScore {
  /** Null where no case has a value. */
  readonly value: number | null;
  /** Cases with a value. */
  readonly n: number;
}
export type PolicyScores = Readonly<Record<ScoreName, PolicyScore>>;

/** All scores of a policy, each case counted as often as `times` says. */
export function policyScores(reader: ScoreReader, place: number, times: Float64Array): PolicyScores {
  const score = (name: ScoreName): PolicyScore => {
    const value = reader.score(name, place, times);
    return { value: Number.isNaN(value) ? null : value, n: reader.n(name, place, times) };
  };
  return {
    flush_count_mean: score('flush_count_mean'),
    ttff_content_p50_ms: score('ttff_content_p50_ms'),
    ttff_content_p95_ms: score('ttff_content_p95_ms'),
    ttff_trace_p50_ms: score('ttff_trace_p50_ms'),
    chunk_size_p50: score('chunk_size_p50'),
    chunk_size_p90: score('chunk_size_p90'),
    chunk_size_p95: score('chunk_size_p95'),
    chunk_size_max: score('chunk_size_max'),
    worst_wait_p50_ms: score('worst_wait_p50_ms'),
    worst_wait_p95_ms: score('worst_wait_p95_ms'),
    worst_wait_max_ms: score('worst_wait_max_ms'),
    late_wait_p95_ms: score('late_wait_p95_ms'),
    late_wait_max_ms: score('late_wait_max_ms'),
    gap_p95_ms: score('gap_p95_ms'),
    spam_pct_mean: score('spam_pct_mean'),
    timer_flush_pct_mean: score('timer_flush_pct_mean'),
    timer_under_min_pct_mean: score('timer_under_min_pct_mean'),
    tail_words_mean: score('tail_words_mean'),
    cases_without_flush: score('cases_without_flush'),
  };
}
