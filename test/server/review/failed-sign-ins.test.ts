import { describe, expect, it } from 'vitest';

import { FailedSignIns } from '../../../src/server/review/sign-in.ts';

describe('failed sign-ins', () => {
  it('are too many from the one after the most on, by address, and are forgotten after a minute', () => {
    let at = 0;
    const failed = new FailedSignIns(2, () => new Date(at));
    expect([failed.isTooMany('a'), failed.isTooMany('a'), failed.isTooMany('a')]).toEqual([false, false, true]);
    expect(failed.isTooMany('b')).toBe(false);
    at = 59_999;
    expect(failed.isTooMany('a')).toBe(true);
    at = 60_000;
    expect(failed.isTooMany('a')).toBe(false);
  });

  it('of ten thousand other addresses make the first be forgotten, so that memory has an end', () => {
    const failed = new FailedSignIns(1, () => new Date(0));
    failed.isTooMany('first');
    expect(failed.isTooMany('first')).toBe(true);
    for (let number = 0; number < 10_000; number += 1) failed.isTooMany(`address ${number}`);
    expect(failed.isTooMany('first')).toBe(false);
  });
});
