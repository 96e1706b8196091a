export interface RetryPolicy {
  /** How many further attempts a call gets whose failure may pass. */
  readonly retries: number;
  /** The same for a call that is refused for too many calls. */
  readonly rateRetries: number;
  /** Wait before the first of them; doubled for each further one. */
  readonly backoffMs: number;
  /** The longest of these doubled waits; `longestWaitMs` unless told. */
  readonly longestBackoffMs?: number;
  /** A server that asks for a longer wait is not asked again: coming back early would be one call more refused. */
  readonly longestWaitMs: number;
}

/** A failure as far as trying again goes. */
export interface Failure {
  /** Which further attempts it uses up; null: none, since it will not pass or may have been paid for. */
  readonly passes: 'rate' | 'soon' | null;
  readonly retryAfterMs: number | null;
}

type Retried<T, F> = { readonly attempts: number } & (
  | { readonly value: T }
  | { readonly failure: F; readonly end: 'final' | 'enough' | 'too-long' | 'left'; readonly waitMs: number }
);

/** Repeats a call until it ends. `final`: the failure will not pass; `left`: the caller gave up during a pause. */
export async function retried<T, F extends Failure>(
  call: () => Promise<{ readonly value: T } | { readonly failure: F }>,
  policy: RetryPolicy,
  pause: (waitMs: number, failure: F) => Promise<boolean>,
): Promise<Retried<T, F>> {
  const failures = { rate: 0, soon: 0 };
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await call();
    if ('value' in outcome) return { value: outcome.value, attempts };
    const { failure } = outcome;
    if (failure.passes === null) return { failure, attempts, end: 'final', waitMs: 0 };
    failures[failure.passes] += 1;
    const again = failures[failure.passes];
    const waitMs = failure.retryAfterMs ?? backoff(policy, again);
    const isSpent = !(again <= (failure.passes === 'rate' ? policy.rateRetries : policy.retries));
    if (isSpent) return { failure, attempts, end: 'enough', waitMs };
    if (waitMs > policy.longestWaitMs) return { failure, attempts, end: 'too-long', waitMs };
    if (!(await pause(waitMs, failure))) return { failure, attempts, end: 'left', waitMs };
  }
}

/** Between half and all of the doubled wait, so that calls that failed together do not come back together. */
export function backoff(policy: Omit<RetryPolicy, 'retries' | 'rateRetries'>, time: number): number {
  const { backoffMs, longestWaitMs, longestBackoffMs = longestWaitMs } = policy;
  return Math.min(longestBackoffMs, backoffMs * 2 ** (time - 1)) * (0.5 + Math.random() / 2);
}

const SECONDS = /^\d+(?:\.\d+)?$/;
// Google has it in the body: {"@type": "…RetryInfo", "retryDelay": "34s"}.
const DELAY_IN_BODY = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/;

/**
 * How long a server asks to wait, in milliseconds; null where it does not say. By the header `retry-after-ms` (OpenAI),
 * `retry-after` in seconds or as a date (RFC 9110, 10.2.3), or Google's RetryInfo in the body.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, body: string | null, now: number) {
  const milliseconds = headers['retry-after-ms']?.trim() ?? '';
  if (SECONDS.test(milliseconds)) return Math.ceil(Number(milliseconds));
  const given = headers['retry-after']?.trim() ?? '';
  if (SECONDS.test(given)) return Math.ceil(Number(given) * 1000);
  const date = Date.parse(given);
  if (!Number.isNaN(date)) return Math.max(0, date - now);
  const inBody = DELAY_IN_BODY.exec(body ?? '')?.[1];
  return inBody === undefined ? null : Math.ceil(Number(inBody) * 1000);
}
