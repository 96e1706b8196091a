import { setImmediate } from 'node:timers/promises';

import type { Clock } from '../../../src/langfuse/client/calls.ts';

export interface FastClock extends Clock {
  /** What is not waiting takes time too. */
  advance(ms: number): void;
}

/** A clock that only waiting moves: minutes are over at once, and the same number of them on every machine. */
export function fastClock(): FastClock {
  let now = Date.UTC(2026, 0, 2);
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
    async sleep(ms) {
      const end = now + ms;
      await setImmediate();
      now = Math.max(now, end);
    },
  };
}
