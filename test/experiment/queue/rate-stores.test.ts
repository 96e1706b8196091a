import { expect, test } from 'vitest';

import { postgresRates, redisRates } from '../../../src/experiment/queue/rate-stores.ts';

test('limits in Redis are under a prefix of their own, and fractions of milliseconds survive', async () => {
  const seen: unknown[] = [];
  const rates = redisRates({
    eval: (_script, ...rest) => {
      seen.push(rest);
      return Promise.resolve('12.345');
    },
  });
  expect(await rates.reserve('k', 33.3, 0)).toBe(12.345);
  expect(seen).toEqual([[1, '{assay}:rate:k', 33.3, 0]]);
});

test('a moment in Postgres that is past by the time it is read is no wait, and a key that nobody used is not paused', async () => {
  const rows = [[{ ms: '-0.25' }], []];
  const rates = postgresRates({ query: () => Promise.resolve({ rows: rows.shift() ?? [] }) });
  expect([await rates.reserve('k', 10, 0), await rates.pausedFor('k')]).toEqual([0, 0]);
});
