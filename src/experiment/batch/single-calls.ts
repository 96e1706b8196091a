import { adaptiveLimit, type CallOutcome } from '../limits/adaptive-limit.ts';
import { withinTime } from '../limits/call-with-limits.ts';
import { retryAfterMs } from '../limits/retry.ts';
import { guardedFetch } from '../models/guarded-fetch.ts';
import { kindOfStatus } from '../targets/target.ts';

export interface SingleCallOptions {
  readonly timeoutMs: number;
  readonly atOnce: number;
}

/** A `fetch` for what a batch does not answer: at the full price, within the ordinary limits. */
export function singleCalls({ timeoutMs, atOnce }: SingleCallOptions): typeof globalThis.fetch {
  const limit = adaptiveLimit(atOnce);
  return async (input, init) => {
    const signal = init?.signal ?? new AbortController().signal;
    const round = await limit.acquire(signal);
    let outcome: CallOutcome = { kind: 'trouble' };
    try {
      const response = await withinTime((ended) => exchange(input, { ...init, signal: ended }), timeoutMs, signal);
      outcome = outcomeOf(response);
      return response;
    } finally {
      limit.release(outcome, round);
    }
  };
}

/** The whole answer: the time that a call may take includes reading it. */
async function exchange(input: Parameters<typeof globalThis.fetch>[0], init: RequestInit): Promise<Response> {
  const response = await guardedFetch()(input, init);
  const { status, statusText, headers } = response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}

function outcomeOf({ ok, status, headers }: Response): CallOutcome {
  if (ok) return { kind: 'answered' };
  const kind = kindOfStatus(status);
  if (kind === 'rate') return { kind, retryAfterMs: retryAfterMs(Object.fromEntries(headers), null, Date.now()) };
  return { kind: kind === 'server' ? 'trouble' : 'neutral' };
}
