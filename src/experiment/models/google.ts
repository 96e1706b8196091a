import type { Provider } from './provider.ts';

/** Gemini models by the Generative Language API. */
export const google: Provider = {
  name: 'google',
  keyVariables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
  keyNeeded: true,
  baseUrlVariable: null,
  defaultBaseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  async open({ model, baseUrl, key, fetch }) {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle({ baseURL: baseUrl, apiKey: key ?? '', fetch }).languageModel(model);
  },
};
