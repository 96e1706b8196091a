import type { Provider } from './provider.ts';

/** Claude models by the Messages API. */
export const anthropic: Provider = {
  name: 'anthropic',
  keyVariables: ['ANTHROPIC_API_KEY'],
  keyNeeded: true,
  baseUrlVariable: 'ANTHROPIC_BASE_URL',
  defaultBaseUrl: 'https://api.anthropic.com/v1',
  async open({ model, baseUrl, key, fetch }) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic({ baseURL: withVersion(baseUrl), apiKey: key ?? '', fetch }).languageModel(model);
  },
};

/** Anthropic's own clients take the address without the version, as ANTHROPIC_BASE_URL mostly has it. */
function withVersion(baseUrl: string): string {
  return new URL(baseUrl).pathname === '/' ? new URL('/v1', baseUrl).href : baseUrl;
}
