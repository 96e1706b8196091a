import {
  type Budget,
  costOf,
  type Prices,
  TargetError,
  textModel,
  type TextModelOptions,
  type Usage,
} from '../../experiment.ts';
import type { ConversationModel } from './conversation.ts';
import type { Decoding } from './mas-config.ts';

/** Who speaks for the agents, and what is to be noted once they have spoken. */
export interface Speaker {
  readonly model: ConversationModel;
  readonly notices: () => string[];
}

/** A provider's model, whose calls are charged to a budget. */
export async function providerSpeaker(
  name: string,
  { temperature, top_p: topP, max_tokens: most, seed }: Decoding,
  budget: Budget,
  prices: Prices | null,
  options: TextModelOptions,
): Promise<Speaker> {
  const text = await textModel(name, {
    ...options,
    temperature,
    ...(topP === null ? {} : { topP }),
    ...(most === null ? {} : { maxOutputTokens: most }),
    ...(seed === null ? {} : { seed }),
    answerFormat: 'text',
  });
  let cut = 0;
  const spend = (usage: Usage): void => budget.spend(usage, costOf(usage, prices));
  const model: ConversationModel = {
    id: text.id,
    kind: 'provider',
    note: null,
    now: () => Math.round(performance.timeOrigin + performance.now()),
    async speak({ prompt }) {
      try {
        const answer = await text.stream({ ...prompt, schema: null, schemaName: 'turn' });
        spend({ inputTokens: answer.promptTokens, outputTokens: answer.completionTokens, cost: null });
        cut += answer.finish === 'length' ? 1 : 0;
        return answer.pieces;
      } catch (error) {
        if (error instanceof TargetError && error.usage !== null) spend(error.usage);
        throw error;
      }
    },
  };
  return {
    model,
    notices: () => [
      ...text.warnings,
      ...(cut === 0 ? [] : [`turns that were cut off at max_tokens ${most ?? ''}: ${cut}`]),
    ],
  };
}
