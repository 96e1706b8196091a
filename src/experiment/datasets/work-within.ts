import { createContext, Script } from 'node:vm';

import { isRecord } from '../../data/record-fields.ts';

export class OutOfTime extends Error {
  constructor(milliseconds: number) {
    super(`it took longer than ${milliseconds} ms`);
    this.name = 'OutOfTime';
  }
}

/** What it runs is ours, not the text of a script: the context is only how Node sets a limit to work that never waits. */
const room = { work: (): void => undefined };
const context = createContext(room);
const script = new Script('work()');
let isWithin = false;

/** While other programs hold the processor, the clock runs on without us: this many times the time, and no more. */
const MOST_PATIENCE = 16;
/** The part of the time that counts as all of it. What is good is done in far less, so that nobody waits for a second try. */
const ENOUGH = 0.3;

/**
 * Work without a promise, ended after that much processor time wherever it is, also within a regular expression. Node
 * starts a thread for it, which takes up to half a millisecond: if there is much to do, many things go into one call.
 * Inside another call, the limit is that of the other. On a busy machine the work may be started again.
 */
export function workWithin<T>(work: () => T, milliseconds: number): T {
  if (isWithin) return work();
  const before = processorMilliseconds();
  for (let patience = 1; ; patience *= 4) {
    const done: T[] = [];
    room.work = () => void done.push(work());
    isWithin = true;
    try {
      script.runInContext(context, { timeout: milliseconds * patience });
      return done[0]!;
    } catch (error) {
      // The error is of the context, and so no Error here.
      if (!isRecord(error) || error['code'] !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const ran = processorMilliseconds() - before;
      if (ran >= milliseconds * ENOUGH || patience >= MOST_PATIENCE) throw new OutOfTime(milliseconds);
    } finally {
      isWithin = false;
    }
  }
}

/** Of all threads: the others only sweep up after this one. */
function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
