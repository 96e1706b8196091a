import { APICallError } from 'ai';

import { errorCode } from '../../data/source.ts';
import { ModelError, type ModelErrorKind } from './model-error.ts';
import { retryAfterMs } from './retry-after.ts';

// Refusals that come under statuses of other meaning: Google's bad key as 400, OpenAI's empty account as 429.
const NO_ACCESS =
  /"(?:API_KEY_INVALID|PERMISSION_DENIED|insufficient_quota|invalid_api_key|permission_error|unsupported_country_region_territory)"/;

// OpenAI's word for a setting that the model does not take: it will not take it in the next call either.
const NO_SUCH_SETTING = /"param"\s*:\s*"(?:temperature|max_tokens|response_format[^"]*)"/;

/**
 * What the SDK threw, as a failure of the call. Only short words of it are taken over, never the request. `clean` takes the
 * key out, and comes before they are cut: the first half of a key is most of a key.
 */
export function callFailure(error: unknown, clean: (text: string) => string): ModelError {
  const chain = causes(error);
  const own = chain.find((one) => one instanceof ModelError);
  if (own instanceof ModelError) return own;
  const call = chain.find((one) => APICallError.isInstance(one));
  if (call === undefined)
    return new ModelError({ kind: 'answer', message: `the answer cannot be used: ${clean(lastMessage(chain))}` });
  const { statusCode, responseBody, responseHeaders, isRetryable } = call;
  if (statusCode === undefined)
    return new ModelError({ kind: 'connection', message: `the server cannot be reached (${networkCode(chain)})` });
  if (statusCode < 400)
    // The status was good, so it broke on the way or is not what such a server sends.
    return isRetryable
      ? new ModelError({
          kind: 'connection',
          message: `the connection broke (${networkCode(chain)})`,
          status: statusCode,
        })
      : new ModelError({
          kind: 'answer',
          message: `the server's answer is not as its protocol has it: ${clean(lastMessage(chain))}`,
          status: statusCode,
        });
  const body = responseBody ?? '';
  return new ModelError({
    kind: NO_ACCESS.test(body) || NO_SUCH_SETTING.test(body) ? 'access' : kindOf(statusCode),
    message: `HTTP ${statusCode}: ${clean(call.message)}`,
    status: statusCode,
    retryAfterMs: retryAfterMs(responseHeaders ?? {}, body, Date.now()),
  });
}

function kindOf(status: number): ModelErrorKind {
  if (status === 401 || status === 402 || status === 404) return 'access';
  if (status === 429) return 'rate';
  // 408: the server grew tired of waiting; 409: a lock that another call holds.
  return status >= 500 || status === 408 || status === 409 ? 'server' : 'request';
}

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 10; at = at.cause) chain.push(at);
  return chain;
}

function lastMessage(chain: readonly Error[]): string {
  return chain.at(-1)?.message ?? 'an unknown error';
}

/** The system's own word (ECONNREFUSED), which says more than "fetch failed". */
function networkCode(chain: readonly Error[]): string {
  return errorCode(chain.findLast((one) => 'code' in one) ?? chain.at(-1));
}
