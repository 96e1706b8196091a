import { z } from 'zod';

import { lineSplitter } from '../../data/lines.ts';
import type { Fields } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import { errorCode } from '../../data/source.ts';
import { harmless, shorten } from '../../data/visible.ts';
import { withinTime } from '../limits/call-with-limits.ts';
import { retryAfterMs } from '../limits/retry.ts';
import { guardedFetch } from '../models/guarded-fetch.ts';
import { withoutKey } from '../models/secrets.ts';
import { kindOfStatus, TargetError } from '../targets/target.ts';

/** How a provider's batch endpoints are reached: as its single calls are, with the headers that these have. */
export interface BatchAccess {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Removed from everything that a server sends back. */
  readonly key: string | null;
  readonly signal: AbortSignal;
}

/** A single call as the SDK made it. */
export interface BatchRequest {
  readonly id: string;
  readonly body: Fields;
}

/** Where requests go. Those of different places are never in the same batch. */
export interface BatchPlace {
  readonly baseUrl: string;
  /** What follows the address of the server. */
  readonly path: string;
  readonly model: string;
}

/** What is written down before a batch is submitted. */
export interface BatchIntent {
  /** No other batch has it. */
  readonly name: string;
  readonly ids: readonly string[];
  /** In milliseconds. */
  readonly at: number;
}

export interface BatchState {
  readonly isEnded: boolean;
  /** The provider's word for it. */
  readonly word: string;
  /** Requests that are answered or have failed; null if the provider does not report it. */
  readonly done: number | null;
  /** Requests that are answered, and so paid for; null if the provider does not report it. */
  readonly paid: number | null;
  /** Tokens of the whole batch, if the provider reports them. */
  readonly usage?: BatchTokens | undefined;
  /** Why the batch as a whole was not run, if the provider reports it. */
  readonly fault?: string | undefined;
}

export type BatchTokens = Readonly<Record<'inputTokens' | 'outputTokens', number>>;

/** The response of a single call; the tokens are those that the provider counted for it, where a batch counts them. */
export interface BatchResponse {
  readonly id: string;
  readonly status: number;
  readonly body: string;
  readonly usage?: BatchTokens | undefined;
}

/** The provider reports that it did not answer the request. */
export interface UnansweredRequest {
  readonly id: string;
  readonly unanswered: string;
}

/** A result that cannot be read: its request, if that much can be read of it, may have been paid for. */
export interface UnreadableResult {
  readonly id: string | null;
  readonly unreadable: string;
}

/** What became of a request. */
export type BatchResult = BatchResponse | UnansweredRequest | UnreadableResult;

/** How one provider takes, runs and returns a batch. All functions throw TargetError. */
export interface BatchProtocol {
  /** What a batch may hold. */
  readonly most: { readonly requests: number; readonly bytes: number };
  /** Null if requests to the address cannot be put into a batch. */
  placeOf(url: URL, body: Fields): BatchPlace | null;
  /** Returns the provider's id of the batch. */
  submit(
    access: BatchAccess,
    place: BatchPlace,
    intent: BatchIntent,
    requests: readonly BatchRequest[],
  ): Promise<string>;
  poll(access: BatchAccess, batch: string): Promise<BatchState>;
  results(access: BatchAccess, batch: string): AsyncIterable<BatchResult>;
  cancel(access: BatchAccess, batch: string): Promise<void>;
  /** The batch that an intent led to, if it did; not one of `others`. */
  findSubmitted(access: BatchAccess, intent: BatchIntent, others: ReadonlySet<string>): Promise<string | null>;
}

const OPERATION_MS = 120_000;
const TRANSFER_MS = 15 * 60_000;
const MOST_BYTES = 512 << 20;
const LONGEST_LINE = 16 << 20;
const LONGEST_TEXT = 300;
const LONGEST_REFUSAL = 1 << 16;
const MOST_PAGES = 100;
/** Seconds have fewer digits for the next 3,000 years. */
const LEAST_MILLISECONDS = 1e11;

/** The name that a provider gives a batch or a file: it becomes part of an address. */
export const providerId = z.string().regex(/^[\w.-]{1,200}$/);
/** A file that may not be there yet. Azure and Novita send "" for null. */
export const fileId = providerId.nullish().catch(null);
/** Google sends counts as texts. */
export const requestCount = z.union([z.int().min(0), z.stringFormat('count', /^\d{1,15}$/).transform(Number)]);
/** A time in milliseconds, sent as seconds, milliseconds or ISO text; NaN if it cannot be read. */
export const providerTime = z
  .union([
    z.number().transform((time) => (time < LEAST_MILLISECONDS ? time * 1000 : time)),
    z.string().transform((text) => Date.parse(text)),
  ])
  .catch(NaN);

/** The word for a state, in small letters: some servers send capitals, and a hostile one megabytes. */
export const stateWord = z.string().transform((word) => shorten(harmless(shorten(word, 40)).toLowerCase(), 39));

interface Operation {
  readonly method?: 'GET' | 'POST';
  readonly json?: unknown;
  readonly form?: FormData;
  /** The call moves a whole batch. */
  readonly isTransfer?: boolean;
}

/** One HTTP call about a batch; its answer is read within the time as well. */
export function batchCall<T>(
  { baseUrl, headers, key, signal }: BatchAccess,
  path: string,
  { method = 'GET', json, form, isTransfer = false }: Operation,
  read: ReadAnswer<T>,
): Promise<T> {
  const { 'content-type': _, 'content-length': _length, ...kept } = headers;
  const sent = json === undefined ? kept : { ...kept, 'content-type': 'application/json' };
  const body = json === undefined ? (form ?? null) : JSON.stringify(json);
  const call = async (ended: AbortSignal): Promise<T> => {
    try {
      const response = await guardedFetch(isTransfer ? MOST_BYTES : undefined)(`${baseUrl}${path}`, {
        method,
        headers: sent,
        body,
        signal: ended,
      });
      if (!response.ok) throw await refusal(response, `${method} ${path.split('?')[0]!}`, key);
      return await read(response, (text) => withoutKey(text, key));
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      const own = [error, cause].find((one) => one instanceof TargetError);
      if (own !== undefined) throw own;
      throw new TargetError({ kind: 'connection', message: `the server cannot be reached (${errorCode(cause)})` });
    }
  };
  return withinTime(call, isTransfer ? TRANSFER_MS : OPERATION_MS, signal);
}

async function refusal(response: Response, what: string, key: string | null): Promise<TargetError> {
  const { status, headers } = response;
  const text = withoutKey((await response.text()).slice(0, LONGEST_REFUSAL), key);
  const about = `HTTP ${status} to ${what}: ${text.slice(0, LONGEST_TEXT)}`;
  const missing = what.startsWith('POST') && (status === 404 || status === 405);
  return new TargetError({
    kind: missing ? 'access' : kindOfStatus(status),
    message: missing ? `the server has no batch endpoint, leave --batch out (${about})` : about,
    status,
    retryAfterMs: retryAfterMs(Object.fromEntries(headers), text, Date.now()),
  });
}

/** Pages of a list of batches, newest first. `next`: what the address of the next page has at its end; null at the last. */
export async function* batchPages<T>(
  access: BatchAccess,
  path: string,
  operation: Operation,
  schema: z.ZodType<T>,
  next: (page: T) => string | null,
): AsyncGenerator<T> {
  let after: string | null = '';
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page: T = await batchCall(access, `${path}${after}`, operation, jsonOf(schema));
    yield page;
    after = next(page);
    if (after === null) return;
  }
  throw new TargetError({ kind: 'answer', message: 'the list of batches at the provider does not end' });
}

/** The place of a call whose model is in its body, for servers that have such calls at one path. */
export function placeAt(call: string, { origin, pathname, search }: URL, body: Fields): BatchPlace | null {
  if (!pathname.endsWith(call) || search !== '' || body['stream'] === true) return null;
  return { baseUrl: `${origin}${pathname.slice(0, -call.length)}`, path: call, model: String(body['model']) };
}

/** Reads an answer: what a server sends is not trusted, and nothing of it is read before the key is removed. */
type ReadAnswer<T> = (response: Response, clean: (text: string) => string) => Promise<T>;

/** A JSON answer, checked. */
export function jsonOf<T>(schema: z.ZodType<T>): ReadAnswer<T> {
  return async (response, clean) => {
    const parsed = schema.safeParse(jsonIn(clean(await response.text())));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const where = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
    throw new TargetError({ kind: 'answer', message: `the answer is not what a batch endpoint sends${where}` });
  };
}

/** Undefined for what is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The results in the lines of a file. Lines without a result are reported by their number, the first of them. */
export function resultsOf(file: string, resultIn: (line: Fields) => BatchResult | null): ReadAnswer<BatchResult[]> {
  return async (response, clean) => {
    const results: BatchResult[] = [];
    let [unreadable, first] = [0, 0];
    const skip = (number: number): void => {
      unreadable += 1;
      first ||= number;
    };
    const splitter = lineSplitter(
      (line, _start, number) => {
        const value = jsonIn(clean(line.toString('utf8')));
        const result = isRecord(value) ? resultIn(value) : null;
        if (result === null) skip(number);
        else
          results.push(
            'unreadable' in result ? { ...result, unreadable: `line ${number} of ${file} cannot be read` } : result,
          );
      },
      LONGEST_LINE,
      skip,
    );
    const chunks: AsyncIterable<Uint8Array> | [] = response.body ?? [];
    for await (const chunk of chunks) splitter.push(Buffer.from(chunk));
    splitter.end();
    if (unreadable === 0) return results;
    const more = unreadable === 1 ? '' : `, and ${unreadable - 1} more`;
    return [...results, { id: null, unreadable: `line ${first} of ${file} cannot be read${more}` }];
  };
}

/** The text of an error: of its `message` or `code`, also one level down, or the error itself. */
export function errorText(error: unknown): string | null {
  if (error === null || error === undefined || error === '') return null;
  const inner = isRecord(error) && isRecord(error['error']) ? error['error'] : error;
  const named = isRecord(inner) ? [inner['message'], inner['error'], inner['code'], inner['type']] : [inner];
  const isText = (value: unknown): value is string | number => typeof value === 'number' || typeof value === 'string';
  const text = named.find((value) => isText(value) && value !== '') ?? JSON.stringify(error);
  return shorten(isText(text) ? String(text) : '', LONGEST_TEXT);
}

/** A response of a single call stands for itself, unless it is one that may pass: then the request is not answered. */
export function resultOf(id: string, status: number, body: unknown, usage?: BatchTokens): BatchResult {
  const kind = status < 400 ? null : kindOfStatus(status);
  if (kind === 'rate' || kind === 'server') {
    const text = errorText(isRecord(body) ? body['error'] : null);
    return { id, unanswered: `HTTP ${status}${text === null ? '' : `: ${text}`}` };
  }
  return { id, status, body: JSON.stringify(body), ...(usage === undefined ? {} : { usage }) };
}
