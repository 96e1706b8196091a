import { setTimeout as sleep } from 'node:timers/promises';

import type { BackendClasses, IQueueBackend, QueueOptions } from 'bullmq';

import { type JobData, type JobReport, parseJob } from './jobs.ts';
import type {
  JobProcessor,
  JobWorkerOptions,
  QueuedRun,
  QueueOverview,
  QueueServer,
  StoredJob,
} from './queue-server.ts';
import { briefly, type RefusalGuard, serverRefusal } from './server-refusal.ts';

export const RECONNECT_MS = 1000;
const POLL_MS = 20;

/** A job that loses its worker is reported at once: the coordinator knows which of its calls were begun. */
const MOST_STALLS = 0;
/** Jobs are kept for a coordinator that comes back, not for ever. */
const KEPT = { age: 3600, count: 10_000 };

/** Jobs that a status looks at: runs hand out a few hundred at a time. */
const MOST_LISTED = 1000;
/** Minutes whose finished jobs BullMQ counts. */
const METRIC_POINTS = 1440;

export interface JobQueueOptions {
  readonly name: string;
  readonly guard: RefusalGuard;
  readonly report: (error: unknown) => void;
  readonly isNotConnectionError: (error: Error) => boolean;
  readonly telemetry: QueueOptions['telemetry'];
}

/** BullMQ has one API for both: this is all of it that is used. */
export function jobQueue<Backend extends IQueueBackend, Connection>(
  { Queue, Worker }: BackendClasses<Backend, Connection>,
  connection: { readonly connection: Connection; readonly skipVersionCheck?: boolean; readonly prefix?: string },
  { name: queueName, guard, report, isNotConnectionError, telemetry }: JobQueueOptions,
) {
  const options = { ...connection, ...(telemetry === undefined ? {} : { telemetry }) };
  const queue = new Queue<JobData, JobReport>(queueName, options);
  queue.on('error', report);
  const { ask, until } = guard;
  // Some hosts refuse the list of clients, and jobs are done anyway.
  const workers = async (): Promise<string[]> =>
    (await until(() => queue.getWorkers())).map(({ rawname = '' }) => rawname);
  return {
    ready: () => queue.waitUntilReady(),
    async add(jobs: Parameters<QueueServer['add']>[0]) {
      const kept = { attempts: 1, removeOnComplete: KEPT, removeOnFail: KEPT };
      const made = jobs.map(({ id, data }) => ({ name: data.kind, data, opts: { jobId: id, ...kept } }));
      await ask(() => queue.addBulk(made));
    },
    state: (id: string) => ask(() => queue.getJobState(id)),
    job: async (id: string): Promise<StoredJob | null> => (await ask(() => queue.getJob(id))) ?? null,
    withdraw: (id: string) =>
      queue.remove(id).then(
        (count) => count === 1,
        () => false,
      ),
    jobs: (state: 'active' | 'waiting') => ask(() => queue.getJobs([state])),
    workers,
    async status(): Promise<QueueOverview> {
      const {
        waiting = 0,
        active = 0,
        completed = 0,
        failed = 0,
      } = await ask(() => queue.getJobCounts('waiting', 'active', 'completed', 'failed'));
      const jobsIn = (state: 'active' | 'waiting') => ask(() => queue.getJobs([state], 0, MOST_LISTED - 1, true));
      const queued = await jobsIn('waiting');
      const oldest = Math.min(...queued.map(({ timestamp }) => timestamp));
      return {
        name: queueName,
        jobs: { waiting, active, completed, failed },
        workers: (await workers()).map((name) => name.replace(/^.*?:w:/, '')),
        oldestSeconds: queued.length === 0 ? null : Math.max(0, (Date.now() - oldest) / 1000),
        runs: queuedRuns([...queued, ...(await jobsIn('active'))].map(({ data }) => data)),
      };
    },
    metrics: () => ask(() => queue.exportPrometheusMetrics()),
    work(process: JobProcessor, { name, concurrency, lostAfterMs, onError, onLost, onRefused }: JobWorkerOptions) {
      const work = { busy: 0 };
      const worker = new Worker<JobData, JobReport>(
        queueName,
        async ({ id = '', data, attemptsStarted, stalledCounter }) => {
          work.busy += 1;
          try {
            return await process({ id, data, isRetry: attemptsStarted > 1 || stalledCounter > 0 });
          } finally {
            work.busy -= 1;
          }
        },
        {
          ...options,
          name,
          concurrency,
          lockDuration: lostAfterMs,
          stalledInterval: Math.max(500, Math.round(lostAfterMs / 3)),
          maxStalledCount: MOST_STALLS,
          // Jobs of a lost worker are looked for that often.
          drainDelay: 1,
          // After the server was away, work goes on at once.
          runRetryDelay: RECONNECT_MS,
          metrics: { maxDataPoints: METRIC_POINTS },
        },
      );
      const ended = new AbortController();
      /** BullMQ asks a server that refuses again at once. */
      const rest = async (): Promise<void> => {
        if (worker.isPaused() || ended.signal.aborted) return;
        await worker.pause(true);
        await sleep(RECONNECT_MS, undefined, { signal: ended.signal });
        await worker.resume();
      };
      worker.on('error', (problem) => {
        if (ended.signal.aborted) return;
        const isRefused = serverRefusal('', problem) !== null;
        if (isRefused) void rest().catch(() => undefined);
        if (isRefused || !isNotConnectionError(problem)) report(problem);
        else onError(problem);
      });
      worker.on('lockRenewalFailed', onLost);
      until(() => new Promise<never>(() => undefined)).catch(onRefused);
      return {
        /** Returns once the jobs in work have ended. A server that is away hands them out again, and the answers stay. */
        async close(): Promise<void> {
          ended.abort();
          const closed = worker.close();
          closed.catch(() => undefined);
          while (work.busy > 0) await sleep(POLL_MS);
          await briefly(closed);
        },
      };
    },
    close: () => queue.close(),
  };
}

/** The runs of jobs, each with its latest progress. */
function queuedRuns(jobs: readonly unknown[]): QueuedRun[] {
  const runs = new Map<string, QueuedRun>();
  for (const data of jobs.map(parseJob)) {
    if (data === null) continue;
    const { kind, folder, run, progress: [done, of] = [null, null] } = data;
    const key = JSON.stringify([kind, folder, run]);
    const earlier = runs.get(key);
    const latest = Math.max(earlier?.done ?? -1, done ?? -1);
    runs.set(key, { kind, folder, run, done: latest < 0 ? null : latest, of, jobs: (earlier?.jobs ?? 0) + 1 });
  }
  return [...runs.values()];
}
