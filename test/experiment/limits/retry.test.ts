import { describe, expect, it } from 'vitest';

import { type Failure, retried, retryAfterMs } from '../../../src/experiment/limits/retry.ts';

const NOON = Date.parse('2025-06-01T12:00:00Z');

describe('retryAfterMs', () => {
  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after': 'Sun, 01 Jun 2025 12:00:07 GMT' }, 7000],
    [{ 'retry-after': 'Sun, 01 Jun 2025 11:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '-5 apples' }, null],
    [{ 'retry-after': '' }, null],
    [{}, null],
  ])('of the headers %j is %j', (headers, expected) => {
    expect(retryAfterMs(headers, null, NOON)).toBe(expected);
  });

  it("reads Google's RetryInfo where no header says it", () => {
    const body =
      '{"error": {"details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}]}}';
    expect(retryAfterMs({}, body, NOON)).toBe(34_500);
    expect(retryAfterMs({ 'retry-after': '1' }, body, NOON)).toBe(1000);
  });
});

const SOON: Failure = { passes: 'soon', retryAfterMs: null };
const RATE: Failure = { passes: 'rate', retryAfterMs: 70 };
const POLICY = { retries: 2, rateRetries: 1, backoffMs: 100, longestBackoffMs: 150, longestWaitMs: 1000 };

/** Fails as listed, then is answered; the waits between the attempts. */
async function tried(failures: readonly Failure[], mayWait = true) {
  const left = [...failures];
  const waits: number[] = [];
  const call = async () => {
    const failure = left.shift();
    return failure === undefined ? { value: 'yes' } : { failure };
  };
  const ended = await retried(call, POLICY, async (waitMs) => waits.push(waitMs) > 0 && mayWait);
  return { ended, waits };
}

describe('a call that is tried again', () => {
  it('waits half to all of the doubled time, up to the longest, or as long as it is asked to', async () => {
    const { ended, waits } = await tried([SOON, RATE, SOON]);
    expect(ended).toEqual({ value: 'yes', attempts: 4 });
    const [first = 0, second, third = 0] = waits;
    expect(first).toBeGreaterThanOrEqual(50);
    expect(first).toBeLessThanOrEqual(100);
    expect(second).toBe(70);
    expect(third).toBeGreaterThanOrEqual(75);
    expect(third).toBeLessThanOrEqual(150);
  });

  it.each([
    ['final', [{ passes: null, retryAfterMs: null }], true, 1],
    ['enough', [SOON, SOON, SOON], true, 3],
    ['enough', [RATE, RATE], true, 2],
    ['too-long', [{ passes: 'rate', retryAfterMs: 1001 }], true, 1],
    ['left', [SOON], false, 1],
  ] as const)('ends as %s', async (end, failures, mayWait, attempts) => {
    expect((await tried(failures, mayWait)).ended).toMatchObject({ end, attempts });
  });
});
