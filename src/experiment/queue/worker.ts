import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

import { UsageError } from '../../data/problems.ts';
import type { RateStore } from '../limits/rate.ts';
import type { Environment } from '../models/access.ts';
import { TargetError } from '../targets/target.ts';
import type { QueueServer } from './queue-server.ts';
import { workerName } from './worker-name.ts';
import {
  HopelessJob,
  type JobKind,
  type JobReport,
  type JobTask,
  parseJob,
  pathUnderRoot,
  RefusedJob,
  type WorkerSettings,
} from './jobs.ts';
import { briefly } from './server-refusal.ts';

export interface WorkerEvent {
  readonly event: 'started' | 'job' | 'done' | 'given back' | 'problem' | 'stopping' | 'stopped';
  readonly text: string;
  readonly job?: string;
  readonly tasks?: number;
}

export interface RunWorkerOptions {
  readonly server: QueueServer;
  /** What can be done here. */
  readonly kinds: readonly JobKind[];
  readonly root: string;
  readonly concurrency: number;
  readonly allowPrograms: boolean;
  readonly lostAfterMs: number;
  /** Ends after so long without a job; null: never. */
  readonly untilIdleMs: number | null;
  readonly environment: Environment;
  /** Finishes the calls that are out, gives back the rest, and ends. */
  readonly stop: AbortSignal;
  /** Gives up the calls that are out as well. */
  readonly abort: AbortSignal;
  readonly onEvent: (event: WorkerEvent) => void;
}

export interface WorkerTotals {
  readonly jobs: number;
  readonly tasks: number;
}

/** How long a worker keeps a job that it cannot do, so that others get to it first. */
const REFUSAL_MS = 1000;
const RETRY_MS = 1000;

/** Does jobs until it is stopped, or is idle for long enough. Throws the UsageError that keeps it from working. */
export async function runWorker(options: RunWorkerOptions): Promise<WorkerTotals> {
  const { server, root, concurrency, environment, allowPrograms, stop, abort, onEvent } = options;
  const id = workerId();
  const halted = new AbortController();
  const over = AbortSignal.any([stop, abort, halted.signal]);
  const rates = ratesUntil(over, server.rates);
  const settings: WorkerSettings = { id, root, environment, concurrency, allowPrograms, rates };
  const kinds = new Map(options.kinds.map((kind) => [kind.name, kind.open(settings)]));
  const totals = { jobs: 0, tasks: 0 };
  const lost = new Set<string>();
  const problems = new Set<string>();
  const turns = turnstile();
  const refusals: UsageError[] = [];
  let [busy, idleSince] = [0, Date.now()];
  const problem = (text: string, job?: string): void => {
    if (!problems.has(text)) onEvent({ event: 'problem', text, ...(job === undefined ? {} : { job }) });
    problems.add(text);
  };
  const halt = (refusal: UsageError): void => {
    refusals.push(refusal);
    halted.abort();
  };

  const doJob = async (job: string, given: unknown, isRetry: boolean): Promise<JobReport> => {
    const done: JobTask[] = [];
    const data = parseJob(given);
    const kind = data === null ? undefined : kinds.get(data.kind);
    if (data === null || kind === undefined)
      return { done, refused: 'this is no job that this version of assay knows', hopeless: null };
    onEvent({ event: 'job', job, tasks: data.tasks.length, text: `${data.folder}: ${data.tasks.length} to do` });
    const inTurn = data.alone ? turns.alone : turns.beside;
    const refuse = async ({ message, next }: UsageError): Promise<JobReport> => {
      const refused = next === null ? message : `${message}; ${next}`;
      problem(refused, job);
      await sleep(REFUSAL_MS, undefined, { signal: over }).catch(() => undefined);
      return { done, refused, hopeless: null };
    };
    let folder;
    try {
      folder = pathUnderRoot(root, data.folder);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      // A run may be gone by now, so that this alone is no reason to end.
      return refuse(error);
    }
    try {
      await kind.work({
        data: { ...data, again: data.again || isRetry },
        folder,
        isOver: () => over.aborted || lost.has(job),
        abort,
        inTurn,
        done: (task) => void done.push(task),
      });
    } catch (error) {
      if (error instanceof HopelessJob) return { done, refused: null, hopeless: error.message };
      if (error instanceof RefusedJob) return await refuse(error);
      if (!(error instanceof UsageError)) throw error;
      halt(error);
      return { done, refused: error.message, hopeless: null };
    } finally {
      totals.tasks += done.length;
    }
    const left = data.tasks.length - done.length;
    const text = `${data.folder}: ${done.length} done${left === 0 ? '' : `, ${left} given back`}`;
    onEvent({ event: left === 0 ? 'done' : 'given back', job, tasks: done.length, text });
    return { done, refused: null, hopeless: null };
  };

  const worker = server.work(
    async ({ id: job, data, isRetry }) => {
      busy += 1;
      totals.jobs += 1;
      try {
        return await doJob(job, data, isRetry);
      } finally {
        busy -= 1;
        idleSince = Date.now();
        lost.delete(job);
      }
    },
    {
      name: workerName(id, concurrency),
      concurrency,
      lostAfterMs: options.lostAfterMs,
      onLost: (jobs) => jobs.forEach((job) => lost.add(job)),
      onError({ message }) {
        const isTaken = /\block\b|not in the active state/i.test(message);
        problem(isTaken ? 'a job was taken over by another worker' : `the queue reports: ${message}`);
      },
      onRefused: halt,
    },
  );
  onEvent({ event: 'started', text: `worker ${id}: ${concurrency} at once, ${server.place}, jobs under ${root}` });
  const isIdle = (): boolean =>
    options.untilIdleMs !== null && busy === 0 && Date.now() - idleSince >= options.untilIdleMs;
  while (!over.aborted && !isIdle()) await sleep(100, undefined, { signal: over }).catch(() => undefined);
  // Waits for the jobs that are in work; these end after the call that is out, also while the server is away.
  await worker.close();
  for (const kind of kinds.values()) await kind.close();
  onEvent({ event: 'stopped', text: `${totals.jobs} jobs, ${totals.tasks} done` });
  if (refusals[0] !== undefined) throw refusals[0];
  return totals;
}

/** Limits of a server that may be away: waited for while the worker takes jobs, and no call goes out without them. */
function ratesUntil(over: AbortSignal, rates: RateStore): RateStore {
  const patiently = async (ask: () => Promise<number>): Promise<number> => {
    for (;;)
      try {
        return await answerUntil(over, ask());
      } catch (error) {
        if (error instanceof UsageError) throw error;
        if (over.aborted)
          throw new TargetError({ kind: 'aborted', message: 'the call was given up before it was sent' });
        await sleep(RETRY_MS, undefined, { signal: over }).catch(() => undefined);
      }
  };
  return {
    ...rates,
    reserve: (...call) => patiently(() => rates.reserve(...call)),
    pausedFor: (key) => patiently(() => rates.pausedFor(key)),
  };
}

function answerUntil<T>(over: AbortSignal, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => void briefly(answer).then(() => reject(new Error('the queue server is away')));
    over.addEventListener('abort', leave, { once: true });
    if (over.aborted) leave();
    answer.then(resolve, reject).finally(() => over.removeEventListener('abort', leave));
  });
}

/** Names a file in the folder of a run, and with the queue a connection: Postgres has 63 bytes for that. */
function workerId(): string {
  const host = hostname()
    .replaceAll(/[^\w-]+/g, '-')
    .slice(-20);
  return `${host}-${process.pid}-${randomBytes(3).toString('hex')}`;
}

/** Tasks go side by side, but one that wants to be alone waits for those that are in work, and the next ones for it. */
export function turnstile() {
  let inside = 0;
  let gate: Promise<void> = Promise.resolve();
  let whenEmpty: (() => void) | null = null;
  const leave = (): void => {
    inside -= 1;
    if (inside === 0) whenEmpty?.();
  };
  const beside = async <T>(work: () => Promise<T>): Promise<T> => {
    // Another one may have asked to be alone while this one waited.
    for (let seen: Promise<void> | null = null; seen !== gate;) await (seen = gate);
    inside += 1;
    try {
      return await work();
    } finally {
      leave();
    }
  };
  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    const before = gate;
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    await before;
    if (inside > 0) await new Promise<void>((empty) => (whenEmpty = empty));
    whenEmpty = null;
    try {
      return await work();
    } finally {
      resolve();
    }
  };
  return { beside, alone };
}
