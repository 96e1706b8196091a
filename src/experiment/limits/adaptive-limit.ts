import { backoff } from './retry.ts';
import { TargetError } from '../targets/target.ts';
import { waitText } from './duration.ts';

/** What a call says about how much its server can take; `trouble` may or may not be for the load. */
export interface CallOutcome {
  readonly kind: 'answered' | 'rate' | 'trouble' | 'neutral';
  readonly retryAfterMs?: number | null;
}

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
export class AdaptiveLimit {
  readonly #most: number;
  readonly #waiting = new Set<Waiting>();
  #allowed: number;
  #out = 0;
  #round = 0;
  /** Of this round, since the limit last changed. */
  #answered = 0;
  #failed = 0;
  #refusedInARow = 0;
  /** The limit at which a call was last refused; infinite once it was passed without. */
  #refusedAt = Infinity;
  #pausedUntil = -Infinity;
  /** Without jitter and pauses of our own: what the server asks for. */
  #askedUntil = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(most: number, start = 4) {
    if (!(most >= 1)) throw new RangeError('a limit lets at least one call out');
    this.#most = Math.floor(most);
    this.#allowed = Math.min(start, this.#most);
  }

  get allowed(): number {
    return this.#allowed;
  }

  get out(): number {
    return this.#out;
  }

  get pausedForMs(): number {
    return Math.max(0, this.#pausedUntil - performance.now());
  }

  /**
   * Resolves when the call may go out, with the round it belongs to; each such call has to be released. Rejects with a
   * TargetError when the caller gives up, and where the server asks for a pause longer than `longestWaitMs`: nothing was sent then.
   */
  async acquire(signal: AbortSignal, longestWaitMs = Infinity): Promise<number> {
    const waiting: Waiting = { longestWaitMs, ...Promise.withResolvers<number>() };
    const onAbort = (): void => {
      this.#waiting.delete(waiting);
      waiting.reject(new TargetError({ kind: 'aborted', message: 'the call was given up before it was sent' }));
      this.#next();
    };
    this.#waiting.add(waiting);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    this.#next();
    try {
      return await waiting.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Gives back what `acquire` gave. Without its round, the call counts as one of the present round. */
  release({ kind, retryAfterMs = null }: CallOutcome, round: number = this.#round): void {
    const isPresent = round === this.#round;
    if (kind === 'rate') this.#refuse(retryAfterMs, isPresent);
    if (kind === 'answered') this.#refusedInARow = 0;
    if (kind === 'answered' && isPresent) this.#grow();
    if (kind === 'trouble' && isPresent) {
      this.#failed += 1;
      if (this.#failed > this.#allowed * TROUBLE_SHARE) this.#cut(TROUBLE_CUT);
    }
    this.#out -= 1;
    this.#next();
  }

  #grow(): void {
    // A limit that nobody comes near was not put to the test.
    if (this.#out * 2 < this.#allowed) return;
    this.#answered += 1;
    const patience = this.#allowed + 1 < this.#refusedAt ? 1 : PATIENCE;
    if (this.#round > 0 && this.#answered < this.#allowed * patience) return;
    this.#allowed = Math.min(this.#most, this.#allowed + 1);
    if (this.#allowed > this.#refusedAt) this.#refusedAt = Infinity;
    this.#answered = 0;
    this.#failed = 0;
  }

  #refuse(retryAfterMs: number | null, isPresent: boolean): void {
    if (isPresent) {
      this.#refusedInARow += 1;
      this.#refusedAt = this.#allowed;
      this.#cut(1 / 2);
      // A server that goes on refusing is asked less and less often, also where what it says is too short.
      const refusals = retryAfterMs === null ? this.#refusedInARow : this.#refusedInARow - 1;
      if (refusals > 0) this.#pause(backoff(OWN_PAUSE, refusals));
    }
    if (retryAfterMs === null) return;
    this.#pause(retryAfterMs);
    this.#askedUntil = Math.max(this.#askedUntil, performance.now() + retryAfterMs);
  }

  /** Calls that would not wait as long as the server asks. */
  #refuseImpatient(): void {
    const asked = this.#askedUntil - performance.now();
    if (asked <= 0) return;
    for (const waiting of this.#waiting) {
      const { longestWaitMs } = waiting;
      if (asked <= longestWaitMs) continue;
      this.#waiting.delete(waiting);
      const message = `not sent: the provider asks to wait ${waitText(asked)}, more than ${waitText(longestWaitMs)}`;
      waiting.reject(new TargetError({ kind: 'rate', message, retryAfterMs: Math.ceil(asked) }));
    }
  }

  #cut(factor: number): void {
    this.#allowed = Math.max(1, Math.floor(this.#allowed * factor));
    this.#answered = 0;
    this.#failed = 0;
    this.#round += 1;
  }

  #pause(ms: number): void {
    const jitter = Math.random() * Math.min(JITTER.mostMs, ms * JITTER.share);
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms + jitter);
  }

  /** Lets out whoever may go now, and comes back when the pause is over. No timer is left where nobody waits for it. */
  #next(): void {
    this.#refuseImpatient();
    const pause = this.pausedForMs;
    if (pause === 0)
      for (const waiting of this.#waiting) {
        if (this.#out >= this.#allowed) break;
        this.#out += 1;
        this.#waiting.delete(waiting);
        waiting.resolve(this.#round);
      }
    clearTimeout(this.#timer);
    if (pause > 0 && this.#waiting.size > 0)
      this.#timer = setTimeout(() => this.#next(), Math.min(LONGEST_TIMER_MS, Math.ceil(pause)));
  }
}
