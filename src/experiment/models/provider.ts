import type { LanguageModel } from 'ai';

/** Somebody who serves models. One file each; its package is loaded when a model of it is asked for, not before. */
export interface Provider {
  /** What stands before the slash: `openai` in `openai/NAME`. */
  readonly name: string;
  /** The environment variables that may hold the key; the first that is set counts. */
  readonly keyVariables: readonly string[];
  /** False where servers may want no key. */
  readonly keyNeeded: boolean;
  /** The environment variable that may hold another address; null where there is none. */
  readonly baseUrlVariable: string | null;
  /** Null: the address has to be given. */
  readonly defaultBaseUrl: string | null;
  open(settings: ProviderSettings): Promise<LanguageModel>;
}

export interface ProviderSettings {
  /** Model name, as the provider knows it. */
  readonly model: string;
  readonly baseUrl: string;
  /** Null: none is sent. */
  readonly key: string | null;
  readonly fetch: typeof globalThis.fetch;
}
