import { setTimeout as sleep } from 'node:timers/promises';

import { UsageError } from '../../data/problems.ts';
import { holdRun } from './hold-run.ts';
import type { QueueServer } from './queue-server.ts';
import { type JobData, jobReport, type JobTask, keyOf, parseJob } from './jobs.ts';
import { AWAY_MS, briefly } from './server-refusal.ts';
import { callsAtOnce, LEAST_CAPACITY } from './worker-name.ts';
import { type BegunCalls, WorkerEndings } from './worker-endings.ts';

/** What became of a task: its result, why processes end at it, or null if it was given up before it was begun. */
export type TaskEnd<T> = { readonly value: T } | { readonly crashed: string } | null;

export interface CoordinatorOptions<T> {
  readonly server: QueueServer;
  readonly job: Pick<JobData, 'kind' | 'folder' | 'run' | 'session'>;
  /** Most tasks that are out; null: as many as keep all workers busy. */
  readonly most: number | null;
  readonly progress?: (() => JobData['progress']) | undefined;
  /** Looks for results, and settles the tasks that have one. */
  readonly look: () => Promise<void>;
  /** The result of a task that a worker reports as done; null if it cannot be seen yet. */
  readonly find?: (task: JobTask) => Promise<T | null>;
  /** Calls of a task that were begun and not answered, and how many of them ran alone; left out: each taken job is one. */
  readonly unanswered?: (task: JobTask) => BegunCalls;
  /** Nothing further is handed out. */
  readonly isOver: () => boolean;
  /** What is out is given up too. */
  readonly abort: AbortSignal;
  readonly onNotice?: (text: string) => void;
  /** How often the state of jobs is asked for; 1000 unless told. */
  readonly checkMs?: number;
}

interface OutJob {
  readonly id: string;
  readonly data: JobData;
  readonly left: Map<string, JobTask>;
  /** When it was seen to have ended or to be lost, with results missing. */
  missingSince: number | null;
}

const LOOK_MS = 50;
const CHECK_MS = 1000;
/** States are asked for so many jobs at a time, in turn. */
const MOST_CHECKED = 500;
/** So many tasks make a job while there are plenty; towards the end every task is its own. */
const MOST_TASKS = 4;
/** How long results may take to be seen on this machine after a worker has reported them. */
const UNSEEN_MS = 10_000;
/** A job that the server has lost may still be in work: its worker notices within this time. */
const LOST_MS = 30_000;

export type Coordinator<T> = Awaited<ReturnType<typeof openCoordinator<T>>>;

/** Hands out tasks as jobs, and sees to it that each ends: done, given up, or found to end every process that tries. */
export async function openCoordinator<T>(options: CoordinatorOptions<T>) {
  const { server, job, look, isOver, abort, onNotice, checkMs = CHECK_MS } = options;
  const waiting = new Map<string, PromiseWithResolvers<TaskEnd<T>>>();
  const pending = new Map<string, JobTask>();
  const jobs = new Map<string, OutJob>();
  const jobOf = new Map<string, OutJob>();
  const notices = new Set<string>();
  const endings = new WorkerEndings(options.unanswered);
  const ended = new AbortController();
  const departed = Promise.withResolvers<void>();
  let [number, workers, capacity, answeredAt] = [0, 0, LEAST_CAPACITY, Date.now()];
  let isWithdrawn = false;
  let fault: Error | null = null;

  const notice = (text: string): void => {
    if (!notices.has(text)) onNotice?.(text);
    notices.add(text);
  };

  const putOn = (out: OutJob): void => {
    jobs.set(out.id, out);
    for (const key of out.left.keys()) jobOf.set(key, out);
  };

  const takeOff = (key: string): void => {
    const out = jobOf.get(key);
    jobOf.delete(key);
    out?.left.delete(key);
    if (out?.left.size === 0) jobs.delete(out.id);
  };

  const end = (key: string, outcome: TaskEnd<T>): boolean => {
    const waiter = waiting.get(key);
    pending.delete(key);
    waiting.delete(key);
    endings.forget(key);
    takeOff(key);
    waiter?.resolve(outcome);
    return waiter !== undefined;
  };

  const add = async (tasks: readonly JobTask[], how: Pick<JobData, 'again' | 'alone'>): Promise<void> => {
    const groups: JobTask[][] = [];
    const size = how.alone || options.most !== null ? 1 : Math.ceil(pending.size / (2 * capacity)) || 1;
    const most = Math.min(MOST_TASKS, size);
    for (let at = 0; at < tasks.length; at += most) groups.push(tasks.slice(at, at + most));
    const made = groups.map((group): OutJob => {
      number += 1;
      const progress = options.progress?.();
      const data = { format: 1, ...job, tasks: group, ...how, ...(progress && { progress }) } as const;
      const left = new Map(group.map((task) => [keyOf(task), task]));
      return { id: `${job.session}.${number}`, data, left, missingSince: null };
    });
    for (const one of made) putOn(one);
    // The same ids again change nothing: a lost answer of the server does no harm.
    await patiently(async () => {
      await hold?.check();
      await server.add(made);
    });
    answeredAt = Date.now();
  };

  /** Once it is over, a server that is away is not waited for: what workers answer is read by the next start. */
  const leave = (): void => {
    if ((!isOver() && !abort.aborted) || Date.now() - answeredAt < AWAY_MS) return;
    ended.abort();
    for (const waiter of waiting.values()) waiter.resolve(null);
    waiting.clear();
    departed.resolve();
  };

  /** Goes on once the server is back. */
  const patiently = async <R>(work: () => Promise<R>): Promise<R | null> => {
    while (!ended.signal.aborted)
      try {
        return await work();
      } catch (error) {
        ifServerIsAway(error);
        await sleep(CHECK_MS, undefined, { signal: ended.signal }).catch(() => undefined);
      }
    return null;
  };

  const handOut = async (): Promise<void> => {
    if (isOver() || abort.aborted) {
      for (const key of pending.keys()) end(key, null);
      return withdraw();
    }
    const room = (options.most ?? 2 * MOST_TASKS * capacity) - jobOf.size;
    const tasks = [...pending.values().take(Math.max(0, room))];
    if (tasks.length === 0) return;
    await add(tasks, { again: false, alone: false });
    for (const task of tasks) pending.delete(keyOf(task));
  };

  /** Jobs that no worker has begun. */
  const withdraw = async (): Promise<void> => {
    if (isWithdrawn) return;
    isWithdrawn = true;
    for (const { id, left } of jobs.values())
      if (await server.withdraw(id)) for (const key of left.keys()) end(key, null);
  };

  const handOutAgain = async (tasks: readonly JobTask[], alone: boolean): Promise<void> => {
    for (const task of tasks) takeOff(keyOf(task));
    const wanted = tasks.filter((task) => waiting.has(keyOf(task)));
    if (wanted.length === 0) return;
    if (isOver() || abort.aborted) for (const task of wanted) end(keyOf(task), null);
    else await add(wanted, { again: true, alone });
  };

  const afterFailure = async ({ data }: OutJob, left: readonly JobTask[], reason: string): Promise<void> => {
    const { crashed, suspects, sound } = endings.after(left, reason, data.alone);
    for (const task of crashed) end(keyOf(task), { crashed: reason });
    await handOutAgain(suspects, true);
    await handOutAgain(sound, false);
  };

  const check = async (out: OutJob): Promise<void> => {
    const state = await server.state(out.id);
    if (state !== 'completed' && state !== 'failed' && state !== 'unknown') {
      out.missingSince = null;
      return;
    }
    const stored = state === 'unknown' ? null : await server.job(out.id);
    await look();
    const left = [...out.left.values()];
    if (left.length === 0) return;
    out.missingSince ??= Date.now();
    const since = Date.now() - out.missingSince;
    if (state === 'unknown' || stored === null) {
      if (since > LOST_MS) await handOutAgain(left, false);
      return;
    }
    if (state === 'failed') return afterFailure(out, left, stored.failedReason);
    const { data: report } = jobReport.safeParse(stored.returnvalue);
    if (report?.hopeless != null)
      throw new UsageError(`no call can succeed: ${report.hopeless}`, 'what was answered is kept; fix it and resume');
    if (report?.refused != null) notice(`a worker cannot do this: ${report.refused}`);
    const done = new Set(report?.done.map(keyOf));
    for (const task of left.filter((one) => done.has(keyOf(one)))) {
      const value = await options.find?.(task);
      if (value != null) end(keyOf(task), { value });
    }
    const isUndone = (task: JobTask): boolean => !done.has(keyOf(task)) || since > UNSEEN_MS;
    const undone = left.filter((task) => isUndone(task) && out.left.has(keyOf(task)));
    await handOutAgain(undone, false);
  };

  const countWorkers = async (): Promise<void> => {
    const names = await server.workers();
    answeredAt = Date.now();
    workers = names.length;
    capacity = Math.max(LEAST_CAPACITY, callsAtOnce(names));
  };

  /** What a coordinator that was killed has left: what is in work is waited for, the rest is handed out again. */
  const adopt = async (): Promise<void> => {
    const isOurs = ({ data }: { readonly data: unknown }): boolean => {
      const parsed = parseJob(data);
      return parsed !== null && parsed.run === job.run && parsed.kind === job.kind && parsed.folder === job.folder;
    };
    for (const { id } of (await server.jobs('waiting')).filter(isOurs)) if (id !== undefined) await server.withdraw(id);
    for (const { id, data } of (await server.jobs('active')).filter(isOurs)) {
      const left = new Map(data.tasks.map((task) => [keyOf(task), task]));
      if (id !== undefined) putOn({ id, data, left, missingSince: null });
    }
    if (jobs.size > 0) notice(`${jobs.size} jobs of this run are still in work: their answers are waited for`);
  };

  const watch = async (): Promise<void> => {
    let checked = 0;
    while (!ended.signal.aborted) {
      hold?.renew();
      await look();
      if (abort.aborted) {
        await withdraw();
        for (const key of waiting.keys()) end(key, null);
      }
      await handOut();
      if (Date.now() - checked >= checkMs) {
        checked = Date.now();
        const turn = [...jobs.values()].slice(0, MOST_CHECKED);
        await Promise.all(
          turn.map((out) => {
            // Behind the others, so that all come to their turn.
            jobs.delete(out.id);
            jobs.set(out.id, out);
            return check(out);
          }),
        ).catch(ifServerIsAway);
        await countWorkers().catch(ifServerIsAway);
      }
      await sleep(LOOK_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  };

  /** Its own client reports that, and comes back. */
  const ifServerIsAway = (error: unknown): void => {
    if (error instanceof UsageError) throw error;
  };

  let hold: Awaited<ReturnType<typeof holdRun>> | null = null;
  const start = async (): Promise<void> => {
    hold = await patiently(() => holdRun(server.holds, `${job.kind} ${job.run}`, server.place, onNotice));
    await patiently(adopt);
    await countWorkers().catch(ifServerIsAway);
  };
  const leaving = setInterval(leave, LOOK_MS);
  try {
    await Promise.race([start(), departed.promise]);
  } catch (error) {
    clearInterval(leaving);
    throw error;
  }
  const watching = watch().catch((error: unknown) => {
    fault = error instanceof Error ? error : new Error(String(error));
    for (const waiter of waiting.values()) waiter.reject(error);
    waiting.clear();
  });

  return {
    /** Resolves when the task has ended, wherever it was done. */
    async do(task: JobTask): Promise<TaskEnd<T>> {
      if (fault !== null) throw fault;
      if (ended.signal.aborted) return null;
      const key = keyOf(task);
      const waiter = waiting.get(key) ?? Promise.withResolvers<TaskEnd<T>>();
      const isOut = waiting.has(key) || jobOf.has(key);
      waiting.set(key, waiter);
      if (!isOut) pending.set(key, task);
      return waiter.promise;
    },
    /** The result of a task was seen; false if nobody waits for it. */
    settle: (task: JobTask, value: T): boolean => end(keyOf(task), { value }),
    state: () => ({ workers, out: jobOf.size, capacity }),
    async close(): Promise<void> {
      clearInterval(leaving);
      ended.abort();
      // A server that is away forgets the hold in time.
      await Promise.race([briefly(watching.then(() => hold?.release())), departed.promise]);
    },
  };
}
