import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { LOCK_TIMES } from '../../data/folder-lock.ts';
import { isAlive, PROCESS } from '../../data/is-alive.ts';
import { UsageError } from '../../data/problems.ts';
import type { RunHolds } from './run-holds.ts';

/** How long one coordinator waits for another that was killed, beyond the time of its hold. */
const MARGIN_MS = 2000;
const LOOK_MS = 500;

const HOLDER = /^(\d+) (\d+|-) ([\w.%~!*'()/:[\]-]+) \S+$/;

/**
 * Holds a run on the queue server, so that a second coordinator of it does not begin. One of this machine that was killed
 * is replaced at once, any other once its hold has run out. Throws UsageError if the run stays held.
 */
export async function holdRun(holds: RunHolds, run: string, place: string, onWait?: (text: string) => void) {
  const holder = `${PROCESS.pid} ${PROCESS.start ?? '-'} ${PROCESS.machine} ${randomUUID()}`;
  const began = performance.now();
  let renewed = { wall: -Infinity, steady: -Infinity };
  const take = async (replaces?: string): Promise<string | null> => {
    const before = { wall: Date.now(), steady: performance.now() };
    const rival = await holds.hold(run, holder, LOCK_TIMES.stale, replaces);
    if (rival === null) renewed = before;
    return rival;
  };
  for (let replaces: string | undefined, hasTold = false; ;) {
    const rival = await take(replaces);
    if (rival === null) break;
    const [, pid, start = '-', machine] = HOLDER.exec(rival) ?? [];
    const isHere = machine === PROCESS.machine;
    replaces = isHere && !isAlive(Number(pid), start === '-' ? null : start) ? rival : undefined;
    if (replaces !== undefined) continue;
    const who = `${place}: another assay (process ${pid ?? '?'} on ${machine?.split('/')[0] ?? '?'}) coordinates this run`;
    if (isHere || performance.now() - began > LOCK_TIMES.stale + MARGIN_MS)
      throw new UsageError(who, 'wait until it has ended; the same command then resumes the run');
    if (!hasTold) onWait?.(`${who}; waiting up to ${LOCK_TIMES.stale / 1000} s for it to renew its hold`);
    hasTold = true;
    await sleep(LOOK_MS);
  }
  const check = async (): Promise<void> => {
    const isFresh = performance.now() - renewed.steady < LOCK_TIMES.renew;
    if (isFresh && Math.abs(Date.now() - renewed.wall) < LOCK_TIMES.late) return;
    if ((await take()) === null) return;
    throw new UsageError(
      `${place}: another assay coordinates this run since this process stood still`,
      'what was answered is kept; wait until the other one has ended',
    );
  };
  let renewing: Promise<void> | null = null;
  let lost: UsageError | null = null;
  return {
    /** Renews the hold when it is time. Throws UsageError if another coordinator has the run. */
    check,
    /** Does so in the background, since a server that is away may never answer; a later call throws. */
    renew(): void {
      renewing ??= check()
        .catch((error: unknown) => void (lost = error instanceof UsageError ? error : lost))
        .finally(() => (renewing = null));
      if (lost !== null) throw lost;
    },
    release: () => holds.release(run, holder),
  };
}
