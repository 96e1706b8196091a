import { decisionFields, fires } from './decision-answer.ts';
import type { DecisionAnswer, DecisionRequest, StreamModel } from './model.ts';
import type { TextModel } from '../../../experiment/models/text-prompt.ts';
import { type Ask, type Asked, asker, type PromptedCounts, type PromptedOptions } from './prompted-model-ask.ts';
import { askForSummary } from './prompted-model-summary.ts';
import { promptsHash } from './prompts-hash.ts';
import { decisionPrompt } from './prompts.ts';

/** A model that is asked in words, with an account of how it went. */
export interface PromptedModel extends StreamModel {
  readonly kind: 'provider';
  /** `sha256:…` of the wording, for signatures. */
  readonly promptsHash: string;
  readonly counts: Readonly<PromptedCounts>;
}

/** Puts the middleware's two questions to a text model in our own words, and reads its answers. */
export function promptedModel(text: TextModel, options: PromptedOptions = {}): PromptedModel {
  const counts: PromptedCounts = { calls: 0, failed: 0, wrapped: 0, unreadable: 0, rewritten: 0 };
  const ask = asker(text, options, counts);
  return {
    id: text.id,
    kind: 'provider',
    note: null,
    promptsHash: promptsHash(),
    counts,
    decide: (request) => askForDecision(request, ask, counts),
    summarize: (request) => askForSummary(request, ask, counts),
  };
}

async function askForDecision(request: DecisionRequest, ask: Ask, counts: PromptedCounts): Promise<DecisionAnswer> {
  const { answer, usage, latencyMs } = await ask(decisionPrompt(request));
  const fields = readDecision(answer, request.novelty);
  if ('state' in fields) {
    const { complete, relevant, novel } = fields;
    return { summarize: fires(fields), complete, relevant, novel, usage, latencyMs, error: null };
  }
  if (!('failure' in answer)) counts.unreadable += 1;
  return { summarize: false, complete: null, relevant: null, novel: null, usage, latencyMs, error: fields.error };
}

function readDecision(answer: Asked['answer'], novelty: boolean): ReturnType<typeof decisionFields> {
  if ('failure' in answer) return { error: answer.failure };
  const fields = answer.error === undefined ? decisionFields(answer.value, novelty) : { error: answer.error };
  return 'state' in fields ? fields : { error: `the answer cannot be used: ${fields.error}` };
}
