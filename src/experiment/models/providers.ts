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

// Names as people type them, by whose models are called so.
const BARE_NAMES: readonly (readonly [RegExp, Provider])[] = [
  [/^gemini-/, google],
  [/^claude-/, anthropic],
  [/^(?:gpt-|chatgpt-|o\d)/, openai],
];

/**
 * `PROVIDER/NAME`; a name may have slashes of its own. Without a provider, the name says whose it is, or else belongs to
 * the OpenAI-compatible server whose address is known.
 *
 * @example parseModelName('gemini-2.5-flash', false).provider.name // 'google'
 */
export function parseModelName(
  given: string,
  hasServer = false,
): { readonly provider: Provider; readonly model: string } {
  const slash = given.indexOf('/');
  const name = slash < 0 ? given : given.slice(0, slash);
  const known = PROVIDERS.find((one) => one.name === name);
  if (known !== undefined) return { provider: known, model: nameOf(given.slice(name.length + 1), known, given) };
  const bare = slash < 0 ? BARE_NAMES.find(([begins]) => begins.test(given))?.[1] : undefined;
  if (bare !== undefined) return { provider: bare, model: nameOf(given, bare, given) };
  const names = PROVIDERS.map((one) => one.name);
  const near = nearestNames(name, names);
  // A slip in the name of a provider would send its models elsewhere.
  if (hasServer && (slash < 0 || near.length === 0))
    return { provider: openaiCompatible, model: nameOf(given, openaiCompatible, given) };
  throw new UsageError(
    `unknown provider ${visible(name)}: known are ${names.join(', ')}`,
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : `name a model as PROVIDER/NAME, such as openai/gpt-4o-mini`,
  );
}

function nameOf(model: string, { name }: Provider, given: string): string {
  if (PRINTABLE.test(model)) return model;
  throw new UsageError(
    `${visible(given)} names no model of ${name}`,
    `expected ${name}/NAME, the name as the provider writes it`,
  );
}
