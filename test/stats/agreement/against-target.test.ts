import { expect, it } from 'vitest';

import { againstTarget } from '../../../src/stats/agreement/against-target.ts';

const within = (low: number, high: number) => ({ low, high, level: 0.95, method: 'bootstrap-percentile' });

it.each([
  [0.85, within(0.76, 0.93), 'met'],
  [0.8, within(0.75, 0.9), 'inconclusive'],
  [0.6, within(0.5, 0.74), 'not met'],
  [0.7, within(0.6, 0.75), 'not met'],
  [0.7, within(0.6, 0.76), 'inconclusive'],
  [1, null, 'inconclusive'],
  [null, null, 'inconclusive'],
] as const)('%d with %j is, against 0.75, %s', (value, interval, result) => {
  const noInterval = interval === null ? 'one item only' : null;
  const found = againstTarget({ value, interval, noInterval }, 0.75);
  expect(found.result).toBe(result);
  expect(found.why).not.toBe('');
});
