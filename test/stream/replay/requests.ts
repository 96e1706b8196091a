import type { DecisionRequest, SummaryRequest } from '../../../src/stream/replay/model.ts';
import type { TextCompletion, TextModel, TextPrompt } from '../../../src/experiment/models/text-prompt.ts';
import type { SummaryContent } from '../../../src/stream/run-log-records.ts';

const WINDOW = { caseId: 'case-1', variant: 'V0', index: 0, startSeq: 5, endSeq: 90 };

export function decisionRequest(changes: Partial<DecisionRequest> = {}): DecisionRequest {
  return {
    ...WINDOW,
    inputCtu: 12,
    context: '(Buffer empty)',
    segment: 'doctor0:\nFever and cough for three weeks.',
    history: [],
    novelty: true,
    ...changes,
  };
}

export function summaryRequest(changes: Partial<SummaryRequest> = {}): SummaryRequest {
  return {
    ...WINDOW,
    newBuffer: 'doctor0:\nFever and cough for three weeks.',
    newBufferHash: 'sha256:00',
    history: [],
    latest: null,
    ...changes,
  };
}

export const SUMMARY: SummaryContent = {
  status_action: 'doctor0 took the history.',
  key_findings: 'Fever and cough for three weeks.',
  differential_rationale: 'Tuberculosis, for the length of the cough.',
  uncertainty_confidence: 'Uncertainty not stated.',
  recommendation_next_step: 'Sputum culture.',
  agent_contributions: 'doctor0: history',
};

/** A model that gives each prompt the next answer; an error is thrown. */
export function scriptedModel(...answers: readonly (string | Error)[]): TextModel & { readonly prompts: TextPrompt[] } {
  const prompts: TextPrompt[] = [];
  return {
    id: 'test/scripted',
    prompts,
    complete(prompt): Promise<TextCompletion> {
      const answer = answers[prompts.length]!;
      prompts.push(prompt);
      return answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve({ text: answer, latencyMs: 100 * prompts.length, promptTokens: 40, completionTokens: 20 });
    },
  };
}
