import { UsageError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import { nearestNames } from '../../text/nearest.ts';
import { anthropic } from './anthropic.ts';
import { google } from './google.ts';
import { openaiCompatible } from './openai-compatible.ts';
import { openai } from './openai.ts';
import type { Provider } from './provider.ts';

export const PROVIDERS: readonly Provider[] = [openai, google, anthropic, openaiCompatible];

const PRINTABLE = /^[!-~]+$/;

/** `PROVIDER/NAME`; a name may have slashes of its own. */
export function parseModelName(given: string): { readonly provider: Provider; readonly model: string } {
  const slash = given.indexOf('/');
  const name = slash < 0 ? given : given.slice(0, slash);
  const model = slash < 0 ? '' : given.slice(slash + 1);
  const provider = PROVIDERS.find((one) => one.name === name);
  const names = PROVIDERS.map((one) => one.name);
  if (provider === undefined) {
    const near = nearestNames(name, names);
    throw new UsageError(
      `unknown provider ${visible(name)}: known are ${names.join(', ')}`,
      near.length > 0
        ? `did you mean ${near.join(' or ')}?`
        : `name a model as PROVIDER/NAME, such as openai/gpt-4o-mini`,
    );
  }
  if (!PRINTABLE.test(model))
    throw new UsageError(
      `${visible(given)} names no model of ${name}`,
      `expected ${name}/NAME, the name as the provider writes it`,
    );
  return { provider, model };
}
