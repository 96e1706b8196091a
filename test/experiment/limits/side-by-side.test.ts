import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it } from 'vitest';

import { sideBySide } from '../../../src/experiment/limits/side-by-side.ts';

describe('work side by side', () => {
  it('has at most so many in hand, and answers in the order of what was given', async () => {
    let inHand = 0;
    let most = 0;
    const doubled = await sideBySide([30, 1, 20, 2], 2, async (ms) => {
      inHand += 1;
      most = Math.max(most, inHand);
      await sleep(ms);
      inHand -= 1;
      return ms * 2;
    });
    expect(doubled).toEqual([60, 2, 40, 4]);
    expect(most).toBe(2);
  });

  it('begins nothing after a failure, and waits for what is in hand', async () => {
    const begun: number[] = [];
    const done: number[] = [];
    const work = async (one: number): Promise<void> => {
      begun.push(one);
      await sleep(one === 2 ? 1 : 20);
      if (one === 2) throw new Error('no');
      done.push(one);
    };
    await expect(sideBySide([1, 2, 3, 4], 2, work)).rejects.toThrow('no');
    expect(begun).toEqual([1, 2]);
    expect(done).toEqual([1]);
  });

  it('begins nothing once it is over', async () => {
    const begun: number[] = [];
    const work = async (one: number): Promise<void> => void begun.push(one);
    await sideBySide([1, 2, 3], 1, work, () => begun.length === 2);
    expect(begun).toEqual([1, 2]);
  });
});
