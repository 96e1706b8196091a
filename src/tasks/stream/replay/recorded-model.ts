import { sha256Of } from '../../../data/sha256-of.ts';
import { NO_ANSWER } from '../failed-call.ts';
import type { BufferDecision, RunLog, SummaryEvent } from '../run-log-records.ts';
import type {
  CallUsage,
  DecisionAnswer,
  DecisionRequest,
  StreamModel,
  SummaryAnswer,
  SummaryRequest,
} from './model.ts';
import { recordedLogs } from './recorded-model-logs.ts';
import { tapes } from './recorded-model-tape.ts';
import { noSummary } from './summary-answer.ts';

export const RECORDED_ID = 'recorded';

/** Answers from earlier runs, with an account of how far they went. */
export interface RecordedModel extends StreamModel {
  readonly kind: 'recorded';
  readonly counts: Readonly<RecordedCounts>;
  /** `sha256:…` of the log that a case's answers come from; null where there is none. */
  answersHash(caseId: string, variant: string): Promise<string | null>;
  /** What the recorded log says about who answered: a stand-in stays one when it is played back. */
  noteOf(caseId: string, variant: string): Promise<string | null>;
}

export interface RecordedCounts {
  used: number;
  /** Asked for, and not recorded. */
  missing: number;
  /** Recorded for this window, but of another text. */
  otherText: number;
}

/**
 * Plays back the answers of run logs in DIR/VARIANT/. A decision and a summary are found by their window, in the order in
 * which they were recorded. What is not there fails as a call would, and says so.
 */
export function recordedModel(folder: string): RecordedModel {
  const counts: RecordedCounts = { used: 0, missing: 0, otherText: 0 };
  const tapeOf = tapes(recordedLogs(folder));
  return {
    id: RECORDED_ID,
    kind: 'recorded',
    note: 'answers recorded in an earlier run; model_id says whose they are',
    counts,
    answersHash: async (caseId, variant) => (await tapeOf(caseId, variant))?.sha256 ?? null,
    async noteOf(caseId, variant) {
      const model = (await tapeOf(caseId, variant))?.log.meta.model;
      if (model === undefined || (model.kind !== 'heuristic' && model.note === undefined)) return null;
      return `recorded from ${model.id} (${model.kind})${model.note === undefined ? '' : `: ${model.note}`}`;
    },

    async decide(request) {
      const tape = await tapeOf(request.caseId, request.variant);
      if (request.index === 0) tape?.decisions.rewind();
      const found = tape?.decisions.take(request, ({ input_ctu: units }) => units === request.inputCtu) ?? 'missing';
      if (typeof found !== 'string') {
        counts.used += 1;
        return decisionOf(found, tape!.log);
      }
      counts[found] += 1;
      return failedDecision(notThere(request, 'decision', found));
    },

    async summarize(request) {
      const tape = await tapeOf(request.caseId, request.variant);
      if (request.index === 0) tape?.summaries.rewind();
      const isOfText = ({ new_buffer_text_hash: hash }: SummaryEvent): boolean => hash === request.newBufferHash;
      const found = tape?.summaries.take(request, isOfText) ?? 'missing';
      if (typeof found !== 'string') {
        counts.used += 1;
        return summaryOf(found, tape!.log);
      }
      counts[found] += 1;
      return {
        ...noSummary(NO_ANSWER, notThere(request, 'summary', found)),
        inputText: null,
        // Nobody was given anything.
        inputHash: sha256Of(''),
        usage: NO_USAGE,
        latencyMs: null,
      };
    },
  };
}

function decisionOf(record: BufferDecision, log: RunLog): DecisionAnswer {
  const {
    completeness_passed: complete = null,
    value_passed: relevant = null,
    novelty_passed: novel = null,
  } = record.filter_results;
  return {
    summarize: record.decision === 'summarize',
    complete,
    relevant,
    novel,
    usage: usageOf(record, log),
    latencyMs: record.latency_ms ?? null,
    error: record.error ?? null,
  };
}

function failedDecision(error: string): DecisionAnswer {
  return { summarize: false, complete: null, relevant: null, novel: null, usage: NO_USAGE, latencyMs: null, error };
}

function summaryOf(record: SummaryEvent, log: RunLog): SummaryAnswer {
  return {
    content: record.summary_content,
    schemaOk: record.schema_ok,
    schemaError: record.schema_error,
    limitsOk: record.limits_ok,
    failureMode: record.failure_mode,
    inputText: record.summarizer_input_text ?? null,
    inputHash: record.summarizer_input_hash ?? null,
    usage: usageOf(record, log),
    latencyMs: record.latency_ms ?? null,
  };
}

const NO_USAGE: CallUsage = {
  promptCtu: null,
  completionCtu: null,
  providerPromptTokens: null,
  providerCompletionTokens: null,
  modelId: RECORDED_ID,
};

function usageOf({ llm_usage: usage }: BufferDecision | SummaryEvent, { meta }: RunLog): CallUsage {
  return {
    promptCtu: usage.prompt_ctu ?? null,
    completionCtu: usage.completion_ctu ?? null,
    providerPromptTokens: usage.provider_prompt_tokens ?? null,
    providerCompletionTokens: usage.provider_completion_tokens ?? null,
    modelId: usage.model_id ?? meta.model?.id ?? RECORDED_ID,
  };
}

function notThere(
  { caseId, variant, startSeq, endSeq }: DecisionRequest | SummaryRequest,
  what: 'decision' | 'summary',
  why: 'missing' | 'otherText',
): string {
  const place = `the ${what} of ${caseId} in ${variant} over ${startSeq} to ${endSeq}`;
  return `no recorded answer for ${place}${why === 'missing' ? '' : ': the one recorded there is of another text'}`;
}
