import { backoff } from './retry.ts';
import { TargetError } from '../targets/target.ts';
import { waitText } from './duration.ts';

/** What a call shows about how much its server can take; `trouble` may or may not be for the load. */
export interface CallOutcome {
  readonly kind: 'answered' | 'rate' | 'trouble' | 'neutral';
  readonly retryAfterMs?: number | null;
}

export type AdaptiveLimit = ReturnType<typeof adaptiveLimit>;

type Waiting = PromiseWithResolvers<number> & { readonly longestWaitMs: number };

/** Where a server refuses without saying for how long: doubled for each refused round that follows without an answer. */
const OWN_PAUSE = { backoffMs: 500, longestWaitMs: 30_000 };
/** Other programs may have been told the same: they do not all come back at the same moment. */
const JITTER = { share: 0.1, mostMs: 1000 };
/** So many times as many answers it takes to go back to where a call was refused before. */
const PATIENCE = 4;
/** More failures than this share of the limit, before it could grow, lower it. */
const TROUBLE_SHARE = 1 / 2;
const TROUBLE_CUT = 3 / 4;
/** More than this a timer does not take. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * How many calls may be out at once, learned from what comes back: doubling until the first refusal, from then on one
 * more for each answered round and half as many after a refusal (additive increase, multiplicative decrease), which also
 * holds up all calls for as long as the server asks. A round is what went out between two cuts: refusals of one that was
 * cut already are the same burst, and do not cut again.
 */
export function adaptiveLimit(most: number, start = 4) {
  if (!(most >= 1)) throw new RangeError('a limit lets at least one call out');
  const queue = new Set<Waiting>();
  let allowed = Math.min(start, Math.floor(most));
  let out = 0;
  let round = 0;
  /** Of this round, since the limit last changed. */
  let answered = 0;
  let failed = 0;
  let refusedInARow = 0;
  /** The limit at which a call was last refused; infinite once it was passed without. */
  let refusedAt = Infinity;
  let pausedUntil = -Infinity;
  /** Without jitter and our own pauses: what the server asks for. */
  let askedUntil = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const pausedForMs = (): number => Math.max(0, pausedUntil - performance.now());

  const pause = (ms: number): void => {
    const jitter = Math.random() * Math.min(JITTER.mostMs, ms * JITTER.share);
    pausedUntil = Math.max(pausedUntil, performance.now() + ms + jitter);
  };

  const change = (limit: number): void => {
    allowed = limit;
    answered = 0;
    failed = 0;
  };

  const cut = (factor: number): void => {
    change(Math.max(1, Math.floor(allowed * factor)));
    round += 1;
  };

  const grow = (): void => {
    // A limit that nobody comes near was not put to the test.
    if (out * 2 < allowed) return;
    answered += 1;
    const patience = allowed + 1 < refusedAt ? 1 : PATIENCE;
    if (round > 0 && answered < allowed * patience) return;
    change(Math.min(Math.floor(most), allowed + 1));
    if (allowed > refusedAt) refusedAt = Infinity;
  };

  const refuse = (retryAfterMs: number | null, isPresent: boolean): void => {
    if (isPresent) {
      refusedInARow += 1;
      refusedAt = allowed;
      cut(1 / 2);
      // A server that keeps refusing is asked less and less often, even if it asks for too short a pause.
      const refusals = retryAfterMs === null ? refusedInARow : refusedInARow - 1;
      if (refusals > 0) pause(backoff(OWN_PAUSE, refusals));
    }
    if (retryAfterMs === null) return;
    pause(retryAfterMs);
    askedUntil = Math.max(askedUntil, performance.now() + retryAfterMs);
  };

  /** Calls that would not wait as long as the server asks. */
  const refuseImpatient = (): void => {
    const asked = askedUntil - performance.now();
    if (asked <= 0) return;
    for (const waiting of queue) {
      const { longestWaitMs } = waiting;
      if (asked <= longestWaitMs) continue;
      queue.delete(waiting);
      const message = `not sent: the provider asks to wait ${waitText(asked)}, more than ${waitText(longestWaitMs)}`;
      waiting.reject(new TargetError({ kind: 'rate', message, retryAfterMs: Math.ceil(asked) }));
    }
  };

  /** Lets out those that may go now, and comes back when the pause is over. No timer is left if nobody waits for it. */
  const next = (): void => {
    refuseImpatient();
    const left = pausedForMs();
    if (left === 0)
      for (const waiting of queue) {
        if (out >= allowed) break;
        out += 1;
        queue.delete(waiting);
        waiting.resolve(round);
      }
    clearTimeout(timer);
    if (left > 0 && queue.size > 0) timer = setTimeout(next, Math.min(LONGEST_TIMER_MS, Math.ceil(left)));
  };

  return {
    /** How many calls may be out, how many are, and how long the current pause lasts. */
    state: () => ({ allowed, out, pausedForMs: pausedForMs() }),

    /**
     * Resolves when the call may go out, with the round it belongs to; each such call has to be released. Rejects with a
     * TargetError when the caller gives up, and where the server asks for a pause longer than `longestWaitMs`.
     */
    async acquire(signal: AbortSignal, longestWaitMs = Infinity): Promise<number> {
      const waiting: Waiting = { longestWaitMs, ...Promise.withResolvers<number>() };
      const onAbort = (): void => {
        queue.delete(waiting);
        waiting.reject(new TargetError({ kind: 'aborted', message: 'the call was given up before it was sent' }));
        next();
      };
      queue.add(waiting);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
      next();
      try {
        return await waiting.promise;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },

    /** Gives back what `acquire` gave. Without its round, the call counts as one of the present round. */
    release({ kind, retryAfterMs = null }: CallOutcome, of = round): void {
      const isPresent = of === round;
      if (kind === 'rate') refuse(retryAfterMs, isPresent);
      if (kind === 'answered') refusedInARow = 0;
      if (kind === 'answered' && isPresent) grow();
      if (kind === 'trouble' && isPresent) {
        failed += 1;
        if (failed > allowed * TROUBLE_SHARE) cut(TROUBLE_CUT);
      }
      out -= 1;
      next();
    },
  };
}
