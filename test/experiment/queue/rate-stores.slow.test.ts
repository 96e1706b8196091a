import { Redis } from 'ioredis';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { adaptiveLimit } from '../../../src/experiment/limits/adaptive-limit.ts';
import { rateGate } from '../../../src/experiment/limits/rate.ts';
import { openQueueServer } from '../../../src/experiment/queue/connection.ts';
import type { QueueServer } from '../../../src/experiment/queue/queue-server.ts';
import { QUEUE_SERVERS, startQueueServer } from './queue-server.ts';

const FOREVER = new AbortController().signal;

describe.each(QUEUE_SERVERS)('limits in %s', (kind) => {
  const clients: QueueServer[] = [];
  beforeAll(async () => {
    const server = await startQueueServer(kind);
    for (let at = 0; at < 3; at += 1) clients.push(await openQueueServer(server.url));
    return async () => {
      for (const client of clients) await client.close();
      await server.close();
    };
  }, 240_000);

  test('three clients share a pause and the moments of calls and tokens', async () => {
    const [one, two] = clients.map(({ rates }) => rates);
    expect(await one!.reserve('k', 1000, 0)).toBeLessThan(5);
    const wait = await two!.reserve('k', 1000, 4000);
    expect([wait > 700, wait <= 1000]).toEqual([true, true]);
    await one!.correct('k', -2000);
    const next = await one!.reserve('k', 0, 0);
    // The call of the other one begins after 1 s, and its tokens take 2 s more.
    expect([next > 2500, next <= 3000]).toEqual([true, true]);
    await two!.pause('k', 60_000);
    expect(await one!.pausedFor('k')).toBeGreaterThan(59_000);
    expect(await one!.pausedFor('another')).toBe(0);
  });

  test('of two coordinators one holds a run, until it gives it back, dies or does not renew it', async () => {
    const [one, two] = clients.map(({ holds }) => holds);
    expect(await one!.hold('r', 'a', 60_000)).toBeNull();
    expect(await one!.hold('r', 'a', 60_000)).toBeNull();
    expect(await two!.hold('r', 'b', 60_000)).toBe('a');
    expect(await two!.hold('another', 'b', 60_000)).toBeNull();
    expect(await two!.hold('r', 'b', 400, 'a')).toBeNull();
    expect(await one!.hold('r', 'a', 60_000)).toBe('b');
    await expect.poll(() => one!.hold('r', 'a', 60_000)).toBeNull();
    await two!.release('r', 'b');
    expect(await two!.hold('r', 'b', 60_000)).toBe('a');
    await one!.release('r', 'a');
    expect(await two!.hold('r', 'b', 60_000)).toBeNull();
  });

  test('three clients together keep 1,800 calls a minute within 5 %', async () => {
    const limits = { requestsPerMinute: 1800, tokensPerMinute: null };
    const times: number[] = [];
    await Promise.all(
      clients.flatMap(({ rates }) => {
        const gate = rateGate(adaptiveLimit(8, 8), rates, 'rate', limits);
        return Array.from({ length: 8 }, async () => {
          for (let call = 0; call < 5; call += 1) {
            const round = await gate.acquire(FOREVER);
            times.push(performance.now());
            gate.release({ kind: 'answered' }, round);
          }
        });
      }),
    );
    const seconds = (times.at(-1)! - times[0]!) / 1000;
    const perMinute = ((times.length - 1) / seconds) * 60;
    expect(Math.abs(perMinute / 1800 - 1)).toBeLessThan(0.05);
  });
});

test('a Redis that may drop jobs when its memory is full is a warning', async () => {
  const server = await startQueueServer('redis');
  onTestFinished(() => server.close());
  const client = new Redis(server.url);
  await client.config('SET', 'maxmemory-policy', 'allkeys-lru');
  client.disconnect();
  const { warnings, close } = await openQueueServer(server.url);
  await close();
  expect(warnings).toEqual([expect.stringContaining('set maxmemory-policy noeviction (it is allkeys-lru)')]);
});
