import { TargetError } from '../targets/target.ts';
import { LONGEST_TIMER_MS } from './adaptive-limit.ts';

/**
 * One attempt, ended when its time is over or the caller gives up, also where whoever is called ignores its signal: what
 * comes later is thrown away.
 *
 * The signal is made by hand: of those that AbortSignal.any makes from one that lives long, Node 24 keeps every one.
 */
export function withinTime<T>(
  call: (signal: AbortSignal) => Promise<T>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const own = new AbortController();
    const end = (error: TargetError): void => {
      done();
      // First, since whoever is called may turn the signal into an error of its own.
      reject(error);
      own.abort(error);
    };
    const timer = setTimeout(
      () => end(new TargetError({ kind: 'timeout', message: `no answer within ${timeoutMs / 1000} s` })),
      Math.min(LONGEST_TIMER_MS, timeoutMs),
    );
    const onAbort = (): void => end(new TargetError({ kind: 'aborted', message: 'the call was given up' }));
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    else startedBy(call, own.signal).then(resolve, reject).finally(done);
  });
}

/** What it throws before it has a promise is a failure like any other. */
async function startedBy<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  return call(signal);
}
