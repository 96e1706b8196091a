import { UsageError } from '../../data/problems.ts';
import { isLoopback } from './loopback.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { PROVIDERS } from './providers.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const HEADER_TEXT = /^[!-~]+$/;

/** Stands for a key where nobody is called. */
const NO_KEY = 'no-key-is-needed-for-a-look';

/** Servers that may have keys, beside those that are known to: `https://gateway.example, http://10.0.0.5:8000`. */
const KEY_SERVERS = 'ASSAY_KEY_SERVERS';

/** What an environment variable holds; null where it is not set, or to nothing. */
export function setIn(environment: Environment, variable: string | null): string | null {
  const value = variable === null ? '' : (environment[variable]?.trim() ?? '');
  return value === '' ? null : value;
}

/**
 * The address of a model (as given, else from the environment, else the provider's own) and the key that goes
 * there, from the environment alone. Refuses to send a key where it could be read on its way, or to a server that only the
 * file of an experiment names (`isFromFile`), which is passed around.
 */
export function accessTo(
  { name, keyVariables, keyNeeded, baseUrlVariable, defaultBaseUrl }: ProviderSettings,
  environment: Environment,
  given: string | undefined,
  isFromFile: boolean,
): { readonly key: string | null; readonly baseUrl: string } {
  const held = keyVariables.find((one) => setIn(environment, one) !== null) ?? keyVariables[0]!;
  const key = setIn(environment, held);
  if (key === null && keyNeeded)
    throw new UsageError(
      `no key for ${name}: the environment variable ${keyVariables.join(' or ')} is not set`,
      `set it, such as: export ${held}=…`,
    );
  // The value is not shown: it may be most of a key.
  if (key !== null && !HEADER_TEXT.test(key))
    throw new UsageError(`${held} holds characters that no key has (a space, a line break, a letter outside ASCII)`);
  const url = given ?? setIn(environment, baseUrlVariable) ?? defaultBaseUrl;
  if (url === null)
    throw new UsageError(
      `no address for ${name}`,
      `set ${baseUrlVariable ?? 'the base URL'}, such as: export ${baseUrlVariable ?? 'BASE_URL'}=http://localhost:8080/v1`,
    );
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw new UsageError(`the address of ${name} is no http or https URL`, 'such as http://localhost:8080/v1');
  const { origin, protocol, hostname, username, password, search, hash } = parsed;
  if ([username, password, search, hash].some((part) => part !== ''))
    throw new UsageError(
      `the address of ${name} has a user, a password, a query or a fragment in it`,
      'give the plain address, and the key by its environment variable',
    );
  const access = { key, baseUrl: parsed.href.replace(/\/+$/, '') };
  const allowed = [defaultBaseUrl, ...(environment[KEY_SERVERS] ?? '').split(/[\s,]+/)];
  if (key === null || key === NO_KEY || isLoopback(hostname) || allowed.some((one) => originOf(one) === origin))
    return access;
  const keyless = defaultBaseUrl === null ? `, or unset ${held} for a server that wants no key` : '';
  const next = `if that is meant: export ${KEY_SERVERS}=${origin}`;
  if (protocol === 'http:')
    throw new UsageError(
      `${name}: the key in ${held} would go to ${origin} over plain http, where others can read it`,
      `give an https address${keyless}; ${next}`,
    );
  if (isFromFile && origin !== originOf(setIn(environment, baseUrlVariable)))
    throw new UsageError(
      `${name}: the key in ${held} would go to ${origin}, which the experiment's baseUrl names`,
      `${next}${keyless}`,
    );
  return access;
}

function originOf(address: string | null): string | null {
  return address === null ? null : (URL.parse(address)?.origin ?? null);
}

const looks = new WeakSet<Environment>();

/** Whether an environment is for a look alone, see `withoutNeedOfKeys`. */
export function isForLook(environment: Environment): boolean {
  return looks.has(environment);
}

/** For a look at what would be asked: nobody is called, so that no key and no package for models has to be there. */
export function withoutNeedOfKeys(environment: Environment): Environment {
  const missing = PROVIDERS.filter(
    ({ keyNeeded, keyVariables }) => keyNeeded && keyVariables.every((name) => setIn(environment, name) === null),
  );
  const keys = Object.fromEntries(missing.map(({ keyVariables }) => [keyVariables[0]!, NO_KEY]));
  const look = { ...environment, ...keys };
  looks.add(look);
  return look;
}
