import { setTimeout as sleep } from 'node:timers/promises';

import { shorten } from '../../data/visible.ts';
import { type FailedTry, type FailureKind, abortError, TargetError } from '../targets/target.ts';
import { type CallOutcome, LONGEST_TIMER_MS } from './adaptive-limit.ts';
import { waitText } from './duration.ts';
import type { CallGate } from './rate.ts';
import { retried, type RetryPolicy } from './retry.ts';

export interface CallPolicy extends RetryPolicy {
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

/** The times are those of the last attempt, without waiting. */
export interface Attempts extends Pick<FailedTry, 'startedAt' | 'endedAt'> {
  /** How many were sent; 0 where it did not come to one. */
  readonly attempts: number;
  /** What became of the attempts before it: the last few. */
  readonly tries: readonly FailedTry[];
}

/** A call without an answer, after all its attempts. */
export class CallFailed extends TargetError {
  override readonly name = 'CallFailed';
  readonly sent: Attempts;

  /** The note is what matters to the reader: a long message loses its end, not the note. */
  constructor(error: TargetError, sent: Attempts, note: string | null) {
    const { message, kind, status, retryAfterMs, usage, latencyMs, raw } = error;
    const noted = note === null ? message : `${shorten(message, LONGEST_MESSAGE - note.length)} (${note})`;
    super({ kind, message: noted, status, retryAfterMs, usage, latencyMs, raw });
    this.sent = sent;
  }
}

/**
 * A call that waits for its turn, is ended when its time is over, and is tried again where a failure may pass; not after a
 * time-out, since it may have been paid for. Without a limit there is no turn to wait for. `begin` is waited for before
 * each attempt. Throws CallFailed.
 */
export async function callWithLimits<T>(
  call: (signal: AbortSignal) => Promise<T>,
  limit: CallGate | null,
  policy: CallPolicy,
  signal: AbortSignal,
  begin?: () => Promise<void>,
): Promise<Attempts & { readonly value: T }> {
  const attempt = async () => {
    let outcome: CallOutcome = { kind: 'neutral' };
    let round: number | null = null;
    let startedAt = timeNow();
    try {
      round = limit === null ? 0 : await limit.acquire(signal, policy.longestWaitMs);
      await begin?.();
      startedAt = timeNow();
      const value = await withinTime(call, policy.timeoutMs, signal);
      outcome = { kind: 'answered' };
      return { value: { value, startedAt, endedAt: timeNow() } };
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
      const { kind, retryAfterMs } = error;
      const means = MEANS[kind];
      outcome = { kind: means?.room ?? 'neutral', retryAfterMs };
      const wasSent = round !== null;
      const passes = (wasSent && means?.passes) || null;
      return { failure: { error, wasSent, passes, retryAfterMs, startedAt, endedAt: timeNow() } };
    } finally {
      if (round !== null) limit?.release(outcome, round);
    }
  };
  let tries: readonly FailedTry[] = [];
  const ended = await retried(
    attempt,
    policy,
    async (waitMs, { error: { kind, message }, passes, startedAt, endedAt }) => {
      tries = [...tries, { kind, message, startedAt, endedAt }].slice(-MOST_TRIES);
      // A refusal has put all calls on hold, and this one waits with them.
      if (passes === 'rate' && limit !== null) return true;
      return sleep(waitMs, true, { signal }).catch(() => false);
    },
  );
  if ('value' in ended) {
    const { value, ...times } = ended.value;
    return { value, attempts: ended.attempts, tries, ...times };
  }
  const { error, wasSent, startedAt, endedAt } = ended.failure;
  const attempts = wasSent ? ended.attempts : ended.attempts - 1;
  const note = {
    // What came of the last attempt would have come of the first: how many there were is no part of it.
    final: null,
    enough: attempts > 1 ? `after ${attempts} attempts` : null,
    'too-long': `the provider asks to wait ${waitText(ended.waitMs)}, more than ${waitText(policy.longestWaitMs)}`,
    left: null,
  }[ended.end];
  const left = 'the call was given up while waiting for another attempt';
  const failure = ended.end === 'left' ? new TargetError({ kind: 'aborted', message: left }) : error;
  throw new CallFailed(failure, { attempts, tries, startedAt, endedAt }, note);
}

/** What a failure means for the server's load, and which further attempts it uses up. */
const MEANS: {
  readonly [Kind in FailureKind]?: { readonly room: CallOutcome['kind']; readonly passes?: 'rate' | 'soon' };
} = {
  rate: { room: 'rate', passes: 'rate' },
  server: { room: 'trouble', passes: 'soon' },
  connection: { room: 'trouble', passes: 'soon' },
  timeout: { room: 'trouble' },
  // It is of no use, but the server had room for it.
  answer: { room: 'answered' },
  schema: { room: 'answered' },
};

const timeNow = (): string => new Date().toISOString();

/**
 * One attempt, ended when its time is over or the caller gives up, also if the target ignores its signal.
 * The signal is made by hand: of those that AbortSignal.any makes from one that lives long, Node 24 keeps every one.
 */
export function withinTime<T>(call: (signal: AbortSignal) => Promise<T>, timeoutMs: number, signal: AbortSignal) {
  return new Promise<T>((resolve, reject) => {
    const own = new AbortController();
    const end = (error: TargetError): void => {
      done();
      // First, since the target may turn the signal into its own error.
      reject(error);
      own.abort(error);
    };
    const timer = setTimeout(
      () => end(new TargetError({ kind: 'timeout', message: `no answer within ${timeoutMs / 1000} s` })),
      Math.min(LONGEST_TIMER_MS, timeoutMs),
    );
    const onAbort = (): void => end(abortError(signal));
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    // What it throws before it has a promise is a failure like any other.
    else new Promise<T>((settle) => settle(call(own.signal))).then(resolve, reject).finally(done);
  });
}
