import type { Provider } from './provider.ts';

/** Any server that speaks OpenAI's chat completions: local ones (llama.cpp, Ollama, vLLM) and gateways. */
export const openaiCompatible: Provider = {
  name: 'openai-compatible',
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
