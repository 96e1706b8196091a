import { expect, test } from 'vitest';

import { outliersOf } from '../../../src/stream/measure/measure-stream.ts';

test('what lies beyond the 95th or below the 5th percentile of the cases stands out', () => {
  // numpy: p95 of the latencies 4260, of the flushes 13.6; p5 of the coverages 0.12.
  const cases = [
    { latency: 1000, flushes: 10, coverage: 0.1 },
    { latency: 1100, flushes: 10, coverage: 0.2 },
    { latency: 1200, flushes: 10, coverage: 0.3 },
    { latency: 1300, flushes: 12, coverage: 0.4 },
    { latency: 5000, flushes: 14, coverage: 0.5 },
  ];
  expect(outliersOf(cases)).toEqual([['low_coverage'], [], [], [], ['latency_spike', 'excessive_flushes']]);
});

test('a case without a value does not stand out, and equal cases do not either', () => {
  const same = { latency: null, flushes: 3, coverage: 0.5 };
  expect(outliersOf([same, same, { ...same, coverage: null }])).toEqual([[], [], []]);
});
