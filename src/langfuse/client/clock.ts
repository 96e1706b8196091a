import { setTimeout } from 'node:timers/promises';

/** What waiting is measured by: tests have one that runs faster. */
export interface Clock {
  /** Milliseconds. */
  now(): number;
  sleep(ms: number): Promise<unknown>;
}

export const SYSTEM_CLOCK: Clock = { now: () => Date.now(), sleep: (ms) => setTimeout(ms) };
