import { setTimeout } from 'node:timers/promises';

import type { Clock } from '../../../src/langfuse/client/clock.ts';

/** A clock on which an hour is over in a minute, or whatever `times` makes of it. */
export function fastClock(times: number): Clock {
  const began = performance.now();
  const start = Date.now();
  return {
    now: () => start + (performance.now() - began) * times,
    sleep: (ms) => setTimeout(ms / times),
  };
}
