import { describe, expect, test } from 'vitest';

import { p95OfPool, reachPool, timesToReach } from '../../../src/stream/calibrate/constraints.ts';
import { gateInput } from '../../../src/stream/replay/gate-input.ts';
import { madeTrace } from '../made-trace.ts';
import { DOZEN } from './dozen-deltas.ts';

describe('the time until words have come', () => {
  test('is that of the first agent to have said so many, from the first content delta', () => {
    // a has 3 words at 500 and 5 at 900; b has 2 at 1000 and 6 at 1600; a has 7 at 9100; nobody has 8.
    const input = gateInput(madeTrace('dozen', DOZEN));
    expect(timesToReach(input, [3, 5, 6, 7, 8])).toEqual([400, 800, 1500, 9000, null]);
  });

  test('is pooled over cases and goals: the p95 of 100, 200 and 300 is 290; without the first case 195', () => {
    const pool = reachPool([
      [300, null],
      [100, 200],
    ]);
    expect(p95OfPool(pool, Float64Array.of(1, 1))).toBeCloseTo(290, 12);
    expect(p95OfPool(pool, Float64Array.of(0, 1))).toBeCloseTo(195, 12);
    expect(p95OfPool(pool, Float64Array.of(0, 0))).toBeNull();
  });
});
