import type { BufferDecision, SummaryEvent } from './run-log-records.ts';

/** How a log marks a summary whose call got no answer, beside answers that did not fit. */
export const NO_ANSWER = 'unexpected_error' as const;

/** A decision without an answer; what a model answers is true or false. */
export function isFailedDecision({ filter_results: { completeness_passed: answered } }: BufferDecision): boolean {
  return answered === null || answered === undefined;
}

export function isUnansweredSummary({ failure_mode: mode }: SummaryEvent): boolean {
  return mode === NO_ANSWER;
}
