import { expect, it } from 'vitest';

import { Turns } from '../../src/server/turns.ts';

it('work is done two at a time, in the order in which it came, also behind what fails', async () => {
  const turns = new Turns(2);
  const begun: number[] = [];
  const works = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const ended = works.map(({ promise }, at) =>
    turns.take(async () => {
      begun.push(at);
      await promise;
      return at;
    }),
  );
  expect([begun, turns.waiting]).toEqual([[0, 1], 3]);
  works[1]!.reject(new Error('broken'));
  await expect(ended[1]).rejects.toThrow('broken');
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  expect(turns.waiting).toBe(2);
  for (const { resolve } of works) resolve();
  const results = await Promise.allSettled(ended);
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([true, false, true, true, true]);
  expect([begun, turns.waiting]).toEqual([[0, 1, 2, 3, 4], 0]);
});
