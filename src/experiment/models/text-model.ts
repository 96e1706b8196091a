import type { TextCompletion, TextModel } from '../../tasks/stream/replay/model.ts';
import { baseUrlOf, type Environment, keyOf, refuseToLeakKey } from './access.ts';
import { guardedFetch } from './guarded-fetch.ts';
import type { AnswerFormat, Attempt, Generated, StreamedPiece } from './generate.ts';
import type { ProviderPrompt } from './provider-prompt.ts';
import { parseModelName } from './providers.ts';
import { type RetryPolicy, withRetries } from './retry.ts';
import { withoutKey } from './secret.ts';

export interface TextModelOptions extends Partial<RetryPolicy> {
  /** 0 unless told; null sends none, for models that take none. */
  readonly temperature?: number | null;
  readonly topP?: number;
  readonly seed?: number;
  /** For one attempt. */
  readonly timeoutMs?: number;
  readonly maxOutputTokens?: number;
  /** Address of the server, where it is not the provider's own. */
  readonly baseUrl?: string;
  /** Says that this address comes from a file that others may have written: no key goes to a server that it alone names. */
  readonly isBaseUrlFromFile?: boolean;
  /** How the answer's form is asked for, beside the words of the prompt: by its schema unless told. */
  readonly answerFormat?: AnswerFormat;
  /** Gives up all calls. */
  readonly signal?: AbortSignal;
  /** Where keys and addresses are looked up; the process's own unless told. */
  readonly environment?: Environment;
}

/** A model of a provider. */
export interface ProviderModel extends TextModel {
  /** The signal gives up this call alone. */
  complete(prompt: ProviderPrompt, options?: { readonly signal?: AbortSignal }): Promise<ProviderCompletion>;
  /** The same, and when each piece of the text arrived; what came of an attempt that failed is not in it. */
  stream(prompt: ProviderPrompt, options?: { readonly signal?: AbortSignal }): Promise<StreamedCompletion>;
  /** Where it is served. */
  readonly baseUrl: string;
  /** What the provider did not do as asked (a setting it ignores), each once, in the order it came up. */
  readonly warnings: ReadonlySet<string>;
}

export interface ProviderCompletion extends TextCompletion {
  /** Of the attempt that was answered: waiting for others is not the model's time. */
  readonly latencyMs: number;
  readonly attempts: number;
  /** Why the model stopped: `stop`, `length`, … */
  readonly finish: string;
}

export interface StreamedCompletion extends ProviderCompletion {
  readonly pieces: readonly StreamedPiece[];
}

const RETRY: RetryPolicy = { retries: 3, backoffMs: 1000, longestWaitMs: 60_000 };
const TIMEOUT_MS = 60_000;

/**
 * The model that `PROVIDER/NAME` names, or a name that says whose it is. Keys come from the environment and are in no answer and no error. What is wrong
 * with the call (an unknown provider, a missing key) is a UsageError at once; what goes wrong later is a ModelError.
 *
 * @example const model = await textModel('google/gemini-2.5-flash-lite')
 */
export async function textModel(name: string, options: TextModelOptions = {}): Promise<ProviderModel> {
  const environment = options.environment ?? process.env;
  const { provider, model } = parseModelName(name, hasServer(options.baseUrl, environment));
  const key = keyOf(provider, environment);
  const baseUrl = baseUrlOf(provider, options.baseUrl, environment);
  const isFromFile = options.baseUrl !== undefined && options.isBaseUrlFromFile === true;
  refuseToLeakKey(provider, { key, baseUrl, isFromFile }, environment);
  const languageModel = await provider.open({ model, baseUrl, key, fetch: guardedFetch() });
  // Only now: the SDK takes its time to load.
  const { generate, generateStreamed } = await import('./generate.ts');

  const warnings = new Set<string>();
  const {
    temperature = 0,
    topP,
    seed,
    timeoutMs = TIMEOUT_MS,
    maxOutputTokens,
    answerFormat = 'schema',
    signal,
  } = options;
  const policy = { ...RETRY, ...retryOptions(options) };
  const settings = { model: languageModel, key, temperature, topP, seed, timeoutMs, maxOutputTokens, answerFormat };
  const asked = async <T extends Generated>(
    attempt: (settings: Attempt) => Promise<T>,
    own: AbortSignal | undefined,
  ): Promise<Omit<T, 'warnings'> & { readonly attempts: number }> => {
    const signals = [signal, own].filter((one) => one !== undefined);
    const given = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    const { value, attempts } = await withRetries(() => attempt({ ...settings, signals }), policy, given);
    const { warnings: said, ...rest } = value;
    for (const warning of said) warnings.add(withoutKey(warning, key));
    return { ...rest, attempts };
  };
  return {
    id: `${provider.name}/${model}`,
    baseUrl,
    warnings,
    complete: (prompt, call = {}) => asked((own) => generate(prompt, own), call.signal),
    stream: (prompt, call = {}) => asked((own) => generateStreamed(prompt, own), call.signal),
  };
}

function hasServer(baseUrl: string | undefined, environment: Environment): boolean {
  return baseUrl !== undefined || (environment['OPENAI_BASE_URL']?.trim() ?? '') !== '';
}

function retryOptions({ retries, backoffMs, longestWaitMs }: TextModelOptions): Partial<RetryPolicy> {
  return {
    ...(retries === undefined ? {} : { retries }),
    ...(backoffMs === undefined ? {} : { backoffMs }),
    ...(longestWaitMs === undefined ? {} : { longestWaitMs }),
  };
}
