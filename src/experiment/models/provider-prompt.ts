import type { TextPrompt } from '../../tasks/stream/replay/model.ts';

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** What a provider's model can be asked: more than one text, where a prompt has more. */
export interface ProviderPrompt extends Omit<TextPrompt, 'schema'> {
  /** Null: the answer's form is left to the words of the prompt. */
  readonly schema: TextPrompt['schema'] | null;
  /** False: the schema leaves fields open, so that a server that wants all of them named must not be strict about it. */
  readonly strict?: boolean;
  /** In place of `user`, where there are several turns. */
  readonly messages?: readonly PromptMessage[];
}
