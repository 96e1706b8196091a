/** Somebody who serves models, without what the AI SDK makes of it: users of the library need no types of the SDK. */
export interface ProviderSettings {
  /** What stands before the slash: `openai` in `openai/NAME`. */
  readonly name: string;
  /** The environment variables that may hold the key; the first that is set counts. */
  readonly keyVariables: readonly string[];
  /** False where servers may want no key. */
  readonly keyNeeded: boolean;
  /** The environment variable that may hold another address; null if absent. */
  readonly baseUrlVariable: string | null;
  /** Null: the address has to be given. */
  readonly defaultBaseUrl: string | null;
}
