import { setTimeout } from 'node:timers/promises';

import type { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { retried } from '../../experiment/limits/retry.ts';
import { withoutKey } from '../../experiment/models/secrets.ts';
import { type BoundedCall, withBounds } from './bounded-fetch.ts';
import { langfuseFailure, type CallFailure, noAnswer } from './call-failure.ts';

/** What waiting is measured by: tests have one that runs faster. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

const SYSTEM_CLOCK: Clock = { now: () => Date.now(), sleep: (ms) => setTimeout(ms) };

export interface Patience {
  /** How often a call is made whose failure may pass. */
  readonly attempts: number;
  /** The same if the server reports too many requests: it will answer in the end. */
  readonly attemptsWhenLimited: number;
  /** Wait before the second attempt; doubled for each further one. */
  readonly backoffMs: number;
  /** A server that asks for a longer wait than this is not waited for. */
  readonly longestWaitMs: number;
  readonly timeoutMs: number;
}

export const PATIENCE: Patience = {
  attempts: 5,
  attemptsWhenLimited: 10,
  backoffMs: 250,
  longestWaitMs: 60_000,
  timeoutMs: 30_000,
};

/** What every call of the SDK is given. Its own retries are off: they know nothing of dropped connections. */
export interface CallOptions {
  readonly timeoutInSeconds: number;
  readonly maxRetries: 0;
  readonly abortSignal: AbortSignal;
}

export type Send = (options: CallOptions) => PromiseLike<unknown>;

const LONGEST_BACKOFF_MS = 8000;
// The SDK's own time-out does not cover the reading of the answer, and its timer is left behind where a call fails.
const SDK_TIMEOUT_MARGIN_MS = 100;

/** The server did not answer, or was in trouble: what was asked of it may have been done or not. */
export class Unavailable extends UsageError {}

/** Calls to one server: tried again where that may help, checked, and with errors that say what to do. */
export class Calls {
  readonly place: string;
  readonly #keys: readonly string[];
  readonly #patience: Patience;
  readonly clock: Clock;
  sent = 0;
  limited = 0;
  /** Concurrent calls wait together when one of them has to. */
  #pausedUntil = 0;

  constructor(place: string, keys: readonly string[], patience: Patience = PATIENCE, clock: Clock = SYSTEM_CLOCK) {
    this.place = place;
    this.#keys = keys;
    this.#patience = patience;
    this.clock = clock;
  }

  /** `what` is what is being done, as in "cannot `read the dataset`". */
  async make<T>(what: string, answer: z.ZodType<T>, send: Send, patience: Partial<Patience> = {}): Promise<T> {
    const outcome = await this.#attempt(what, send, { ...this.#patience, ...patience });
    if ('failure' in outcome) throw this.#refusal(what, outcome.failure);
    return this.#checked(what, answer, outcome.answer);
  }

  /** Null if the server answers that there is no such thing. */
  async find<T>(what: string, answer: z.ZodType<T>, send: Send): Promise<T | null> {
    const outcome = await this.#attempt(what, send, this.#patience);
    if (!('failure' in outcome)) return this.#checked(what, answer, outcome.answer);
    if (outcome.failure.status === 404) return null;
    throw this.#refusal(what, outcome.failure);
  }

  /** The text without the keys, also where a server sends them back. */
  withoutKeys(text: string): string {
    return this.#keys.reduce((rest, key) => withoutKey(rest, key), text);
  }

  async #attempt(
    what: string,
    send: Send,
    patience: Patience,
  ): Promise<{ readonly answer: unknown } | { readonly failure: CallFailure }> {
    const { attempts, attemptsWhenLimited, ...waits } = patience;
    const ended = await retried(
      () => this.#once(what, send, patience.timeoutMs),
      { ...waits, retries: attempts - 1, rateRetries: attemptsWhenLimited - 1, longestBackoffMs: LONGEST_BACKOFF_MS },
      async (wait, { passes }) => {
        if (passes === 'rate') this.#pausedUntil = Math.max(this.#pausedUntil, this.clock.now() + wait);
        else await this.clock.sleep(wait);
        return true;
      },
    );
    if ('value' in ended) return { answer: ended.value };
    const { failure, end, waitMs } = ended;
    if (end === 'final') return { failure };
    throw this.#givenUp(what, failure, ended.attempts, waitMs > patience.longestWaitMs ? waitMs : null);
  }

  /** What is refused on the way, for reasons of trust, is thrown. */
  async #once(
    what: string,
    send: Send,
    timeoutMs: number,
  ): Promise<{ readonly value: unknown } | { readonly failure: CallFailure }> {
    for (let wait = this.#wait(); wait > 0; wait = this.#wait()) await this.clock.sleep(wait);
    this.sent += 1;
    const abortSignal = AbortSignal.timeout(timeoutMs);
    const call: BoundedCall = { refusal: null };
    try {
      const timeoutInSeconds = (timeoutMs + SDK_TIMEOUT_MARGIN_MS) / 1000;
      return { value: await withBounds(call, () => send({ timeoutInSeconds, maxRetries: 0, abortSignal })) };
    } catch (error) {
      if (call.refusal !== null)
        throw this.#problem(
          `cannot ${what}: Langfuse at ${this.place} is not trusted: ${call.refusal}`,
          'is LANGFUSE_BASE_URL the address of the server itself?',
        );
      const failure = abortSignal.aborted
        ? noAnswer(`no answer within ${timeoutMs / 1000} s`)
        : langfuseFailure(error, (text) => this.withoutKeys(text));
      if (failure.passes === 'rate') this.limited += 1;
      return { failure };
    }
  }

  #wait(): number {
    return this.#pausedUntil - this.clock.now();
  }

  #checked<T>(what: string, answer: z.ZodType<T>, given: unknown): T {
    const parsed = answer.safeParse(given);
    if (parsed.success && !isNoJson(given)) return parsed.data;
    const path = parsed.error?.issues[0]?.path ?? [];
    const field = path.length === 0 ? '' : ` (${path.map(String).join('.')})`;
    throw this.#problem(
      `cannot ${what}: the answer of ${this.place} is not what Langfuse sends${field}`,
      'is LANGFUSE_BASE_URL the address of a Langfuse server?',
    );
  }

  #givenUp(what: string, { status, words }: CallFailure, attempts: number, askedMs: number | null): Unavailable {
    const times = attempts === 1 ? '' : ` after ${attempts} attempts`;
    if (status === null)
      return new Unavailable(
        this.withoutKeys(`cannot ${what}: Langfuse at ${this.place} cannot be reached${times} (${words})`),
        'is the server up, and is LANGFUSE_BASE_URL its address? Set neither key to work with the local store',
      );
    const asked = askedMs === null ? '' : `, and asks to wait ${Math.ceil(askedMs / 1000)} s`;
    return new Unavailable(
      this.withoutKeys(
        `cannot ${what}: Langfuse at ${this.place} answers with HTTP ${status}${times}${asked}${said(words)}`,
      ),
      status === 429 ? 'try again later: the limit of this Langfuse is reached' : 'try again later',
    );
  }

  #refusal(what: string, { status, words }: CallFailure): UsageError {
    if (status === 401 || status === 403)
      return this.#problem(
        `cannot ${what}: Langfuse at ${this.place} refuses the keys (HTTP ${status}${said(words)})`,
        'do LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY belong to a project of the server at LANGFUSE_BASE_URL?',
      );
    return this.#problem(
      `cannot ${what}: Langfuse at ${this.place} refuses with HTTP ${status ?? 0}${said(words)}`,
      status === 413 ? 'the request is too large for Langfuse or a proxy in front of it: make it smaller' : null,
    );
  }

  #problem(message: string, next: string | null = null): UsageError {
    return new UsageError(this.withoutKeys(message), next);
  }
}

/** The SDK takes a page of HTML under a good status for an answer, and hands it on wrapped up. */
function isNoJson(given: unknown): boolean {
  return (
    isRecord(given) && given['ok'] === false && isRecord(given['error']) && given['error']['reason'] === 'non-json'
  );
}

function said(words: string): string {
  return words === '' ? '' : `: ${words}`;
}
