import { z } from 'zod';

import { lineSplitter } from '../../data/lines.ts';
import type { Fields } from '../../data/item.ts';
import { errorCode } from '../../data/source.ts';
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
  /** Why the batch as a whole was not run, if the provider reports it. */
  readonly fault?: string | undefined;
}

/** What became of a request: the response of a single call, or why no response came. */
export type BatchResult =
  | { readonly id: string; readonly status: number; readonly body: string; readonly unanswered?: undefined }
  | { readonly id: string; readonly unanswered: string };

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
  /** The batch that an intent led to, if it did; not one of `others`. */
  findSubmitted(access: BatchAccess, intent: BatchIntent, others: ReadonlySet<string>): Promise<string | null>;
}

const OPERATION_MS = 120_000;
const TRANSFER_MS = 15 * 60_000;
const MOST_BYTES = 512 << 20;
const LONGEST_LINE = 16 << 20;
const LONGEST_TEXT = 300;
const MOST_PAGES = 100;

/** The name that a provider gives a batch or a file: it becomes part of an address. */
export const providerId = z.string().regex(/^[\w.-]{1,200}$/);

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
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { 'content-type': _, 'content-length': _length, ...kept } = headers;
  const sent = json === undefined ? kept : { ...kept, 'content-type': 'application/json' };
  const body = json === undefined ? (form ?? null) : JSON.stringify(json);
  const call = async (ended: AbortSignal): Promise<T> => {
    try {
      const response = await guardedFetch(MOST_BYTES)(`${baseUrl}${path}`, {
        method,
        headers: sent,
        body,
        signal: ended,
      });
      if (!response.ok) throw await refusal(response, `${method} ${path.split('?')[0]!}`, key);
      return await read(response);
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
  const text = withoutKey(await response.text(), key);
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

/** A JSON answer, checked: what a server sends is not trusted. */
export function jsonOf<T>(schema: z.ZodType<T>): (response: Response) => Promise<T> {
  return async (response) => {
    const parsed = schema.safeParse(jsonIn(await response.text()));
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

/** The lines of a file of results that fit the schema; others are skipped, so that their requests have no result. */
export function linesOf<T>(schema: z.ZodType<T>): (response: Response) => Promise<T[]> {
  return async (response) => {
    const lines: T[] = [];
    const splitter = lineSplitter((line) => {
      const parsed = schema.safeParse(jsonIn(line.toString('utf8')));
      if (parsed.success) lines.push(parsed.data);
    }, LONGEST_LINE);
    const chunks: AsyncIterable<Uint8Array> | [] = response.body ?? [];
    for await (const chunk of chunks) splitter.push(Buffer.from(chunk));
    splitter.end();
    return lines;
  };
}

/** A response of a single call stands for itself, unless it is one that may pass: then the request is not answered. */
export function resultOf(id: string, status: number, body: unknown): BatchResult {
  const kind = status < 400 ? null : kindOfStatus(status);
  if (kind === 'rate' || kind === 'server') return { id, unanswered: `HTTP ${status}` };
  return { id, status, body: JSON.stringify(body) };
}
