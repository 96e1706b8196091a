import { UsageError } from '../../data/problems.ts';
import type { Environment } from '../../experiment/models/access.ts';

export interface Access {
  readonly publicKey: string;
  readonly secretKey: string;
  readonly baseUrl: string;
}

const PUBLIC_KEY = 'LANGFUSE_PUBLIC_KEY';
const SECRET_KEY = 'LANGFUSE_SECRET_KEY';
const CLOUD = 'https://cloud.langfuse.com';
// The second is of older SDKs, the third of those for other languages.
const BASE_URLS = ['LANGFUSE_BASE_URL', 'LANGFUSE_BASEURL', 'LANGFUSE_HOST'];

// What may be in a header of a request.
const HEADER_TEXT = /^[!-~]+$/;

/**
 * Whether work goes to Langfuse: both keys are set. One without the other is an oversight, and throws: results would
 * end up elsewhere than was meant.
 */
export function hasLangfuse(environment: Environment): boolean {
  const missing = [PUBLIC_KEY, SECRET_KEY].filter((one) => (environment[one]?.trim() ?? '') === '');
  if (missing.length === 1) {
    const [name] = missing;
    const given = name === PUBLIC_KEY ? SECRET_KEY : PUBLIC_KEY;
    throw new UsageError(
      `${given} is set, but ${name!} is not`,
      'set both to work with Langfuse, or neither to work with the local store',
    );
  }
  return missing.length === 0;
}

/** Keys and address, from the environment and from nowhere else. */
export function langfuseAccess(environment: Environment): Access {
  if (!hasLangfuse(environment))
    throw new UsageError(
      'no keys for Langfuse: LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are not set',
      'set both; Langfuse shows them in the settings of a project',
    );
  return {
    publicKey: keyOf(environment, PUBLIC_KEY),
    secretKey: keyOf(environment, SECRET_KEY),
    baseUrl: baseUrlOf(environment),
  };
}

function keyOf(environment: Environment, name: string): string {
  const key = environment[name]?.trim() ?? '';
  // The value is not shown: it may be most of a key.
  if (!HEADER_TEXT.test(key))
    throw new UsageError(`${name} holds characters that no key has (a space, a line break, a letter outside ASCII)`);
  return key;
}

function baseUrlOf(environment: Environment): string {
  const name = BASE_URLS.find((one) => (environment[one]?.trim() ?? '') !== '');
  if (name === undefined) return CLOUD;
  const parsed = URL.parse(environment[name]!.trim());
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw new UsageError(`${name} is no http or https address`, `such as ${CLOUD}`);
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    throw new UsageError(
      `${name} has a user, a password, a query or a fragment in it`,
      'give the plain address, and the keys by their own variables',
    );
  return parsed.href.replace(/\/+$/, '');
}
