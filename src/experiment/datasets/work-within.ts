import { createContext, Script } from 'node:vm';

export class OutOfTime extends Error {
  constructor(milliseconds: number) {
    super(`it took longer than ${milliseconds} ms`);
    this.name = 'OutOfTime';
  }
}

const waiting: (() => void)[] = [];
let isWithin = false;
/** What it runs is ours, not the text of a script: the context is only how Node sets a limit to work that never waits. */
const context = createContext({ work: () => waiting.pop()?.() });
const script = new Script('work()');

/** Where other programs hold the processor, the clock runs on without us: this many times the time, and no more. */
const MOST_PATIENCE = 16;
/** The part of the time that counts as all of it. What is good is done in far less, so that nobody waits for a second try. */
const ENOUGH = 0.3;

/**
 * Work without a promise, ended after that much processor time wherever it is, also within a regular expression. Node
 * starts a thread for it, which takes up to half a millisecond: where there is much to do, many things go into one call.
 * Inside another call, the limit is that of the other. On a busy machine the work may be begun anew.
 */
export function workWithin<T>(work: () => T, milliseconds: number): T {
  if (isWithin) return work();
  const before = processorMilliseconds();
  for (let patience = 1; ; patience *= 4) {
    try {
      return workByTheClock(work, milliseconds * patience);
    } catch (error) {
      const ran = processorMilliseconds() - before;
      if (!(error instanceof OutOfTime)) throw error;
      if (ran >= milliseconds * ENOUGH || patience >= MOST_PATIENCE) throw new OutOfTime(milliseconds);
    }
  }
}

function workByTheClock<T>(work: () => T, milliseconds: number): T {
  const done: T[] = [];
  waiting.push(() => void done.push(work()));
  isWithin = true;
  try {
    script.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    if (isTimeout(error)) throw new OutOfTime(milliseconds);
    throw error;
  } finally {
    isWithin = false;
  }
  const [result] = done;
  if (done.length === 0) throw new Error('the work was not done');
  return result!;
}

/** Of all threads: the others only sweep up after this one. */
function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The error is of the context, and so no Error here. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
