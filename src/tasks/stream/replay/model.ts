import type { SummaryContent, SummaryLimits } from '../run-log-records.ts';

/** What the middleware asks when it has to decide whether to summarise. */
export interface DecisionRequest {
  readonly caseId: string;
  readonly variant: string;
  readonly index: number;
  readonly startSeq: number;
  readonly endSeq: number;
  readonly inputCtu: number;
  /** What was buffered since the last summary, rendered; `(Buffer empty)` where there is nothing. */
  readonly context: string;
  /** What has just come, rendered. */
  readonly segment: string;
  /** The summaries so far, the oldest first, at most history_k of them. */
  readonly history: readonly SummaryContent[];
  /** False where novelty is left out of the question. */
  readonly novelty: boolean;
}

export const STREAM_STATES = ['SAME_TOPIC_CONTINUING', 'TOPIC_SHIFT', 'CRITICAL_ALERT'] as const;
export type StreamState = (typeof STREAM_STATES)[number];

export interface DecisionAnswer {
  /** Whether to summarise; a failed call buffers. */
  readonly summarize: boolean;
  readonly complete: boolean | null;
  readonly relevant: boolean | null;
  /** Null where it was not asked, or not answered. */
  readonly novel: boolean | null;
  readonly usage: CallUsage;
  readonly latencyMs: number | null;
  /** Why the call failed; null where it did not. */
  readonly error: string | null;
}

/** What the middleware asks when it has decided to summarise. */
export interface SummaryRequest {
  readonly caseId: string;
  readonly variant: string;
  readonly index: number;
  readonly startSeq: number;
  readonly endSeq: number;
  /** What is to be summarised, rendered. */
  readonly newBuffer: string;
  /** `sha256:…` of it. */
  readonly newBufferHash: string;
  /** The summaries before the latest, the oldest first, at most history_k of them. */
  readonly history: readonly SummaryContent[];
  readonly latest: SummaryContent | null;
  /** Absent: the usual ones. */
  readonly limits?: SummaryLimits;
}

export interface SummaryAnswer {
  readonly content: SummaryContent;
  readonly schemaOk: boolean;
  readonly schemaError: string | null;
  readonly limitsOk: boolean;
  readonly failureMode: string | null;
  /** What the summariser was given, as text. */
  readonly inputText: string | null;
  /** `sha256:…` of it; null where it is not known. */
  readonly inputHash: string | null;
  readonly usage: CallUsage;
  readonly latencyMs: number | null;
}

export interface CallUsage {
  readonly promptCtu: number | null;
  readonly completionCtu: number | null;
  readonly providerPromptTokens: number | null;
  readonly providerCompletionTokens: number | null;
  readonly modelId: string;
}

/** Whoever answers: a provider's model, recorded answers, or a rule that stands in for a model and says so. */
export interface StreamModel {
  readonly id: string;
  readonly kind: 'recorded' | 'heuristic' | 'provider';
  /** Stands in every log and report, where there is something that a reader has to know. */
  readonly note: string | null;
  decide(request: DecisionRequest): Promise<DecisionAnswer>;
  summarize(request: SummaryRequest): Promise<SummaryAnswer>;
}
