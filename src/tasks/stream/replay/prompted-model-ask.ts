import { ctu } from '../ctu.ts';
import { type JsonInAnswer, jsonInAnswer } from './json-in-answer.ts';
import type { CallUsage } from './model.ts';
import type { TextModel, TextPrompt } from '../../../experiment/models/text-prompt.ts';

export interface PromptedOptions {
  /** Failures with which it is of no use to go on (a refused key, a run given up): they are thrown, not logged. */
  readonly endsTheRun?: (error: unknown) => boolean;
}

/** How it went with a model so far. */
export interface PromptedCounts {
  calls: number;
  /** Calls without an answer. */
  failed: number;
  /** Answers with more around the JSON object than there should be, read all the same. */
  wrapped: number;
  /** Answers that could not be read, or lacked something. */
  unreadable: number;
  /** Summaries sent back for being too long. */
  rewritten: number;
}

/** What came of one call. */
export interface Asked {
  readonly answer: JsonInAnswer | { readonly failure: string };
  readonly usage: CallUsage;
  readonly latencyMs: number | null;
}

export type Ask = (prompt: TextPrompt) => Promise<Asked>;

/** Puts a prompt to a model, counts, and makes a failed call a fact like any other. */
export function asker(model: TextModel, options: PromptedOptions, counts: PromptedCounts): Ask {
  return async (prompt) => {
    counts.calls += 1;
    const promptCtu = ctu(prompt.system + prompt.user);
    try {
      const { text, latencyMs, promptTokens, completionTokens } = await model.complete(prompt);
      const answer = jsonInAnswer(text);
      if (answer.error === undefined && answer.wrapped) counts.wrapped += 1;
      return {
        answer,
        latencyMs,
        usage: {
          promptCtu,
          completionCtu: ctu(text),
          providerPromptTokens: promptTokens,
          providerCompletionTokens: completionTokens,
          modelId: model.id,
        },
      };
    } catch (error) {
      if (options.endsTheRun?.(error) === true) throw error;
      counts.failed += 1;
      return {
        answer: { failure: `the call failed: ${error instanceof Error ? error.message : String(error)}` },
        latencyMs: null,
        // No text came back, and no text has no units; what the provider counted is not known.
        usage: {
          promptCtu,
          completionCtu: 0,
          providerPromptTokens: null,
          providerCompletionTokens: null,
          modelId: model.id,
        },
      };
    }
  };
}

/** Two calls for one answer. What is not known of one of them is not known of both. */
export function together(a: Asked, b: Asked): Pick<Asked, 'usage' | 'latencyMs'> {
  return {
    latencyMs: sum(a.latencyMs, b.latencyMs),
    usage: {
      promptCtu: sum(a.usage.promptCtu, b.usage.promptCtu),
      completionCtu: sum(a.usage.completionCtu, b.usage.completionCtu),
      providerPromptTokens: sum(a.usage.providerPromptTokens, b.usage.providerPromptTokens),
      providerCompletionTokens: sum(a.usage.providerCompletionTokens, b.usage.providerCompletionTokens),
      modelId: a.usage.modelId,
    },
  };
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
