import { isRecord } from '../../data/record-fields.ts';
import { shorten } from '../../data/visible.ts';
import { retryAfterMs } from '../../experiment/models/retry-after.ts';

/** Why a call got no answer that can be used. */
export interface CallFailure {
  /** Null where no answer came. */
  readonly status: number | null;
  /** Short words of the server or of the system, never the request. */
  readonly words: string;
  readonly retryAfterMs: number | null;
}

const LONGEST_WORDS = 200;

/** What the SDK threw. Its own message holds the whole body of the answer, so it is made anew. */
export function callFailure(error: unknown): CallFailure {
  const { statusCode, body, rawResponse, message } = fieldsOf(error);
  const status = typeof statusCode === 'number' ? statusCode : null;
  if (status === null) return { status, words: systemWords(message), retryAfterMs: null };
  return { status, words: serverWords(body), retryAfterMs: retryAfterMs(retryHeaders(rawResponse), null, Date.now()) };
}

/** Whether the same call may fare better later: no answer, a rate limit, a server in trouble. */
export function mayPass({ status }: CallFailure): boolean {
  return status === null || status === 408 || status === 429 || (status >= 500 && status !== 501);
}

function fieldsOf(error: unknown): Readonly<Record<string, unknown>> {
  return isRecord(error) ? { ...error, message: error['message'] } : { message: String(error) };
}

// Without a status the SDK keeps only the message: that of the parser, or that of the connection.
const NO_JSON = /\bJSON\b/;
const DROPPED = /^(?:fetch failed|terminated|other side closed)$|\bUND_ERR_SOCKET\b|\bECONNRESET\b/;

function systemWords(message: unknown): string {
  const words = typeof message === 'string' && message.trim() !== '' ? message.trim() : 'no answer';
  if (NO_JSON.test(words)) return 'what it answers is no JSON';
  if (DROPPED.test(words)) return 'no connection, or it was dropped';
  return shorten(words.split('\n')[0]!, LONGEST_WORDS);
}

function serverWords(body: unknown): string {
  if (typeof body === 'string') return body.trimStart().startsWith('<') ? '' : shorten(body.trim(), LONGEST_WORDS);
  if (!isRecord(body)) return '';
  const found = [body['message'], body['error']].find((one) => typeof one === 'string' && one !== '');
  return typeof found === 'string' ? shorten(found, LONGEST_WORDS) : '';
}

function retryHeaders(rawResponse: unknown): Record<string, string> {
  const headers = isRecord(rawResponse) ? rawResponse['headers'] : undefined;
  const value = headers instanceof Headers ? headers.get('retry-after') : null;
  return value === null ? {} : { 'retry-after': value };
}
