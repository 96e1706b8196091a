import { sha256Of } from '../../data/sha256-of.ts';
import { errorCode } from '../../data/source.ts';
import { withinTime } from '../limits/call-with-limits.ts';
import { guardedFetch } from '../models/guarded-fetch.ts';
import { type FailureKind, type Target, type TargetCase, TargetError } from './target.ts';
import { retryAfterMs } from '../limits/retry.ts';
import { bodyTemplate, type RequestBody } from './body-template.ts';
import { addressOf, headersOf } from './http-settings.ts';
import { decoded } from './decoded.ts';
import { atPointer } from './json-pointer.ts';
import { parseJson } from './json-text.ts';
import { badAnswer, passagesOf, type ProgramAnswer, usageOf } from './program-answer.ts';
import { valueWithoutSecrets, withoutSecrets } from './secrets.ts';
import type { TargetContext } from './target-context.ts';
import type { SpecOf } from './target-schema.ts';
import { withinItem } from './within-item.ts';

const WHO = 'the server';

interface Exchanged {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: ArrayBuffer;
}

/** A server that is sent an item and answers with an output. */
export function httpTarget(spec: SpecOf<'http'>, { environment, timeoutMs }: TargetContext): Target {
  const address = addressOf(spec);
  const { headers, secrets } = headersOf(spec.headers, environment);
  const body = bodyTemplate(spec.body, 'body');
  const fetch = guardedFetch();
  const bodyOf = ({ id, input, metadata, repeat }: TargetCase): RequestBody =>
    body({ input, known: { id, input, metadata, repeat } });
  const exchange = async (over: AbortSignal, contentType: string, text: string): Promise<Exchanged> => {
    try {
      const sent = { 'content-type': contentType, accept: 'application/json, text/plain', ...headers };
      const came = await fetch(address, { method: spec.method, headers: sent, body: text, signal: over });
      return { status: came.status, headers: Object.fromEntries(came.headers), bytes: await came.arrayBuffer() };
    } catch (error) {
      throw unreachable(error);
    }
  };
  const { url, query } = identityOf(address);
  return {
    kind: 'http',
    model: null,
    modelParameters: {},
    identity: {
      kind: 'http',
      url,
      query,
      method: spec.method,
      // As they are written: with the names of variables, not what these hold.
      headers: spec.headers,
      body: spec.body ?? null,
      output: spec.output ?? null,
      usage: spec.usage ?? null,
      passages: spec.passages ?? null,
    },
    cacheable: false,
    request(given) {
      const { contentType, text } = bodyOf(given);
      return contentType === 'application/json'
        ? valueWithoutSecrets(JSON.parse(text), secrets)
        : withoutSecrets(text, secrets);
    },
    preview(given) {
      const { contentType, text } = bodyOf(given);
      const shown = Object.entries({ 'content-type': contentType, ...spec.headers });
      const lines = [`${spec.method} ${url}`, ...shown.map(([name, value]) => `${name}: ${value}`), '', text];
      return Promise.resolve(lines.join('\n'));
    },
    async answer(given, signal) {
      const { contentType, text } = withinItem(() => bodyOf(given));
      const start = performance.now();
      const response = await withinTime((over) => exchange(over, contentType, text), timeoutMs, signal);
      const latencyMs = Math.round(performance.now() - start);
      const type = response.headers['content-type'] ?? '';
      if (response.status >= 400 || response.status < 200) throw refusal(response, secrets);
      const said = decoded(response.bytes, type);
      return { ...answerIn(said, /[/+]json\b/i.test(type), spec, secrets), latencyMs, raw: null };
    },
    close: () => Promise.resolve(),
  };
}

/** A query may hold what is nobody's business; another query is another server all the same. */
function identityOf(address: URL): { readonly url: string; readonly query: string | null } {
  return {
    url: `${address.origin}${address.pathname}`,
    query: address.search === '' ? null : sha256Of(address.search),
  };
}

/** JSON where the server says so or a pointer has to lead into it; else the text is the output. */
function answerIn(
  text: string,
  isJson: boolean,
  { output, usage, passages }: SpecOf<'http'>,
  secrets: readonly string[],
): ProgramAnswer {
  const pointers = [output, usage, passages].filter((one) => one !== undefined);
  if (!isJson && pointers.length === 0) return { output: withoutSecrets(text, secrets), usage: null, passages: null };
  const parsed = parseJson(text);
  // What is wrong is told with words of the answer.
  if (parsed.fault !== undefined)
    throw badAnswer(WHO, `its answer is not JSON: ${parseJson(withoutSecrets(text, secrets)).fault ?? 'cut off'}`);
  const value = valueWithoutSecrets(parsed.value, secrets);
  const found = atPointer(value, output ?? '');
  if (found === null) throw badAnswer(WHO, `there is nothing at ${output ?? ''} in its answer`);
  const at = (pointer: string | undefined): unknown =>
    pointer === undefined ? null : (atPointer(value, pointer)?.value ?? null);
  return { output: found.value, usage: usageOf(at(usage), WHO), passages: passagesOf(at(passages), WHO) };
}

function refusal({ status, headers, bytes }: Exchanged, secrets: readonly string[]): TargetError {
  // A refusal is one in whatever bytes it comes.
  const text = withoutSecrets(new TextDecoder().decode(bytes), secrets);
  return new TargetError({
    kind: kindOf(status),
    message: `HTTP ${status}${text.trim() === '' ? '' : `: ${text.slice(0, 1000)}`}`,
    retryAfterMs: retryAfterMs(headers, null, Date.now()),
    raw: text,
  });
}

function kindOf(status: number): FailureKind {
  if (status === 401 || status === 402) return 'access';
  if (status === 429) return 'rate';
  return status >= 500 || status === 408 || status === 409 ? 'server' : 'request';
}

function unreachable(error: unknown): TargetError {
  const own = [error, error instanceof Error ? error.cause : null].find((one) => one instanceof TargetError);
  if (own instanceof TargetError) return own;
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return new TargetError({ kind: 'connection', message: `the server cannot be reached (${errorCode(cause)})` });
}
