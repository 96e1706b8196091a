import { describe, expect, it } from 'vitest';

import { retryAfterMs } from '../../../src/experiment/models/retry-after.ts';

const NOON = Date.parse('2025-06-01T12:00:00Z');

describe('retryAfterMs', () => {
  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after': 'Sun, 01 Jun 2025 12:00:07 GMT' }, 7000],
    [{ 'retry-after': 'Sun, 01 Jun 2025 11:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': '-5 apples' }, null],
    [{ 'retry-after': '' }, null],
    [{}, null],
  ])('of the headers %j is %j', (headers, expected) => {
    expect(retryAfterMs(headers, null, NOON)).toBe(expected);
  });

  it("reads Google's RetryInfo where no header says it", () => {
    const body =
      '{"error": {"details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}]}}';
    expect(retryAfterMs({}, body, NOON)).toBe(34_500);
    expect(retryAfterMs({ 'retry-after': '1' }, body, NOON)).toBe(1000);
  });
});
