import { ModelError } from '../models/model-error.ts';
import type { ProviderPrompt } from '../models/provider-prompt.ts';
import type { ProviderModel } from '../models/text-model.ts';
import { givenUp } from './given-up.ts';
import { TargetError, type Usage } from './target.ts';

/** What a model said, and what it took. */
export interface ModelAnswer {
  readonly text: string;
  /** It ran out of tokens before it was done. */
  readonly isCut: boolean;
  readonly usage: Usage;
  readonly latencyMs: number;
}

/** One call. A model's failures are the target's failures, kind for kind. */
export async function askModel(
  model: ProviderModel,
  prompt: ProviderPrompt,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  try {
    const { text, latencyMs, promptTokens, completionTokens, finish } = await model.complete(prompt, { signal });
    const usage = { inputTokens: promptTokens, outputTokens: completionTokens, cost: null };
    return { text, isCut: finish === 'length', usage, latencyMs };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { kind, message, retryAfterMs, spent } = error;
    if (kind === 'aborted') throw givenUp(signal);
    throw new TargetError({
      kind,
      message,
      retryAfterMs,
      usage:
        spent === null ? null : { inputTokens: spent.promptTokens, outputTokens: spent.completionTokens, cost: null },
      latencyMs: spent?.latencyMs ?? null,
    });
  }
}
