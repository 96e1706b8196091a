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

/**
 * Work without a promise, ended after that time wherever it is, also within a regular expression. Node starts a thread
 * for it, which takes up to half a millisecond: where there is much to do, many things go into one call. Inside another
 * call, the limit is that of the other.
 */
export function workWithin<T>(work: () => T, milliseconds: number): T {
  if (isWithin) return work();
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

/** The error is of the context, and so no Error here. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
