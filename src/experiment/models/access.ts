import { UsageError } from '../../data/problems.ts';
import { isLoopback } from './loopback.ts';
import { type Provider, PROVIDERS } from './providers.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

// What may stand in a header of a request.
const HEADER_TEXT = /^[!-~]+$/;

/** Stands for a key where nobody is called. */
export const NO_KEY = 'no-key-is-needed-for-a-look';

/** Servers that may have keys, beside those that are known to: `https://gateway.example, http://10.0.0.5:8000`. */
const KEY_SERVERS = 'ASSAY_KEY_SERVERS';

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

export interface KeyUse {
  readonly key: string | null;
  readonly baseUrl: string;
  /** Whether the address comes from an experiment's file, which is passed around, and not from whoever runs it. */
  readonly isFromFile: boolean;
}

/**
 * Refuses to send a key where it could be read on its way, or to a server that only a file names. The provider's own
 * server and this machine always may have it, and what the environment says.
 */
export function refuseToLeakKey(
  { name, baseUrlVariable, defaultBaseUrl, keyVariables }: Provider,
  { key, baseUrl, isFromFile }: KeyUse,
  environment: Environment,
): void {
  const { origin, protocol, hostname } = new URL(baseUrl);
  if (key === null || key === NO_KEY || isLoopback(hostname) || origin === originOf(defaultBaseUrl)) return;
  const allowed = (environment[KEY_SERVERS] ?? '').split(/[\s,]+/);
  if (allowed.some((one) => originOf(one) === origin)) return;
  const held = keyVariables.find((one) => environment[one]?.trim() === key) ?? keyVariables[0]!;
  const keyless = defaultBaseUrl === null ? `, or unset ${held} for a server that wants no key` : '';
  const next = `if that is meant: export ${KEY_SERVERS}=${origin}`;
  if (protocol === 'http:')
    throw new UsageError(
      `${name}: the key in ${held} would go to ${origin} over plain http, where others can read it`,
      `give an https address${keyless}; ${next}`,
    );
  const known = baseUrlVariable === null ? null : originOf(environment[baseUrlVariable]?.trim() ?? null);
  if (isFromFile && origin !== known)
    throw new UsageError(
      `${name}: the key in ${held} would go to ${origin}, which the experiment's baseUrl names`,
      `${next}${keyless}`,
    );
}

function originOf(address: string | null): string | null {
  return address === null ? null : (URL.parse(address)?.origin ?? null);
}

/** For a look at what would be asked: nobody is called, so that no key has to be there. */
export function withoutNeedOfKeys(environment: Environment): Environment {
  const missing = PROVIDERS.filter(
    ({ keyNeeded, keyVariables }) =>
      keyNeeded && keyVariables.every((name) => (environment[name]?.trim() ?? '') === ''),
  );
  return { ...environment, ...Object.fromEntries(missing.map(({ keyVariables }) => [keyVariables[0]!, NO_KEY])) };
}
