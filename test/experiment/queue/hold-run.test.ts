import { expect, onTestFinished, test, vi } from 'vitest';

import { LOCK_TIMES } from '../../../src/data/folder-lock.ts';
import { PROCESS } from '../../../src/data/is-alive.ts';
import { holdRun } from '../../../src/experiment/queue/hold-run.ts';
import { type RunHolds, redisHolds } from '../../../src/experiment/queue/run-holds.ts';

/** Holds in memory, by the rules of the servers. */
function memoryHolds(holder: string | null, until = Infinity) {
  const state = { holder, until };
  const holds: RunHolds = {
    hold(_run, who, ms, replaces) {
      const isFree = state.holder === null || state.holder === who || state.holder === replaces;
      if (!isFree && performance.now() < state.until) return Promise.resolve(state.holder);
      Object.assign(state, { holder: who, until: performance.now() + ms });
      return Promise.resolve(null);
    },
    release(_run, who) {
      if (state.holder === who) state.holder = null;
      return Promise.resolve();
    },
  };
  return { holds, state };
}

function withTimes(times: Partial<typeof LOCK_TIMES>): void {
  const before = { ...LOCK_TIMES };
  Object.assign(LOCK_TIMES, times);
  onTestFinished(() => void Object.assign(LOCK_TIMES, before));
}

test('a run that a living process of this machine coordinates is refused at once, a dead one is replaced', async () => {
  const living = memoryHolds(`${process.ppid} - ${PROCESS.machine} token`);
  await expect(holdRun(living.holds, 'r', 'redis://q')).rejects.toThrow(
    `redis://q: another assay (process ${process.ppid} on ${PROCESS.host}) coordinates this run`,
  );
  const { holds, state } = memoryHolds(`999999999 5 ${PROCESS.machine} token`);
  const hold = await holdRun(holds, 'r', 'redis://q');
  expect(state.holder).toContain(`${process.pid} `);
  await hold.release();
  expect(state.holder).toBeNull();
});

test('a coordinator elsewhere keeps its run as long as it renews, and loses it once its hold has run out', async () => {
  const waits: string[] = [];
  const { holds } = memoryHolds('7 - host/boot/pid:[1] token', performance.now() + 800);
  await holdRun(holds, 'r', 'redis://q', (text) => waits.push(text));
  expect(waits).toEqual([
    'redis://q: another assay (process 7 on host) coordinates this run; waiting up to 30 s for it to renew its hold',
  ]);
  withTimes({ stale: 100 });
  const renewing = memoryHolds('7 - host/boot/pid:[1] token');
  await expect(holdRun(renewing.holds, 'r', 'redis://q')).rejects.toThrow('coordinates this run');
});

test('a coordinator that stood still while another took its run stops before it hands out anything', async () => {
  const { holds, state } = memoryHolds(null);
  const hold = await holdRun(holds, 'r', 'redis://q');
  state.holder = '7 - host/boot/pid:[1] token';
  await hold.check();
  using clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
  await expect(hold.check()).rejects.toThrow('another assay coordinates this run since this process stood still');
  hold.renew();
  await vi.waitFor(() => expect(() => hold.renew()).toThrow('coordinates this run'));
  clock.mockRestore();
});

test('holds in Redis are under a prefix, in one script over one key', async () => {
  const seen: unknown[] = [];
  const holds = redisHolds({
    eval: (_script, ...more) => {
      seen.push(more);
      return Promise.resolve('');
    },
  });
  expect(await holds.hold('r', 'me', 30_000)).toBeNull();
  await holds.release('r', 'me');
  expect(seen).toEqual([
    [1, '{assay}:run:r', 'me', 30_000, ''],
    [1, '{assay}:run:r', 'me'],
  ]);
});
