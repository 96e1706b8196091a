import { setTimeout as sleep } from 'node:timers/promises';

import { TargetError } from '../targets/target.ts';
import { type AdaptiveLimit, LONGEST_TIMER_MS } from './adaptive-limit.ts';
import { waitText } from './duration.ts';

/** Calls and tokens a minute that a provider allows for one model and key; null: as many as it takes. */
export interface RateLimits {
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
}

/**
 * When calls of one key may go out. A call takes the next free moment and waits for it, so that one step keeps the order
 * of any number of processes. Times are those of the store.
 */
export interface RateStore {
  /** Milliseconds until the call may go out; the next one may `callMs` and `tokenMs` later. */
  reserve(key: string, callMs: number, tokenMs: number): Promise<number>;
  /** A call took more tokens than were reserved, or fewer. */
  correct(key: string, tokenMs: number): Promise<void>;
  /** No call of the key goes out before. */
  pause(key: string, ms: number): Promise<void>;
  pausedFor(key: string): Promise<number>;
}

interface Moments {
  call: number;
  tokens: number;
  paused: number;
}

/** Of one process. */
export function memoryRates(now: () => number = () => performance.now()): RateStore {
  const keys = new Map<string, Moments>();
  const of = (key: string): Moments => {
    const moments = keys.get(key) ?? { call: 0, tokens: 0, paused: 0 };
    keys.set(key, moments);
    return moments;
  };
  return {
    reserve(key, callMs, tokenMs) {
      const moments = of(key);
      const present = now();
      const start = Math.max(present, moments.call, moments.tokens, moments.paused);
      moments.call = start + callMs;
      moments.tokens = start + tokenMs;
      return Promise.resolve(start - present);
    },
    correct(key, tokenMs) {
      of(key).tokens += tokenMs;
      return Promise.resolve();
    },
    pause(key, ms) {
      const moments = of(key);
      moments.paused = Math.max(moments.paused, now() + ms);
      return Promise.resolve();
    },
    pausedFor: (key) => Promise.resolve(Math.max(0, of(key).paused - now())),
  };
}

/** Shared by all runs of this process. */
export const PROCESS_RATES = memoryRates();

/** What a call is taken to need before any has come back. */
const FIRST_ESTIMATE = 1000;
/** The latest calls count most. */
const NEW_SHARE = 0.2;

export type CallGate = Pick<AdaptiveLimit, 'acquire' | 'release'>;

/** What a call waits for: its turn among those that may be out at once, then the rate of its key. */
export interface RateGate extends CallGate {
  /** A call that came back took so many tokens. */
  spent(tokens: number): void;
}

/** Calls of one key, at the rate that its limits allow, wherever else calls of the same key are made. */
export function rateGate(limit: CallGate, store: RateStore, key: string, limits: RateLimits): RateGate {
  const msPer = (perMinute: number | null): number => (perMinute === null ? 0 : 60_000 / perMinute);
  const callMs = msPer(limits.requestsPerMinute);
  const tokenMs = msPer(limits.tokensPerMinute);
  let estimate = FIRST_ESTIMATE;
  /** What calls that are out have reserved, and what those took that came back: their sums matter, not their order. */
  const reserved: number[] = [];
  const used: number[] = [];
  // A store that cannot be reached must not end the calls: its own client reconnects.
  const inBackground = (work: Promise<void>): void => void work.catch(() => undefined);

  const settle = (): void => {
    const expected = reserved.shift() ?? 0;
    const tokens = used.shift() ?? 0;
    if (tokenMs > 0 && tokens !== expected) inBackground(store.correct(key, tokenMs * (tokens - expected)));
  };

  const waitForTurn = async (signal: AbortSignal, longestWaitMs: number): Promise<void> => {
    reserved.push(estimate);
    let wait = await store.reserve(key, callMs, tokenMs * estimate);
    let isPaused = false;
    while (wait > 0) {
      if (wait > longestWaitMs) refuseLonger(isPaused ? wait : await store.pausedFor(key), longestWaitMs);
      await sleep(Math.min(LONGEST_TIMER_MS, wait), undefined, { signal });
      // Another worker may have been refused meanwhile.
      wait = await store.pausedFor(key);
      isPaused = true;
    }
  };

  return {
    async acquire(signal, longestWaitMs = Infinity) {
      const round = await limit.acquire(signal, longestWaitMs);
      try {
        await waitForTurn(signal, longestWaitMs);
        return round;
      } catch (error) {
        settle();
        limit.release({ kind: 'neutral' }, round);
        if (!signal.aborted) throw error;
        throw new TargetError({ kind: 'aborted', message: 'the call was given up before it was sent' });
      }
    },
    release(outcome, round) {
      settle();
      if (outcome.kind === 'rate' && outcome.retryAfterMs != null) inBackground(store.pause(key, outcome.retryAfterMs));
      limit.release(outcome, round);
    },
    spent(tokens) {
      used.push(tokens);
      estimate += NEW_SHARE * (tokens - estimate);
    },
  };
}

function refuseLonger(waitMs: number, longestWaitMs: number): void {
  if (waitMs <= longestWaitMs) return;
  const message = `not sent: the provider asks to wait ${waitText(waitMs)}, more than ${waitText(longestWaitMs)}`;
  throw new TargetError({ kind: 'rate', message, retryAfterMs: Math.ceil(waitMs) });
}
