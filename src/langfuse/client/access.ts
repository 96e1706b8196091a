import { UsageError } from '../../data/problems.ts';
import { hasLangfuse, type Environment } from './has-langfuse.ts';

export interface Access {
  readonly publicKey: string;
  readonly secretKey: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
}

const CLOUD = 'https://cloud.langfuse.com';
// The second is of older SDKs, the third of those for other languages.
const BASE_URLS = ['LANGFUSE_BASE_URL', 'LANGFUSE_BASEURL', 'LANGFUSE_HOST'];

// What may be in a header of a request.
const HEADER_TEXT = /^[!-~]+$/;

/** Keys and address, from the environment and from nowhere else. */
export function langfuseAccess(environment: Environment): Access {
  if (!hasLangfuse(environment))
    throw new UsageError(
      'no keys for Langfuse: LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are not set',
      'set both; Langfuse shows them in the settings of a project',
    );
  return {
    publicKey: keyOf(environment, 'LANGFUSE_PUBLIC_KEY'),
    secretKey: keyOf(environment, 'LANGFUSE_SECRET_KEY'),
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
