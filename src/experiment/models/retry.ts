import { setTimeout as sleep } from 'node:timers/promises';

import { ModelError, type ModelErrorKind } from './model-error.ts';

export interface RetryPolicy {
  /** How many further attempts a call gets. */
  readonly retries: number;
  /** Wait before the first of them; doubled for each further one. */
  readonly backoffMs: number;
  /** The longest wait. A provider that asks for more is not asked again: coming back early would be one call more refused. */
  readonly longestWaitMs: number;
}

// A time-out is not among them: the call may have been answered and paid for, and would take as long again.
const MAY_PASS: readonly ModelErrorKind[] = ['rate', 'server', 'connection'];

/** What came of a call, and which attempt it was, counted from 1. */
export interface Attempted<T> {
  readonly value: T;
  readonly attempts: number;
}

/** Tries again where a failure may pass: after the time the provider asks for, or after waits that double. */
export async function withRetries<T>(
  call: () => Promise<T>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<Attempted<T>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { value: await call(), attempts: attempt };
    } catch (error) {
      if (!(error instanceof ModelError) || !MAY_PASS.includes(error.kind)) throw error;
      if (!(attempt <= policy.retries)) throw attempt === 1 ? error : noted(error, `after ${attempt} attempts`);
      const wait = error.retryAfterMs ?? backoff(policy, attempt);
      if (wait > policy.longestWaitMs)
        throw noted(error, `the provider asks to wait ${seconds(wait)}, more than ${seconds(policy.longestWaitMs)}`);
      await pause(wait, signal);
    }
  }
}

/** Between half and all of the doubled wait, so that calls that failed together do not come back together. */
export function backoff({ backoffMs, longestWaitMs }: Omit<RetryPolicy, 'retries'>, attempt: number): number {
  return Math.min(longestWaitMs, backoffMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal });
  } catch {
    throw new ModelError({ kind: 'aborted', message: 'the call was given up while waiting for another attempt' });
  }
}

function noted({ kind, message, status, retryAfterMs }: ModelError, note: string): ModelError {
  return new ModelError({ kind, message: `${message} (${note})`, status, retryAfterMs });
}

export function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}
