import { sortedJson } from '../../../data/sorted-json.ts';
import { sha256Of } from '../../../data/sha256-of.ts';
import { ctu } from '../ctu.ts';
import { fires } from './decision-answer.ts';
import { judge } from './heuristic-model-decision.ts';
import { extract } from './heuristic-model-summary.ts';
import type { CallUsage, StreamModel } from './model.ts';
import { decisionPrompt, summaryPrompt } from './prompts.ts';

export const HEURISTIC_ID = 'heuristic-1';
export const HEURISTIC_NOTE =
  'answers by a fixed rule over English words, not by a language model; figures made with it say nothing about a model';

/**
 * Stands in for a model where there is none: the same text always gets the same answer, without a network and for
 * nothing. It is given what a model would be given, and says in every log what it is.
 */
export function heuristicModel(): StreamModel {
  return {
    id: HEURISTIC_ID,
    kind: 'heuristic',
    note: HEURISTIC_NOTE,
    decide(request) {
      const { system, user } = decisionPrompt(request);
      const fields = judge(request);
      const { complete, relevant, novel } = fields;
      const usage = usageOf(system + user, sortedJson(fields));
      return Promise.resolve({
        summarize: fires(fields),
        complete,
        relevant,
        novel,
        usage,
        latencyMs: null,
        error: null,
      });
    },
    summarize(request) {
      const { system, user } = summaryPrompt(request);
      const content = extract(request.newBuffer, request.limits);
      return Promise.resolve({
        content,
        schemaOk: true,
        schemaError: null,
        limitsOk: true,
        failureMode: null,
        inputText: user,
        inputHash: sha256Of(user),
        usage: usageOf(system + user, sortedJson(content)),
        latencyMs: null,
      });
    },
  };
}

function usageOf(prompt: string, answer: string): CallUsage {
  return {
    promptCtu: ctu(prompt),
    completionCtu: ctu(answer),
    providerPromptTokens: null,
    providerCompletionTokens: null,
    modelId: HEURISTIC_ID,
  };
}
