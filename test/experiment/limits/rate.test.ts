import { expect, test } from 'vitest';

import { adaptiveLimit } from '../../../src/experiment/limits/adaptive-limit.ts';
import { memoryRates, rateGate } from '../../../src/experiment/limits/rate.ts';

const FOREVER = new AbortController().signal;

test('calls take the next free moment, whoever asks: 600 a minute are 100 ms apart', async () => {
  let now = 1000;
  const rates = memoryRates(() => now);
  const waits = [await rates.reserve('k', 100, 0), await rates.reserve('k', 100, 0), await rates.reserve('k', 100, 0)];
  expect(waits).toEqual([0, 100, 200]);
  expect(await rates.reserve('other', 100, 0)).toBe(0);
  now = 1250;
  expect(await rates.reserve('k', 100, 0)).toBe(50);
});

test('moments that nobody took are gone: there is no burst after a quiet time', async () => {
  let now = 0;
  const rates = memoryRates(() => now);
  await rates.reserve('k', 100, 0);
  now = 10_000;
  expect([await rates.reserve('k', 100, 0), await rates.reserve('k', 100, 0)]).toEqual([0, 100]);
});

test('tokens hold up calls as long as they take at their rate; what was estimated too high is given back', async () => {
  const rates = memoryRates(() => 0);
  await rates.reserve('k', 0, 3000);
  await rates.correct('k', -1000);
  expect(await rates.reserve('k', 0, 0)).toBe(2000);
});

test('a pause holds up every call of the key', async () => {
  let now = 0;
  const rates = memoryRates(() => now);
  await rates.pause('k', 700);
  await rates.pause('k', 300);
  expect([await rates.pausedFor('k'), await rates.pausedFor('other')]).toEqual([700, 0]);
  expect(await rates.reserve('k', 0, 0)).toBe(700);
  now = 800;
  expect(await rates.pausedFor('k')).toBe(0);
});

test('two gates of one key keep one rate; a refused call with Retry-After pauses both', async () => {
  const rates = memoryRates();
  const limits = { requestsPerMinute: 3000, tokensPerMinute: null };
  const gates = [1, 2].map(() => rateGate(adaptiveLimit(8), rates, 'k', limits));
  const start = performance.now();
  await Promise.all(
    gates.flatMap((gate) =>
      Array.from({ length: 5 }, async () => {
        const round = await gate.acquire(FOREVER);
        gate.release({ kind: 'answered' }, round);
      }),
    ),
  );
  // The tenth call is 9 × 20 ms after the first.
  expect(performance.now() - start).toBeGreaterThanOrEqual(175);
  const round = await gates[0]!.acquire(FOREVER);
  gates[0]!.release({ kind: 'rate', retryAfterMs: 150 }, round);
  const refused = performance.now();
  await gates[1]!.acquire(FOREVER);
  expect(performance.now() - refused).toBeGreaterThanOrEqual(145);
});

test('tokens that calls took decide when the next may go', async () => {
  const rates = memoryRates();
  // 1,000 tokens, the first estimate, take 100 ms.
  const gate = rateGate(adaptiveLimit(8), rates, 'k', { requestsPerMinute: null, tokensPerMinute: 600_000 });
  const start = performance.now();
  const round = await gate.acquire(FOREVER);
  gate.spent(2000);
  gate.release({ kind: 'answered' }, round);
  await gate.acquire(FOREVER);
  expect(performance.now() - start).toBeGreaterThanOrEqual(195);
});

test('a call is not sent if the pause is longer than it would wait, and can be given up while it waits', async () => {
  const rates = memoryRates();
  const gate = rateGate(adaptiveLimit(1), rates, 'k', { requestsPerMinute: 1, tokensPerMinute: null });
  await rates.pause('k', 60_000);
  await expect(gate.acquire(FOREVER, 1000)).rejects.toMatchObject({ kind: 'rate', retryAfterMs: expect.any(Number) });
  const signal = AbortSignal.timeout(20);
  await expect(gate.acquire(signal)).rejects.toMatchObject({ kind: 'aborted' });
});
