import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { sha256Of } from '../../data/sha256-of.ts';
import { errorCode } from '../../data/source.ts';
import { shorten, visible } from '../../data/visible.ts';
import { windows1252Text } from '../../text/mojibake.ts';
import { atPointer } from '../json-schema.ts';
import { withinTime } from '../limits/call-with-limits.ts';
import { retryAfterMs } from '../limits/retry.ts';
import type { Environment } from '../models/access.ts';
import { guardedFetch } from '../models/guarded-fetch.ts';
import { isLoopback } from '../models/loopback.ts';
import { longestFirst, valueWithoutSecrets, withoutSecrets } from '../models/secrets.ts';
import { parseJson } from './answer-json.ts';
import { withinItem } from './model-target.ts';
import { badAnswer, passagesOf, soundOutput, usageOf } from './program-answer.ts';
import { defineTarget, itemOf, kindOfStatus, type TargetCase, TargetError } from './target.ts';
import { asText, parseTemplate, renderValue, type Scope } from './template.ts';

const jsonPointer = z
  .string()
  .regex(/^(?:\/(?:[^~]|~[01])*)?$/, 'expected a JSON pointer such as /answer/text')
  .describe('JSON pointer, such as /answer/text');

const section = z.strictObject({
  use: z.literal('http'),
  url: z.string().trim().min(1),
  method: z.enum(['POST', 'PUT', 'PATCH']).default('POST'),
  headers: z
    .record(z.string(), z.string())
    .default({})
    .describe('$NAME or ${NAME} stands for an environment variable, whose value is kept secret'),
  body: z.unknown().optional().describe('what is sent, with {{ variables }} (default: id, input, metadata, repeat)'),
  output: jsonPointer.optional(),
  usage: jsonPointer.optional(),
  passages: jsonPointer.optional(),
  allow: z
    .enum(['loopback', 'any'])
    .default('loopback')
    .describe('which servers may be asked: those of this machine, or any'),
});
type HttpSpec = z.infer<typeof section>;

const WHO = 'the server';

export const httpTarget = defineTarget(section, (spec, { environment, timeoutMs }) => {
  const address = addressOf(spec);
  const { headers, secrets } = headersOf(spec.headers, environment);
  const isText = typeof spec.body === 'string';
  const contentType = isText ? 'text/plain; charset=utf-8' : 'application/json';
  const template = spec.body === undefined ? null : templateOf(spec.body, 'body');
  const bodyOf = (item: TargetCase): string => {
    const scope = { input: item.input, known: { ...itemOf(item) } };
    const body = template === null ? scope.known : template(scope);
    return isText ? asText(body) : JSON.stringify(body);
  };
  const fetch = guardedFetch();
  const exchange = async (signal: AbortSignal, body: string) => {
    const sent = { 'content-type': contentType, accept: 'application/json, text/plain', ...headers };
    try {
      const response = await fetch(address, { method: spec.method, headers: sent, body, signal });
      return { response, bytes: await response.arrayBuffer() };
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      const own = [error, cause].find((one) => one instanceof TargetError);
      if (own !== undefined) throw own;
      throw new TargetError({ kind: 'connection', message: `the server cannot be reached (${errorCode(cause)})` });
    }
  };
  const url = `${address.origin}${address.pathname}`;
  const { method, body: written = null, output = null, usage = null, passages = null } = spec;
  // The query may be private, so it is hashed; headers have the names of variables, not what these hold.
  const query = address.search === '' ? null : sha256Of(address.search);
  return {
    identity: { url, query, method, headers: spec.headers, body: written, output, usage, passages },
    request: (item) => valueWithoutSecrets(isText ? bodyOf(item) : JSON.parse(bodyOf(item)), secrets),
    preview(item) {
      const shown = Object.entries({ 'content-type': contentType, ...spec.headers });
      const lines = [`${method} ${url}`, ...shown.map(([name, value]) => `${name}: ${value}`), '', bodyOf(item)];
      return Promise.resolve(lines.join('\n'));
    },
    async answer(item, signal) {
      const body = withinItem(() => bodyOf(item));
      const start = performance.now();
      const { response, bytes } = await withinTime((over) => exchange(over, body), timeoutMs, signal);
      const latencyMs = Math.round(performance.now() - start);
      if (!response.ok) throw refusal(response, bytes, secrets);
      const type = response.headers.get('content-type') ?? '';
      return { ...answerIn(decoded(bytes, type), /[/+]json\b/i.test(type), spec, secrets), latencyMs, raw: null };
    },
  };
});

/** JSON if the server declares it or a pointer has to lead into it; else the text is the output. */
function answerIn(text: string, isJson: boolean, { output, usage, passages }: HttpSpec, secrets: readonly string[]) {
  const pointers = [output, usage, passages].filter((one) => one !== undefined);
  if (!isJson && pointers.length === 0) return { output: withoutSecrets(text, secrets), usage: null, passages: null };
  const parsed = parseJson(text);
  // The fault quotes words of the answer.
  if (parsed.fault !== undefined)
    throw badAnswer(WHO, `its answer is not JSON: ${parseJson(withoutSecrets(text, secrets)).fault ?? 'cut off'}`);
  const value = valueWithoutSecrets(parsed.value, secrets);
  const found = atPointer(value, output ?? '');
  if (found === null) soundOutput(value);
  if (found === null) throw badAnswer(WHO, `there is nothing at ${output ?? ''} in its answer`);
  const at = (pointer: string | undefined): unknown =>
    pointer === undefined ? null : (atPointer(value, pointer)?.value ?? null);
  return { output: soundOutput(found.value), usage: usageOf(at(usage), WHO), passages: passagesOf(at(passages), WHO) };
}

function refusal({ status, headers }: Response, bytes: ArrayBuffer, secrets: readonly string[]): TargetError {
  // A refusal is one in whatever bytes it comes.
  const text = withoutSecrets(new TextDecoder().decode(bytes), secrets);
  return new TargetError({
    // Another address may be there: unlike a model's name it may depend on the item.
    kind: status === 404 ? 'request' : kindOfStatus(status),
    message: `HTTP ${status}${text.trim() === '' ? '' : `: ${text.slice(0, 1000)}`}`,
    retryAfterMs: retryAfterMs(Object.fromEntries(headers), null, Date.now()),
    raw: text,
  });
}

const VARIABLE = /\$(?:\$|\{(?<braced>[A-Za-z_]\w*)\}|(?<plain>[A-Za-z_]\w*))/g;
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
// Visible characters, and spaces between them.
const HEADER_VALUE = /^[!-~]+(?: +[!-~]+)*$/;

/** Headers as they are sent, with variables from the environment (`$$` is a dollar), whose values are secret. */
function headersOf(given: HttpSpec['headers'], environment: Environment) {
  const secrets: string[] = [];
  const headers = Object.entries(given).map(([name, value]): [string, string] => {
    const where = `headers.${name}`;
    if (!HEADER_NAME.test(name)) throw new UsageError(`${visible(name)} is not a valid header name`);
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

function addressOf({ url, allow }: HttpSpec): URL {
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

/** A text that is one variable becomes its value, in other texts the variables are filled, all else stays as it is. */
function templateOf(template: unknown, where: string): (scope: Scope) => unknown {
  if (typeof template === 'string') {
    const parsed = parseTemplate(template, where);
    return (scope) => renderValue(parsed, scope, where);
  }
  if (typeof template !== 'object' || template === null) return () => template;
  const parts = Object.entries(template).map(([key, part]) => [key, templateOf(part, `${where}.${key}`)] as const);
  return (scope) => {
    const filled = parts.map(([key, part]) => [key, part(scope)] as const);
    return Array.isArray(template) ? filled.map(([, value]) => value) : Object.fromEntries(filled);
  };
}

const CHARSET = /;\s*charset\s*=\s*(?:"(?<quoted>[^"]*)"|(?<bare>[^\s;"]+))/i;

/** Decodes by the declared charset. Invalid bytes are a failure, so that no replacement character is ever scored. */
function decoded(bytes: ArrayBuffer, contentType: string): string {
  const { quoted, bare } = CHARSET.exec(contentType)?.groups ?? {};
  const declared = quoted ?? bare ?? null;
  const said = declared === null ? 'UTF-8, and the server declares no other charset' : visible(shorten(declared));
  try {
    const decoder = new TextDecoder(declared ?? 'utf-8', { fatal: true });
    if (decoder.encoding === 'windows-1252') return windows1252Text(Buffer.from(bytes).toString('latin1'));
    return decoder.decode(bytes);
  } catch (error) {
    const why = error instanceof RangeError ? `its charset ${said} is not known` : `its bytes are not ${said}`;
    throw new TargetError({ kind: 'answer', message: `the server's answer cannot be read: ${why}` });
  }
}
