import type { BufferDecision, SummaryContent, SummaryEvent, SummaryLimits } from '../run-log-records.ts';

/** What the middleware asks when it has to decide whether to summarise. */
export interface DecisionRequest {
  readonly caseId: string;
  readonly variant: string;
  readonly index: number;
  readonly startSeq: number;
  readonly endSeq: number;
  readonly inputCtu: number;
  /** What was buffered since the last summary, rendered; `(Buffer empty)` if there is nothing. */
  readonly context: string;
  readonly segment: string;
  /** The summaries so far, the oldest first, at most history_k of them. */
  readonly history: readonly SummaryContent[];
  /** False if novelty is left out of the question. */
  readonly novelty: boolean;
}

export const STREAM_STATES = ['SAME_TOPIC_CONTINUING', 'TOPIC_SHIFT', 'CRITICAL_ALERT'] as const;
export type StreamState = (typeof STREAM_STATES)[number];

/** An answer in the fields of the log's record; a failed call has an error, and buffers. */
export type DecisionAnswer = Pick<BufferDecision, 'decision' | 'filter_results' | 'llm_usage' | 'latency_ms' | 'error'>;

/** What the middleware asks when it has decided to summarise. */
export interface SummaryRequest {
  readonly caseId: string;
  readonly variant: string;
  readonly index: number;
  readonly startSeq: number;
  readonly endSeq: number;
  readonly newBuffer: string;
  readonly newBufferHash: string;
  /** The summaries before the latest, the oldest first, at most history_k of them. */
  readonly history: readonly SummaryContent[];
  readonly latest: SummaryContent | null;
  /** Default: {@link SUMMARY_LIMITS}. */
  readonly limits?: SummaryLimits;
}

export type SummaryAnswer = Pick<
  SummaryEvent,
  | 'summary_content'
  | 'schema_ok'
  | 'schema_error'
  | 'limits_ok'
  | 'failure_mode'
  | 'summarizer_input_text'
  | 'summarizer_input_hash'
  | 'llm_usage'
  | 'latency_ms'
>;

export type CallUsage = SummaryEvent['llm_usage'];

/** What answers: a provider's model, recorded answers, or a rule that stands in for a model. */
export interface StreamModel {
  readonly id: string;
  readonly kind: 'recorded' | 'heuristic' | 'provider';
  /** What a reader has to know; in every log and report. */
  readonly note: string | null;
  decide(request: DecisionRequest): Promise<DecisionAnswer>;
  summarize(request: SummaryRequest): Promise<SummaryAnswer>;
}
