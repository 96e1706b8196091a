import type { UsageError } from '../../data/problems.ts';
import type { RateStore } from '../limits/rate.ts';
import type { JobData, JobReport } from './jobs.ts';
import type { RunHolds } from './run-holds.ts';

/** What is used of a job of BullMQ, without its types: it need not be installed for those of this package. */
export interface StoredJob {
  readonly id?: string | undefined;
  readonly data: JobData;
  readonly returnvalue: JobReport | null;
  readonly failedReason: string;
}
export type JobProcessor = (job: {
  readonly id: string;
  readonly data: unknown;
  readonly isRetry: boolean;
}) => Promise<JobReport>;

export interface JobWorkerOptions {
  readonly name: string;
  readonly concurrency: number;
  /** A worker that has not reported for so long has lost its jobs. */
  readonly lostAfterMs: number;
  readonly onError: (error: Error) => void;
  /** Other workers have these jobs now. */
  readonly onLost: (ids: readonly string[]) => void;
  /** The server will give no further job. */
  readonly onRefused: (refusal: UsageError) => void;
}

/** A queue server: jobs and limits, whichever program it is. */
export interface QueueServer {
  /** Its address without a password, for messages. */
  readonly place: string;
  readonly warnings: readonly string[];
  readonly rates: RateStore;
  readonly holds: RunHolds;
  add(jobs: readonly { readonly id: string; readonly data: JobData }[]): Promise<void>;
  /** `unknown`: the server does not have it (any more). */
  state(id: string): Promise<string>;
  job(id: string): Promise<StoredJob | null>;
  /** False if a worker has begun it. */
  withdraw(id: string): Promise<boolean>;
  jobs(state: 'active' | 'waiting'): Promise<readonly StoredJob[]>;
  /** The names of those that are connected. */
  workers(): Promise<readonly string[]>;
  status(): Promise<QueueOverview>;
  /** Counts of jobs in the text format of Prometheus, as BullMQ exports them. */
  metrics(): Promise<string>;
  work(process: JobProcessor, options: JobWorkerOptions): { close(): Promise<void> };
  close(): Promise<void>;
}

/** Runs that have jobs in the queue. */
export interface QueuedRun {
  readonly kind: string;
  readonly folder: string;
  readonly run: string;
  /** Tasks that had ended when its latest job was handed out, and all of them; null if the run does not say. */
  readonly done: number | null;
  readonly of: number | null;
  readonly jobs: number;
}

export interface QueueOverview {
  readonly name: string;
  readonly jobs: Readonly<Record<'waiting' | 'active' | 'completed' | 'failed', number>>;
  readonly workers: readonly string[];
  /** Age of the job that waits longest; null if none waits. */
  readonly oldestSeconds: number | null;
  readonly runs: readonly QueuedRun[];
}
