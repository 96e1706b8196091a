import { setTimeout as sleep } from 'node:timers/promises';

import { shorten } from '../../data/visible.ts';
import { backoff, type RetryPolicy } from '../models/retry.ts';
import { type FailedTry, TargetError } from '../targets/target.ts';
import type { AdaptiveLimit, CallOutcome } from './adaptive-limit.ts';
import { waitText } from './duration.ts';
import { withinTime } from './within-time.ts';

export interface CallPolicy extends RetryPolicy {
  /** How many further attempts a call gets that is refused for too many calls. */
  readonly rateRetries: number;
  /** For one attempt. */
  readonly timeoutMs: number;
}

const LONGEST_MESSAGE = 480;
export const MOST_TRIES = 20;

export const USUAL_POLICY: CallPolicy = {
  retries: 4,
  rateRetries: 20,
  backoffMs: 500,
  longestWaitMs: 120_000,
  timeoutMs: 120_000,
};

export interface Called<T> {
  readonly value: T;
  /** How many were sent. */
  readonly attempts: number;
  /** Milliseconds since 1970, of the attempt that was answered: waiting is not in it. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** What became of the attempts before it: the last few. */
  readonly tries: readonly FailedTry[];
}

/** A call without an answer, after all its attempts. */
export class CallFailed extends TargetError {
  /** How many were sent; 0 where it did not come to one. */
  readonly attempts: number;
  /** Milliseconds since 1970, of the last attempt. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly tries: readonly FailedTry[];

  constructor(error: TargetError, called: Omit<Called<never>, 'value'>, note: string | null) {
    const { attempts, startedAt, endedAt, tries } = called;
    const { kind, message, retryAfterMs, usage, latencyMs, raw } = error;
    super({ kind, message: noted(message, note), retryAfterMs, usage, latencyMs, raw });
    this.name = 'CallFailed';
    this.attempts = attempts;
    this.startedAt = startedAt;
    this.endedAt = endedAt;
    this.tries = tries;
  }
}

/**
 * A call that waits for its turn, is ended when its time is over, and is tried again where a failure may pass. No slot of
 * the limit is held while waiting. A time-out is not tried again: the call may have been answered and paid for.
 *
 * Throws CallFailed, which is a TargetError; what is no TargetError is a bug and comes through as it is.
 */
export async function callWithLimits<T>(
  call: (signal: AbortSignal) => Promise<T>,
  limit: AdaptiveLimit,
  policy: CallPolicy,
  signal: AbortSignal,
): Promise<Called<T>> {
  const failures = { rate: 0, passing: 0 };
  let tries: readonly FailedTry[] = [];
  for (let sent = 0; ;) {
    const tried = await attempt(call, limit, policy, signal);
    if (tried.wasSent) sent += 1;
    const times = { attempts: sent, startedAt: tried.startedAt, endedAt: tried.endedAt, tries };
    if (tried.kind === 'answered') return { value: tried.value, ...times };
    const { error } = tried;
    const givenUp = (note: string | null): CallFailed => new CallFailed(error, times, note);

    const sort = tried.wasSent ? sortOf(error) : null;
    // What came of the last attempt would have come of the first: how many there were is no part of it.
    if (sort === null) throw givenUp(null);
    failures[sort] += 1;
    if (!(failures[sort] <= (sort === 'rate' ? policy.rateRetries : policy.retries)))
      throw givenUp(sent > 1 ? `after ${sent} attempts` : null);
    const asked = error.retryAfterMs ?? 0;
    if (asked > policy.longestWaitMs)
      throw givenUp(`the provider asks to wait ${waitText(asked)}, more than ${waitText(policy.longestWaitMs)}`);
    tries = [...tries, failedTry(error, tried)].slice(-MOST_TRIES);
    // A refusal has put all calls on hold, and this one waits with them.
    if (sort === 'rate') continue;
    if (!(await slept(error.retryAfterMs ?? backoff(policy, failures.passing), signal)))
      throw new CallFailed(
        new TargetError({ kind: 'aborted', message: 'the call was given up while waiting for another attempt' }),
        times,
        null,
      );
  }
}

export function failedTry(
  { kind, message }: Pick<FailedTry, 'kind' | 'message'>,
  { startedAt, endedAt }: { readonly startedAt: number | string; readonly endedAt: number | string },
): FailedTry {
  return {
    kind,
    message,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
  };
}

type Tried<T> = { readonly wasSent: boolean; readonly startedAt: number; readonly endedAt: number } & (
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: TargetError }
);

async function attempt<T>(
  call: (signal: AbortSignal) => Promise<T>,
  limit: AdaptiveLimit,
  { longestWaitMs, timeoutMs }: CallPolicy,
  signal: AbortSignal,
): Promise<Tried<T>> {
  let outcome: CallOutcome = { kind: 'neutral' };
  let round: number | null = null;
  let startedAt = Date.now();
  try {
    round = await limit.acquire(signal, longestWaitMs);
    startedAt = Date.now();
    const value = await withinTime(call, timeoutMs, signal);
    outcome = { kind: 'answered' };
    return { kind: 'answered', value, wasSent: true, startedAt, endedAt: Date.now() };
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    outcome = outcomeOf(error);
    return { kind: 'failed', error, wasSent: round !== null, startedAt, endedAt: Date.now() };
  } finally {
    if (round !== null) limit.release(outcome, round);
  }
}

/** Which further attempts a failure may use up; null: none, since it will not pass or may have been paid for. */
function sortOf({ kind }: TargetError): 'rate' | 'passing' | null {
  if (kind === 'rate') return 'rate';
  return kind === 'server' || kind === 'connection' ? 'passing' : null;
}

function outcomeOf({ kind, retryAfterMs }: TargetError): CallOutcome {
  switch (kind) {
    case 'rate':
      return { kind: 'rate', retryAfterMs };
    case 'server':
    case 'connection':
    case 'timeout':
      return { kind: 'trouble' };
    case 'answer':
    case 'schema':
      // It is of no use, but the server had room for it.
      return { kind: 'answered' };
    case 'access':
    case 'request':
    case 'program':
    case 'aborted':
      return { kind: 'neutral' };
  }
}

/** False where the caller gave up. */
async function slept(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

/** The note is what matters to whoever reads it: a long message loses its end, not the note. */
function noted(message: string, note: string | null): string {
  return note === null ? message : `${shorten(message, LONGEST_MESSAGE - note.length)} (${note})`;
}
