import { type BatchFetch, withModelTime } from '../batch/batch-slot.ts';
import { loadOptional } from '../../data/optional-package.ts';
import { sha256Of } from '../../data/sha256-of.ts';
import { defined } from '../defined.ts';
import { type CallPolicy, callWithLimits } from '../limits/call-with-limits.ts';
import type { CallGate } from '../limits/rate.ts';
import { accessTo, type Environment, isForLook, setIn } from './access.ts';
import type * as Generate from './generate.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { parseModelName } from './providers.ts';
import { withoutKey } from './secrets.ts';
import type { AnswerFormat, TextPrompt } from './text-prompt.ts';

export interface TextModelOptions extends Partial<Omit<CallPolicy, 'rateRetries'>> {
  /** 0 unless told; null sends none, for models that take none. */
  readonly temperature?: number | null;
  readonly topP?: number;
  readonly seed?: number;
  readonly maxOutputTokens?: number;
  readonly baseUrl?: string;
  /** True if this address is from a file that others may have written: no key goes to a server that it alone names. */
  readonly isBaseUrlFromFile?: boolean;
  /** How the answer's form is asked for, beside the words of the prompt: by its schema unless told. */
  readonly answerFormat?: AnswerFormat;
  readonly signal?: AbortSignal;
  /** What calls wait for, by what providers count them for; nothing unless told. */
  readonly gateOf?: (rateKey: string) => CallGate;
  /** Where keys and addresses are looked up; the process's own unless told. */
  readonly environment?: Environment;
  /** Calls go into batches, and their answers have no latency. */
  readonly batches?: BatchFetch | undefined;
}

export type ProviderModel = Awaited<ReturnType<typeof textModel>>;

/**
 * The model that `PROVIDER/NAME` names, or a name that shows its provider. Keys come from the environment and are in no
 * answer and no error. Throws UsageError at once, TargetError later.
 *
 * @example const model = await textModel('google/gemini-2.5-flash-lite')
 */
export async function textModel(name: string, options: TextModelOptions = {}) {
  const environment = options.environment ?? process.env;
  const hasServer = options.baseUrl !== undefined || setIn(environment, 'OPENAI_BASE_URL') !== null;
  const { provider, model } = parseModelName(name, hasServer);
  const isFromFile = options.baseUrl !== undefined && options.isBaseUrlFromFile === true;
  const { key, baseUrl } = accessTo(provider, environment, options.baseUrl, isFromFile);
  const fetch = options.batches?.fetchFor(provider.name, key) ?? guardedFetch();
  const load = () =>
    loadOptional(`the model ${provider.name}/${model}`, ['ai', provider.package], async () => ({
      languageModel: await provider.open({ model, baseUrl, key, fetch }),
      sdk: await import('./generate.ts'),
    }));
  let loading: ReturnType<typeof load> | null = null;
  // Only now: the SDK takes its time to load. For a look it is not needed, and may not be installed.
  if (!isForLook(environment)) await (loading = load());

  const rateKey = sha256Of(JSON.stringify([provider.name, model, baseUrl, key]));
  const gate = options.gateOf?.(rateKey) ?? null;
  const warnings = new Set<string>();
  const { temperature: heat = 0, topP, seed, maxOutputTokens, answerFormat = 'schema', signal } = options;
  const { retries = 3, backoffMs = 1000, longestWaitMs = 60_000, timeoutMs = 60_000 } = options;
  const policy = { retries, rateRetries: retries, backoffMs, longestWaitMs, timeoutMs };
  const sampling = defined({ temperature: heat ?? undefined, topP, seed, maxOutputTokens });
  const asked = async <T extends { readonly warnings: readonly string[]; readonly latencyMs: number }>(
    attempt: (sdk: typeof Generate, settings: Generate.Attempt) => Promise<T>,
    own: AbortSignal | undefined,
  ) => {
    const { languageModel, sdk } = await (loading ??= load());
    const settings = { model: languageModel, key, sampling, answerFormat };
    const signals = [signal, own].filter((one) => one !== undefined);
    const once = (ended: AbortSignal): Promise<T> =>
      attempt(sdk, { ...settings, signal: ended }).catch((error: unknown) => {
        throw sdk.callFailure(error, key);
      });
    const over = signals.length === 1 ? signals[0]! : AbortSignal.any(signals);
    const { value, attempts, latencyMs } = await withModelTime(() => callWithLimits(once, gate, policy, over));
    const { warnings: said, ...rest } = value;
    for (const warning of said) warnings.add(withoutKey(warning, key));
    return { ...rest, latencyMs, attempts };
  };
  type Call = { readonly signal?: AbortSignal };
  return {
    id: `${provider.name}/${model}`,
    baseUrl,
    /** What providers count calls and tokens for. */
    rateKey,
    /** What the provider did not do as asked (a setting it ignores), each once, in the order it came up. */
    warnings,
    /** The signal gives up this call alone. */
    complete: (prompt: TextPrompt, call: Call = {}) => asked((sdk, own) => sdk.generate(prompt, own), call.signal),
    /** The same, with the time each piece of the text arrived; failed attempts leave no pieces. */
    stream: (prompt: TextPrompt, call: Call = {}) =>
      asked((sdk, own) => sdk.generateStreamed(prompt, own), call.signal),
  };
}
