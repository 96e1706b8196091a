/** A model that turns one prompt into one text: all that a provider has to be able to do. */
export interface TextModel {
  readonly id: string;
  complete(prompt: TextPrompt): Promise<TextCompletion>;
}

export interface TextPrompt {
  readonly system: string;
  readonly user: string;
  /** In place of `user`, where there are several turns. */
  readonly messages?: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  /** JSON Schema of the answer, for models that can be held to one; null: its form is left to the words of the prompt. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly schemaName: string;
  /** False: the schema leaves fields open, so that a server that wants all of them named must not be strict about it. */
  readonly strict?: boolean;
}

export interface TextCompletion {
  readonly text: string;
  /** Of the attempt that was answered: waiting for others is not the model's time. Null for an answer from a batch. */
  readonly latencyMs: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

/** What a server is held to: the JSON Schema of the answer, any JSON, or nothing but the words of the prompt. */
export type AnswerFormat = 'schema' | 'json' | 'text';
