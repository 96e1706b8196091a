import { afterEach, expect, it, vi } from 'vitest';

import { sendingTime } from '../../src/experiment/sending-time.ts';

const NOON = Date.UTC(2100, 0, 1, 12);

afterEach(() => {
  vi.restoreAllMocks();
});

it('two times within one millisecond differ, and the later call has the later time', () => {
  vi.spyOn(Date, 'now').mockReturnValue(NOON);
  expect([sendingTime(), sendingTime(), sendingTime()]).toEqual([
    '2100-01-01T12:00:00.000Z',
    '2100-01-01T12:00:00.001Z',
    '2100-01-01T12:00:00.002Z',
  ]);
});

it('a clock that is set back does not set the times back', () => {
  const now = vi.spyOn(Date, 'now').mockReturnValue(NOON + 60_000);
  const before = sendingTime();
  now.mockReturnValue(NOON);
  expect(sendingTime() > before).toBe(true);
});

it('the time of a sending by a clock that was ahead is passed', () => {
  vi.spyOn(Date, 'now').mockReturnValue(NOON);
  expect(sendingTime('2100-01-02T00:00:00.000Z')).toBe('2100-01-02T00:00:00.001Z');
  expect(sendingTime('2000-01-01T00:00:00.000Z') > '2100-01-02T00:00:00.001Z').toBe(true);
});
