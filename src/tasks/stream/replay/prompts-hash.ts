import { sortedJson } from '../../../data/sorted-json.ts';
import { sha256Of } from '../../../data/sha256-of.ts';
import { SUMMARY_FIELDS } from '../run-log-records.ts';
import type { DecisionRequest, SummaryRequest } from './model.ts';
import { decisionPrompt, rewritePrompt, summaryPrompt } from './prompts.ts';
import { EMPTY_SUMMARY, SUMMARY_LIMITS } from './summary-answer.ts';

const WINDOW = { caseId: 'case', variant: 'variant', index: 0, startSeq: 0, endSeq: 0 };
const DECISION: Omit<DecisionRequest, 'novelty'> = {
  ...WINDOW,
  inputCtu: 0,
  context: 'context',
  segment: 'segment',
  history: [EMPTY_SUMMARY],
};
const SUMMARY: SummaryRequest = {
  ...WINDOW,
  newBuffer: 'new',
  newBufferHash: '',
  history: [EMPTY_SUMMARY],
  latest: EMPTY_SUMMARY,
};

/** `sha256:…` of everything that is said around the material: numbers made with another wording are other numbers. */
export function promptsHash(): string {
  const tooLong = SUMMARY_FIELDS.map((field) => ({ field, length: 0, limit: SUMMARY_LIMITS[field] }));
  const prompts = [
    decisionPrompt({ ...DECISION, novelty: true }),
    decisionPrompt({ ...DECISION, novelty: false }),
    summaryPrompt(SUMMARY),
    summaryPrompt({ ...SUMMARY, history: [], latest: null }),
    rewritePrompt(EMPTY_SUMMARY, tooLong),
  ];
  return sha256Of(sortedJson(prompts));
}
