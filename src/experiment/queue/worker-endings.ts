import { type JobTask, keyOf } from './jobs.ts';

/** Calls of a task that no answer came of, and how many of them were the only ones of their worker. */
export interface BegunCalls {
  readonly calls: number;
  readonly alone: number;
}

/** Calls that each ended a worker while nothing else ran there, until their task is given up. */
const MOST_ALONE = 3;

/** Separates tasks that end their workers from those that happened to be with them. */
export class WorkerEndings {
  readonly #unanswered: ((task: JobTask) => BegunCalls) | undefined;
  readonly #failures = new Map<string, BegunCalls>();

  /** Without `unanswered`, each job that a worker took is a call. */
  constructor(unanswered?: (task: JobTask) => BegunCalls) {
    this.#unanswered = unanswered;
  }

  /** Only begun calls are held against a task: a machine may end at any moment. */
  after(tasks: readonly JobTask[], reason: string, isAlone: boolean) {
    const sorted: Record<'crashed' | 'suspects' | 'sound', JobTask[]> = { crashed: [], suspects: [], sound: [] };
    for (const task of tasks) {
      const before = this.#failures.get(keyOf(task)) ?? { calls: 0, alone: 0 };
      const failed = { calls: before.calls + 1, alone: before.alone + (isAlone ? 1 : 0) };
      this.#failures.set(keyOf(task), failed);
      const { calls, alone } = (reason.includes('stalled') ? this.#unanswered?.(task) : undefined) ?? failed;
      sorted[alone >= MOST_ALONE ? 'crashed' : calls > 0 ? 'suspects' : 'sound'].push(task);
    }
    return sorted;
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}
