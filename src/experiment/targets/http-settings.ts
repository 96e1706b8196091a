import { UsageError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import type { Environment } from '../models/access.ts';
import { isLoopback } from '../models/loopback.ts';
import { longestFirst } from './secrets.ts';
import type { SpecOf } from './target-schema.ts';

const VARIABLE = /\$(?:\$|\{(?<braced>[A-Za-z_]\w*)\}|(?<plain>[A-Za-z_]\w*))/g;
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
// Visible characters, and spaces between them.
const HEADER_VALUE = /^[!-~]+(?: +[!-~]+)*$/;

export interface SentHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** Values that came from the environment. */
  readonly secrets: readonly string[];
}

/** Headers as they are sent: `$NAME` and `${NAME}` are replaced from the environment, `$$` is a dollar. */
export function headersOf(given: Readonly<Record<string, string>>, environment: Environment): SentHeaders {
  const secrets: string[] = [];
  const headers = Object.entries(given).map(([name, value]): [string, string] => {
    const where = `headers.${name}`;
    if (!HEADER_NAME.test(name)) throw new UsageError(`${visible(name)} is no name of a header`);
    const sent = value.replace(VARIABLE, (found, braced: string | undefined, plain: string | undefined) => {
      if (found === '$$') return '$';
      const variable = braced ?? plain ?? '';
      const secret = environment[variable]?.trim() ?? '';
      if (secret === '')
        throw new UsageError(
          `${where}: the environment variable ${variable} is not set`,
          `set it: export ${variable}=…`,
        );
      secrets.push(secret);
      return secret;
    });
    // The value is not shown: it may hold a secret.
    if (!HEADER_VALUE.test(sent)) throw new UsageError(`${where}: it holds characters that no header may have`);
    return [name.toLowerCase(), sent];
  });
  return { headers: Object.fromEntries(headers), secrets: longestFirst(secrets) };
}

/** The address, if it is one that may be asked. */
export function addressOf({ url, allow }: SpecOf<'http'>): URL {
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw new UsageError('url: expected an http or https address', 'such as http://localhost:8080/extract');
  if (parsed.username !== '' || parsed.password !== '')
    throw new UsageError('url: it has a user or a password in it', 'send them as a header: Authorization: $NAME');
  if (allow === 'loopback' && !isLoopback(parsed.hostname))
    throw new UsageError(
      `url: ${parsed.hostname} is another machine, and the items would be sent to it`,
      'if that is meant: allow: any',
    );
  return parsed;
}
