import { expect, test } from 'vitest';

import { flushIntervals } from '../../../src/stream/measure/stream-case.ts';

test('a gap that runs backwards is skipped, and the earlier flush stays the one measured from', () => {
  const at = (seconds: number): { timestamp: string } => ({ timestamp: new Date(seconds * 1000).toISOString() });
  expect(flushIntervals([at(10), at(12), at(11), at(15), at(15)])).toEqual([null, 2000, null, 3000, 0]);
});
