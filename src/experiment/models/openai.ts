import { openaiCompatible } from './openai-compatible.ts';
import type { Provider } from './provider.ts';

/** OpenAI itself: the same protocol, a known address, a key that has to be there. */
export const openai: Provider = {
  ...openaiCompatible,
  name: 'openai',
  keyNeeded: true,
  defaultBaseUrl: 'https://api.openai.com/v1',
};
