import { isRecord } from '../../data/record-fields.ts';
import { shorten } from '../../data/visible.ts';
import { type Failure, retryAfterMs } from '../../experiment/limits/retry.ts';

/** Why a call got no answer that can be used. */
export interface CallFailure extends Failure {
  readonly status: number | null;
  /** Short words of the server or of the system, never the request. */
  readonly words: string;
}

const LONGEST_WORDS = 500;
const ISSUES_SHOWN = 3;
const MOST_LOOKED_AT = 10_000;

/**
 * What the SDK threw. Its own message holds the whole body of the answer, so it is rebuilt. `clean` takes keys out, and
 * comes before the cut: the first half of a key is most of a key.
 */
export function langfuseFailure(error: unknown, clean: (text: string) => string): CallFailure {
  const { statusCode, body, rawResponse, message } = fieldsOf(error);
  const status = typeof statusCode === 'number' ? statusCode : null;
  const short = (text: string): string => shorten(clean(text.slice(0, MOST_LOOKED_AT)), LONGEST_WORDS);
  if (status === null) return noAnswer(systemWords(message, short));
  return {
    status,
    words: serverWords(body, short),
    passes: passesAt(status),
    retryAfterMs: retryAfterMs(retryHeaders(rawResponse), null, Date.now()),
  };
}

/** Without an answer, the same call may succeed later. */
export function noAnswer(words: string): CallFailure {
  return { status: null, words, passes: 'soon', retryAfterMs: null };
}

/** Whether the same call may fare better later: a rate limit, a server in trouble. */
function passesAt(status: number): Failure['passes'] {
  if (status === 429) return 'rate';
  return status === 408 || (status >= 500 && status !== 501) ? 'soon' : null;
}

function fieldsOf(error: unknown): Readonly<Record<string, unknown>> {
  return isRecord(error) ? { ...error, message: error['message'] } : { message: String(error) };
}

// Without a status the SDK keeps only the message: that of the parser, or that of the connection.
const NO_JSON = /\bJSON\b/;
const DROPPED = /^(?:fetch failed|terminated|other side closed)$|\bUND_ERR_SOCKET\b|\bECONNRESET\b/;

function systemWords(message: unknown, short: (text: string) => string): string {
  const words = typeof message === 'string' && message.trim() !== '' ? message.trim() : 'no answer';
  if (NO_JSON.test(words)) return 'what it answers is no JSON';
  if (DROPPED.test(words)) return 'no connection, or it was dropped';
  return short(words.split('\n')[0]!);
}

function serverWords(body: unknown, short: (text: string) => string): string {
  if (typeof body === 'string') return body.trimStart().startsWith('<') ? '' : short(body.trim());
  if (!isRecord(body)) return '';
  const { message, error } = body;
  // The SDK wraps an answer that is not JSON.
  if (isRecord(error) && typeof error['rawBody'] === 'string') return serverWords(error['rawBody'], short);
  const words = [message, error].find((one) => typeof one === 'string' && one !== '');
  // A request that does not fit is answered with a list of what does not, and an empty message.
  const issues = Array.isArray(error) ? error.filter(isRecord).slice(0, ISSUES_SHOWN).map(issueWords) : [];
  return short(
    [...(typeof words === 'string' ? [words] : []), ...(issues.length === 0 ? [] : [issues.join('; ')])].join(': '),
  );
}

function issueWords({ path, message }: Readonly<Record<string, unknown>>): string {
  const at = Array.isArray(path) && path.length > 0 ? `${path.map(String).join('.')}: ` : '';
  return `${at}${typeof message === 'string' ? message : 'not accepted'}`;
}

function retryHeaders(rawResponse: unknown): Record<string, string> {
  const headers = isRecord(rawResponse) ? rawResponse['headers'] : undefined;
  const value = headers instanceof Headers ? headers.get('retry-after') : null;
  return value === null ? {} : { 'retry-after': value };
}
