import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { type AdaptiveLimit, adaptiveLimit } from '../../../src/experiment/limits/adaptive-limit.ts';
import {
  type Attempts,
  CallFailed,
  type CallPolicy,
  callWithLimits,
  USUAL_POLICY,
} from '../../../src/experiment/limits/call-with-limits.ts';
import { type FailureKind, TargetError } from '../../../src/experiment/targets/target.ts';

const NEVER = new AbortController().signal;
const QUICK: CallPolicy = { ...USUAL_POLICY, backoffMs: 1 };

/** Fails in these ways, one after the other, then answers. */
function flaky(
  failures: readonly (FailureKind | TargetError)[],
): ((signal: AbortSignal) => Promise<string>) & { calls: number } {
  const call = (): Promise<string> => {
    const failure = failures[call.calls];
    call.calls += 1;
    if (failure === undefined) return Promise.resolve('answer');
    return Promise.reject(
      failure instanceof TargetError ? failure : new TargetError({ kind: failure, message: `it is ${failure}` }),
    );
  };
  call.calls = 0;
  return call;
}

async function failureOf(work: Promise<unknown>): Promise<CallFailed & Attempts> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof CallFailed)) throw new Error('expected a call that failed', { cause: error });
  return Object.assign(error, error.sent);
}

function oneAtATime(): AdaptiveLimit {
  return adaptiveLimit(1);
}

describe('callWithLimits', () => {
  it('hands on the answer, with the time of the call and not of waiting for it', async () => {
    const limit = oneAtATime();
    const round = await limit.acquire(NEVER);
    const before = Date.now();
    const called = callWithLimits(() => sleep(20, 'answer'), limit, QUICK, NEVER);
    await sleep(50);
    limit.release({ kind: 'neutral' }, round);
    const { value, attempts, startedAt, endedAt } = await called;
    expect([value, attempts]).toEqual(['answer', 1]);
    expect(Date.parse(startedAt) - before).toBeGreaterThanOrEqual(49);
    expect(Date.parse(endedAt) - Date.parse(startedAt)).toBeGreaterThanOrEqual(19);
    expect(limit.state().out).toBe(0);
  });

  it('tries again after failures that may pass', async () => {
    const called = await callWithLimits(flaky(['server', 'connection', 'server']), oneAtATime(), QUICK, NEVER);
    expect(called).toMatchObject({ value: 'answer', attempts: 4 });
  });

  it('gives up after the last attempt, says so, and keeps what is known of it', async () => {
    const usage = { inputTokens: 3, outputTokens: null, cost: null };
    const call = flaky(
      Array.from({ length: 9 }, () => new TargetError({ kind: 'server', message: 'HTTP 500', usage })),
    );
    const limit = oneAtATime();
    const error = await failureOf(callWithLimits(call, limit, QUICK, NEVER));
    expect(error).toMatchObject({ kind: 'server', message: 'HTTP 500 (after 5 attempts)', attempts: 5, usage });
    expect(call.calls).toBe(5);
    expect(limit.state().out).toBe(0);
  });

  it('says how many attempts there were also at the end of a long message', async () => {
    const call = flaky(Array.from({ length: 9 }, () => new TargetError({ kind: 'server', message: 'x'.repeat(900) })));
    const error = await failureOf(callWithLimits(call, oneAtATime(), QUICK, NEVER));
    expect(error.message).toMatch(/x… \(after 5 attempts\)$/);
  });

  it.each(['schema', 'answer', 'request', 'program', 'access', 'timeout', 'aborted'] as const)(
    'does not try again after a failure of kind %s',
    async (kind) => {
      const call = flaky([kind]);
      const limit = oneAtATime();
      const error = await failureOf(callWithLimits(call, limit, QUICK, NEVER));
      expect(error).toMatchObject({ kind, message: `it is ${kind}`, attempts: 1 });
      expect(call.calls).toBe(1);
      expect([limit.state().out, limit.state().allowed]).toEqual([0, 1]);
    },
  );

  it('says of a failure that will not pass the same words, whichever attempt met it', async () => {
    const error = await failureOf(callWithLimits(flaky(['server', 'schema']), oneAtATime(), QUICK, NEVER));
    expect(error).toMatchObject({ kind: 'schema', message: 'it is schema', attempts: 2 });
  });

  it('comes back from refusals as often as it may, each time when the pause of all calls is over', async () => {
    const refusal = new TargetError({ kind: 'rate', message: 'HTTP 429', retryAfterMs: 30 });
    const limit = oneAtATime();
    const began = performance.now();
    const called = await callWithLimits(flaky([refusal]), limit, { ...QUICK, retries: 0 }, NEVER);
    expect(performance.now() - began).toBeGreaterThanOrEqual(30);
    expect(called.attempts).toBe(2);

    const call = flaky(
      Array.from({ length: 9 }, () => new TargetError({ kind: 'rate', message: 'no', retryAfterMs: 0 })),
    );
    const error = await failureOf(callWithLimits(call, oneAtATime(), { ...QUICK, rateRetries: 1 }, NEVER));
    expect(error).toMatchObject({ kind: 'rate', message: 'no (after 2 attempts)', attempts: 2 });
  });

  it('counts refusals and other failures apart', async () => {
    const refusal = new TargetError({ kind: 'rate', message: 'HTTP 429', retryAfterMs: 0 });
    const call = flaky(['server', refusal, 'server']);
    const policy = { ...QUICK, retries: 2, rateRetries: 1 };
    expect(await callWithLimits(call, oneAtATime(), policy, NEVER)).toMatchObject({ attempts: 4 });
  });

  it('gives up at once where it is asked to wait too long, and so do calls that are not out yet', async () => {
    const limit = adaptiveLimit(1);
    const policy = { ...QUICK, longestWaitMs: 2000 };
    const call = flaky([new TargetError({ kind: 'rate', message: 'HTTP 429', retryAfterMs: 60_000 })]);
    const next = flaky([]);
    const [first, second] = await Promise.all([
      failureOf(callWithLimits(call, limit, policy, NEVER)),
      failureOf(callWithLimits(next, limit, policy, NEVER)),
    ]);
    expect(first).toMatchObject({
      kind: 'rate',
      message: 'HTTP 429 (the provider asks to wait 60 s, more than 2 s)',
      attempts: 1,
    });
    expect(second).toMatchObject({
      kind: 'rate',
      message: 'not sent: the provider asks to wait 60 s, more than 2 s',
      attempts: 0,
    });
    expect([call.calls, next.calls]).toEqual([1, 0]);
  });

  it('waits as long as an overloaded server asks for, and not at all where that is too long', async () => {
    const busy = (ms: number): TargetError =>
      new TargetError({ kind: 'server', message: 'HTTP 503', retryAfterMs: ms });
    const began = performance.now();
    const limit = oneAtATime();
    await callWithLimits(flaky([busy(40)]), limit, { ...QUICK, backoffMs: 10_000 }, NEVER);
    expect(performance.now() - began).toBeGreaterThanOrEqual(39);
    const error = await failureOf(callWithLimits(flaky([busy(600_000)]), limit, QUICK, NEVER));
    expect(error.message).toBe('HTTP 503 (the provider asks to wait 600 s, more than 120 s)');
  });

  it('holds no slot while it waits for another attempt', async () => {
    const limit = oneAtATime();
    const order: string[] = [];
    const slow = flaky(['server']);
    await Promise.all([
      callWithLimits(slow, limit, { ...QUICK, backoffMs: 200 }, NEVER).then(() => order.push('tried again')),
      callWithLimits(flaky([]), limit, QUICK, NEVER).then(() => order.push('in between')),
    ]);
    expect(order).toEqual(['in between', 'tried again']);
  });

  it('ends a call when its time is over, though the target ignores its signal, and throws away what comes later', async () => {
    const limit = oneAtATime();
    let told = false;
    const deaf = async (signal: AbortSignal): Promise<string> => {
      await sleep(60);
      told = signal.aborted;
      if (told) throw new Error('nobody hears this');
      return 'late';
    };
    const error = await failureOf(callWithLimits(deaf, limit, { ...QUICK, timeoutMs: 20 }, NEVER));
    expect(error).toMatchObject({ kind: 'timeout', message: 'no answer within 0.02 s', attempts: 1 });
    expect(Date.parse(error.endedAt) - Date.parse(error.startedAt)).toBeGreaterThanOrEqual(19);
    expect(limit.state().out).toBe(0);
    await sleep(80);
    expect(told).toBe(true);
  });

  it('is a time-out also where the target makes something else of its signal', async () => {
    const touchy = (signal: AbortSignal): Promise<string> =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new TargetError({ kind: 'connection', message: 'cut off' })));
      });
    const error = await failureOf(callWithLimits(touchy, oneAtATime(), { ...QUICK, timeoutMs: 10 }, NEVER));
    expect(error.kind).toBe('timeout');
  });

  it('takes a time-out that no timer can hold for none', async () => {
    const called = callWithLimits(() => sleep(20, 'answer'), oneAtATime(), { ...QUICK, timeoutMs: Infinity }, NEVER);
    expect((await called).value).toBe('answer');
  });

  it('ends when the caller gives up: before its turn, while it is out, while it waits for another attempt', async () => {
    const limit = oneAtATime();
    const giveUp = new AbortController();
    const outside = callWithLimits((signal) => sleep(60_000, 'x', { signal }), limit, QUICK, giveUp.signal);
    const waiting = callWithLimits(flaky([]), limit, QUICK, giveUp.signal);
    const between = callWithLimits(flaky(['server']), oneAtATime(), { ...QUICK, backoffMs: 60_000 }, giveUp.signal);
    const errors = Promise.all([failureOf(outside), failureOf(waiting), failureOf(between)]);
    await sleep(10);
    giveUp.abort();
    expect((await errors).map(({ kind, attempts, message }) => [kind, attempts, message])).toEqual([
      ['aborted', 1, 'the call was given up'],
      ['aborted', 0, 'the call was given up before it was sent'],
      ['aborted', 1, 'the call was given up while waiting for another attempt'],
    ]);
    expect(limit.state().out).toBe(0);
  });

  it('sends nothing for a caller that gave up before', async () => {
    const call = flaky([]);
    const error = await failureOf(callWithLimits(call, oneAtATime(), QUICK, AbortSignal.abort()));
    expect([error.kind, error.attempts, call.calls]).toEqual(['aborted', 0, 0]);
  });

  it('lets a bug through as it is, and gives the slot back', async () => {
    const limit = oneAtATime();
    const bug = new TypeError('x is not a function');
    const thrown = callWithLimits(
      () => {
        throw bug;
      },
      limit,
      QUICK,
      NEVER,
    );
    await expect(thrown).rejects.toBe(bug);
    expect(limit.state().out).toBe(0);
  });

  it('leaves nothing on the signal of the run', async () => {
    const run = new AbortController();
    const limit = adaptiveLimit(3);
    await Promise.all(
      Array.from({ length: 20 }, () => callWithLimits(flaky(['server', 'connection']), limit, QUICK, run.signal)),
    );
    expect(getEventListeners(run.signal, 'abort')).toEqual([]);
  });
});
