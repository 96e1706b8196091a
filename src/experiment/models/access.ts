import { UsageError } from '../../data/problems.ts';
import type { Provider } from './provider.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

// What may stand in a header of a request.
const HEADER_TEXT = /^[!-~]+$/;

/** The key, from the environment and from nowhere else; null where none is set and none is needed. */
export function keyOf({ name, keyVariables, keyNeeded }: Provider, environment: Environment): string | null {
  const variable = keyVariables.find((one) => (environment[one]?.trim() ?? '') !== '');
  const key = variable === undefined ? '' : environment[variable]!.trim();
  if (key === '') {
    if (!keyNeeded) return null;
    throw new UsageError(
      `no key for ${name}: the environment variable ${keyVariables.join(' or ')} is not set`,
      `set it, such as: export ${keyVariables[0]!}=…`,
    );
  }
  // The value is not shown: it may be most of a key.
  if (!HEADER_TEXT.test(key))
    throw new UsageError(
      `${variable!} holds characters that no key has (a space, a line break, a letter outside ASCII)`,
    );
  return key;
}

/** Where the model is served: as given, else from the environment, else the provider's own address. */
export function baseUrlOf(provider: Provider, given: string | undefined, environment: Environment): string {
  const { name, baseUrlVariable, defaultBaseUrl } = provider;
  const fromEnvironment = baseUrlVariable === null ? '' : (environment[baseUrlVariable]?.trim() ?? '');
  const url = given ?? (fromEnvironment === '' ? defaultBaseUrl : fromEnvironment);
  if (url === null)
    throw new UsageError(
      `no address for ${name}`,
      `set ${baseUrlVariable ?? 'the base URL'}, such as: export ${baseUrlVariable ?? 'BASE_URL'}=http://localhost:8080/v1`,
    );
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw new UsageError(`the address of ${name} is no http or https URL`, 'such as http://localhost:8080/v1');
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    throw new UsageError(
      `the address of ${name} has a user, a password, a query or a fragment in it`,
      'give the plain address, and the key by its environment variable',
    );
  return parsed.href.replace(/\/+$/, '');
}
