import type { LanguageModel } from 'ai';

import { UsageError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import { didYouMean } from '../../prepare/setting-error.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** Its package is loaded when a model of it is asked for, not before. */
export interface Provider extends ProviderSettings {
  readonly package: string;
  /** The model by the name that the provider knows it by; without a key, none is sent. */
  open(settings: {
    readonly model: string;
    readonly baseUrl: string;
    readonly key: string | null;
    readonly fetch: typeof globalThis.fetch;
  }): Promise<LanguageModel>;
}

const anthropic: Provider = {
  name: 'anthropic',
  package: '@ai-sdk/anthropic',
  keyVariables: ['ANTHROPIC_API_KEY'],
  keyNeeded: true,
  baseUrlVariable: 'ANTHROPIC_BASE_URL',
  defaultBaseUrl: 'https://api.anthropic.com/v1',
  async open({ model, baseUrl, key, fetch }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    // Anthropic's own clients take the address without the version, as ANTHROPIC_BASE_URL mostly has it.
    const baseURL = new URL(baseUrl).pathname === '/' ? new URL('/v1', baseUrl).href : baseUrl;
    return createAnthropic({ baseURL, apiKey: key ?? '', fetch }).languageModel(model);
  },
};

const google: Provider = {
  name: 'google',
  package: '@ai-sdk/google',
  keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
  keyNeeded: true,
  baseUrlVariable: null,
  defaultBaseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  async open({ model, baseUrl, key, fetch }) {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle({ baseURL: baseUrl, apiKey: key ?? '', fetch }).languageModel(model);
  },
};

/** Any server that speaks OpenAI's chat completions: local ones (llama.cpp, Ollama, vLLM) and gateways. */
const openaiCompatible: Provider = {
  name: 'openai-compatible',
  package: '@ai-sdk/openai-compatible',
  keyVariables: ['OPENAI_API_KEY'],
  keyNeeded: false,
  baseUrlVariable: 'OPENAI_BASE_URL',
  defaultBaseUrl: null,
  async open({ model, baseUrl, key, fetch }) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({
      name: 'openai-compatible',
      baseURL: baseUrl,
      ...(key === null ? {} : { apiKey: key }),
      // Whether a schema is sent is decided by the caller, prompt by prompt.
      supportsStructuredOutputs: true,
      // Else a stream does not say how many tokens it took.
      includeUsage: true,
      fetch,
    }).chatModel(model);
  },
};

/** OpenAI itself: the same protocol, a known address, a key that has to be there. */
const openai: Provider = {
  ...openaiCompatible,
  name: 'openai',
  keyNeeded: true,
  defaultBaseUrl: 'https://api.openai.com/v1',
};

export const PROVIDERS: readonly Provider[] = [openai, google, anthropic, openaiCompatible];

const PRINTABLE = /^[!-~]+$/;

// Names as people type them, by whose models are called so.
const BARE_NAMES: readonly (readonly [RegExp, Provider])[] = [
  [/^gemini-/, google],
  [/^claude-/, anthropic],
  [/^(?:gpt-|chatgpt-|o\d)/, openai],
];

/** `PROVIDER/NAME`, or a name that shows its provider, else a model of the OpenAI-compatible server that is known. */
export function parseModelName(given: string, hasServer = false) {
  const slash = given.indexOf('/');
  const name = slash < 0 ? given : given.slice(0, slash);
  const names = PROVIDERS.map((one) => one.name);
  const near = didYouMean(name, names);
  const known = PROVIDERS.find((one) => one.name === name);
  const bare = slash < 0 ? BARE_NAMES.find(([begins]) => begins.test(given))?.[1] : undefined;
  // A slip in the name of a provider would send its models elsewhere.
  const served = hasServer && (slash < 0 || near === null) ? openaiCompatible : undefined;
  const provider = known ?? bare ?? served;
  if (provider === undefined)
    throw new UsageError(
      `unknown provider ${visible(name)}: known are ${names.join(', ')}`,
      near ?? 'name a model as PROVIDER/NAME, such as openai/gpt-4o-mini',
    );
  const model = known === undefined ? given : given.slice(name.length + 1);
  if (PRINTABLE.test(model)) return { provider, model };
  throw new UsageError(
    `${visible(given)} names no model of ${provider.name}`,
    `expected ${provider.name}/NAME, the name as the provider writes it`,
  );
}
