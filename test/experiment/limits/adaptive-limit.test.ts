import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { type AdaptiveLimit, adaptiveLimit, type CallOutcome } from '../../../src/experiment/limits/adaptive-limit.ts';

const NEVER = new AbortController().signal;
const ANSWERED: CallOutcome = { kind: 'answered' };
const TROUBLE: CallOutcome = { kind: 'trouble' };
const NEUTRAL: CallOutcome = { kind: 'neutral' };

function refused(retryAfterMs: number | null): CallOutcome {
  return { kind: 'rate', retryAfterMs };
}

/** So many calls that go out at once. */
async function out(limit: AdaptiveLimit, count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => limit.acquire(NEVER)));
}

/** Notes who has gone out, in order. */
function queueUp(limit: AdaptiveLimit, names: readonly string[], signal = NEVER): string[] {
  const gone: string[] = [];
  for (const name of names)
    void limit.acquire(signal).then(
      () => gone.push(name),
      () => undefined,
    );
  return gone;
}

describe('AdaptiveLimit', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('lets out as many as it begins with, and the next when one comes back, first come first served', async () => {
    const limit = adaptiveLimit(2, 2);
    const gone = queueUp(limit, ['a', 'b', 'c', 'd']);
    await vi.advanceTimersByTimeAsync(0);
    expect(gone).toEqual(['a', 'b']);
    limit.release(NEUTRAL);
    await vi.advanceTimersByTimeAsync(0);
    expect(gone).toEqual(['a', 'b', 'c']);
    limit.release(NEUTRAL);
    limit.release(NEUTRAL);
    await vi.advanceTimersByTimeAsync(0);
    expect(gone).toEqual(['a', 'b', 'c', 'd']);
    expect(limit.state().out).toBe(1);
  });

  it('begins with 4, or with the most where that is less', () => {
    expect(adaptiveLimit(100).state().allowed).toBe(4);
    expect(adaptiveLimit(3).state().allowed).toBe(3);
    expect(() => adaptiveLimit(0)).toThrow('at least one call');
  });

  it('doubles with every round that is answered, up to the most', async () => {
    const limit = adaptiveLimit(12, 4);
    const allowed: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const calls = await out(limit, limit.state().allowed);
      // With others waiting, so that the limit is in use to the last of them.
      const more = calls.map(() => limit.acquire(NEVER));
      for (const call of calls) limit.release(ANSWERED, call);
      await Promise.all(more);
      allowed.push(limit.state().allowed);
      for (const call of calls) limit.release(NEUTRAL, call);
    }
    expect(allowed).toEqual([8, 12, 12]);
  });

  it('halves once for a burst of refusals, then grows by one for each round that is answered', async () => {
    const limit = adaptiveLimit(16, 8);
    const rounds = await out(limit, 8);
    for (const round of rounds) limit.release(refused(0), round);
    expect(limit.state().allowed).toBe(4);

    const gone = await out(limit, 4);
    const allowed: number[] = [];
    for (let call = 0; call < 4 + 5 + 6; call += 1) {
      limit.release(ANSWERED, gone[0]);
      allowed.push(limit.state().allowed);
      await limit.acquire(NEVER);
    }
    // Four answers to grow to 5, five more to 6, six more to 7.
    expect(allowed).toEqual([4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 7]);
  });

  it('takes its time before it goes back to where it was refused, once, and none once it is past that', async () => {
    const limit = adaptiveLimit(16, 4);
    const [first] = await out(limit, 4);
    for (let call = 0; call < 4; call += 1) limit.release(refused(0), first);
    const [round] = await out(limit, 2);
    const answers: number[] = [];
    for (let grown = 0; grown < 4; grown += 1) {
      const before = limit.state().allowed;
      let count = 0;
      for (; limit.state().allowed === before; count += 1) {
        limit.release(ANSWERED, round);
        await limit.acquire(NEVER);
      }
      answers.push(count);
      await limit.acquire(NEVER);
    }
    // Refused at 4 and halved to 2: to 3 as usual, to 4 four times as long, to 5 likewise, to 6 as usual again.
    expect(answers).toEqual([2, 12, 16, 5]);
  });

  it('halves again when a call is refused that went out after the cut, but never below one', async () => {
    const limit = adaptiveLimit(8, 8);
    const [first] = await out(limit, 8);
    limit.release(refused(0), first);
    expect(limit.state().allowed).toBe(4);
    for (let call = 0; call < 7; call += 1) limit.release(NEUTRAL, first);
    const allowed: number[] = [];
    for (let call = 0; call < 4; call += 1) {
      const round = limit.acquire(NEVER);
      await vi.advanceTimersByTimeAsync(60_000);
      limit.release(refused(0), await round);
      allowed.push(limit.state().allowed);
    }
    expect(allowed).toEqual([2, 1, 1, 1]);
  });

  it('does not grow by answers to calls from before a cut', async () => {
    const limit = adaptiveLimit(8, 8);
    const [first] = await out(limit, 8);
    limit.release(refused(0), first);
    for (let call = 0; call < 7; call += 1) limit.release(ANSWERED, first);
    expect(limit.state().allowed).toBe(4);
  });

  it('does not grow while nobody comes near it', async () => {
    const limit = adaptiveLimit(100, 8);
    for (let call = 0; call < 50; call += 1) {
      await limit.acquire(NEVER);
      limit.release(ANSWERED);
    }
    expect(limit.state().allowed).toBe(8);
  });

  it('holds up every call until the time is over that the server asks for, and at most a tenth longer', async () => {
    const limit = adaptiveLimit(4, 4);
    const [first] = await out(limit, 4);
    const gone = queueUp(limit, ['a', 'b']);
    limit.release(refused(2000), first);
    limit.release(ANSWERED, first);
    limit.release(ANSWERED, first);
    expect(limit.state().pausedForMs).toBeGreaterThanOrEqual(2000);
    expect(limit.state().pausedForMs).toBeLessThanOrEqual(2200);
    await vi.advanceTimersByTimeAsync(1999);
    expect(gone).toEqual([]);
    await vi.advanceTimersByTimeAsync(202);
    // One of the first four is still out, and the limit is 2.
    expect(gone).toEqual(['a']);
    expect(limit.state().pausedForMs).toBe(0);
  });

  it('takes the longest of the waits that a burst is told', async () => {
    const limit = adaptiveLimit(4, 4);
    const [first] = await out(limit, 4);
    for (const wait of [1000, 5000, 2000, null]) limit.release(refused(wait), first);
    const gone = queueUp(limit, ['a']);
    await vi.advanceTimersByTimeAsync(4999);
    expect(gone).toEqual([]);
    await vi.advanceTimersByTimeAsync(502);
    expect(gone).toEqual(['a']);
  });

  it('waits by itself where the server does not say for how long, twice as long for each round refused in a row', async () => {
    const limit = adaptiveLimit(1);
    const pauses: number[] = [];
    for (const outcome of [refused(null), refused(null), refused(null), ANSWERED, refused(null)]) {
      const round = limit.acquire(NEVER);
      await vi.advanceTimersByTimeAsync(limit.state().pausedForMs + 1);
      limit.release(outcome, await round);
      pauses.push(limit.state().pausedForMs);
    }
    // Half to all of 500, 1000 and 2000 ms, and up to a tenth more.
    const [first = 0, second = 0, third = 0, answered, again = 0] = pauses;
    expect(first).toBeGreaterThanOrEqual(250);
    expect(first).toBeLessThanOrEqual(550);
    expect(second).toBeGreaterThanOrEqual(500);
    expect(second).toBeLessThanOrEqual(1100);
    expect(third).toBeGreaterThanOrEqual(1000);
    expect(third).toBeLessThanOrEqual(2200);
    expect(answered).toBe(0);
    expect(again).toBeLessThanOrEqual(550);
  });

  it('asks a server less and less often that says 0 seconds and refuses again', async () => {
    const limit = adaptiveLimit(1);
    const pauses: number[] = [];
    for (let call = 0; call < 4; call += 1) {
      const round = limit.acquire(NEVER);
      await vi.advanceTimersByTimeAsync(limit.state().pausedForMs + 1);
      limit.release(refused(0), await round);
      pauses.push(limit.state().pausedForMs);
    }
    expect(pauses[0]).toBe(0);
    expect(pauses[1]).toBeGreaterThanOrEqual(250);
    expect(pauses[3]).toBeGreaterThanOrEqual(1000);
  });

  it('takes trouble mildly: one call in three changes nothing, more lower the limit by a quarter', async () => {
    const limit = adaptiveLimit(16, 16);
    const [first] = await out(limit, 16);
    for (let call = 0; call < 8; call += 1) {
      limit.release(TROUBLE, first);
      await limit.acquire(NEVER);
    }
    expect(limit.state().allowed).toBe(16);
    limit.release(TROUBLE, first);
    expect(limit.state().allowed).toBe(12);
    expect(limit.state().pausedForMs).toBe(0);
    // The rest of that round went out before the cut.
    for (let call = 0; call < 10; call += 1) limit.release(TROUBLE, first);
    expect(limit.state().allowed).toBe(12);
  });

  it('forgets trouble when a round was answered', async () => {
    const limit = adaptiveLimit(4, 4);
    await out(limit, 4);
    for (let call = 0; call < 40; call += 1) {
      limit.release(call % 4 === 0 ? TROUBLE : ANSWERED);
      await limit.acquire(NEVER);
    }
    expect(limit.state().allowed).toBe(4);
  });

  it('lets go of a caller that gives up, keeps the order of the others, and leaves no timer and no listener', async () => {
    const limit = adaptiveLimit(1);
    const stay = new AbortController();
    await limit.acquire(stay.signal);
    const giveUp = new AbortController();
    const stayed = queueUp(limit, ['a'], stay.signal);
    const left = queueUp(limit, ['b', 'c'], giveUp.signal);
    const failed = limit.acquire(giveUp.signal).catch((error: unknown) => error);
    giveUp.abort();
    expect(await failed).toMatchObject({ name: 'TargetError', kind: 'aborted' });
    await expect(limit.acquire(giveUp.signal)).rejects.toMatchObject({ kind: 'aborted' });
    limit.release(refused(3_600_000));
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(4_000_000);
    expect([stayed, left]).toEqual([['a'], []]);
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(giveUp.signal, 'abort')).toEqual([]);
    expect(getEventListeners(stay.signal, 'abort')).toEqual([]);
  });

  it('has no timer when everybody gave up during a pause', async () => {
    const limit = adaptiveLimit(1);
    limit.release(refused(60_000), await limit.acquire(NEVER));
    const giveUp = new AbortController();
    queueUp(limit, ['a', 'b'], giveUp.signal);
    expect(vi.getTimerCount()).toBe(1);
    giveUp.abort();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sends away whoever would have to wait longer than they can, and keeps the patient ones', async () => {
    const limit = adaptiveLimit(1);
    const round = await limit.acquire(NEVER);
    const impatient = limit.acquire(NEVER, 120_000).catch((error: unknown) => error);
    const patient = queueUp(limit, ['a']);
    limit.release(refused(3_600_000), round);
    expect(await impatient).toMatchObject({
      kind: 'rate',
      message: 'not sent: the provider asks to wait 3600 s, more than 120 s',
    });
    await expect(limit.acquire(NEVER, 120_000)).rejects.toMatchObject({ kind: 'rate', retryAfterMs: 3_600_000 });
    await vi.advanceTimersByTimeAsync(3_500_000);
    const late = limit.acquire(NEVER, 120_000);
    await vi.advanceTimersByTimeAsync(102_000);
    expect(patient).toEqual(['a']);
    limit.release(ANSWERED);
    await late;
  });

  it('does not send anybody away for its own jitter', async () => {
    const limit = adaptiveLimit(1);
    limit.release(refused(120_000), await limit.acquire(NEVER));
    const round = limit.acquire(NEVER, 120_000);
    await vi.advanceTimersByTimeAsync(121_001);
    expect(await round).toBe(1);
  });

  it('goes by the clock: a timer that fires early lets nobody out', async () => {
    let time = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => time);
    const limit = adaptiveLimit(1);
    limit.release(refused(1000), await limit.acquire(NEVER));
    const gone = queueUp(limit, ['a']);
    time = 990;
    await vi.advanceTimersByTimeAsync(1101);
    expect(gone).toEqual([]);
    time = 1101;
    await vi.advanceTimersByTimeAsync(200);
    expect(gone).toEqual(['a']);
  });
});

describe('AdaptiveLimit under load', () => {
  it('loses nobody and lets nobody overtake, whatever comes back and whoever gives up', async () => {
    const limit = adaptiveLimit(9);
    let seed = 7;
    const random = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const begun: number[] = [];
    let [now, peak, gaveUp] = [0, 0, 0];
    await Promise.all(
      Array.from({ length: 600 }, async (_, at) => {
        const own = new AbortController();
        if (at % 10 === 9) setTimeout(() => own.abort(), random() * 30);
        let round: number;
        try {
          round = await limit.acquire(own.signal);
        } catch {
          gaveUp += 1;
          return;
        }
        begun.push(at);
        now += 1;
        peak = Math.max(peak, now);
        await sleep(random() * 2);
        now -= 1;
        const roll = random();
        // Waits that are told are short here; the own ones begin at a quarter of a second.
        if (roll < 0.02) limit.release(refused(2), round);
        else if (roll < 0.1) limit.release(TROUBLE, round);
        else limit.release(roll < 0.2 ? NEUTRAL : ANSWERED, round);
      }),
    );
    expect(begun.length + gaveUp).toBe(600);
    expect(gaveUp).toBeLessThanOrEqual(60);
    expect(begun).toEqual(begun.toSorted((a, b) => a - b));
    expect(peak).toBeLessThanOrEqual(9);
    expect(limit.state().out).toBe(0);
  });
});
