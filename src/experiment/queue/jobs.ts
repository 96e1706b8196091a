import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

import { z } from 'zod';

import { entryAt } from '../../data/entry-at.ts';
import { UsageError } from '../../data/problems.ts';
import { visible } from '../../data/visible.ts';
import type { Environment } from '../models/access.ts';
import type { RateStore } from '../limits/rate.ts';

export const QUEUE_NAME = 'assay';
/** Of all keys in Redis. In a cluster the braces keep them together, as each script needs. */
export const KEY_PREFIX = '{assay}';
/** What workers need to know of the work in a folder, beside its jobs. */
export const QUEUE_FILE = 'queue.json';

/** One piece of work, as its owner names it: the number of an item and its repeat, or of a case and a variant. */
const jobTask = z.tuple([z.int().min(0), z.int().min(0)]).readonly();
export type JobTask = Readonly<z.infer<typeof jobTask>>;

export const newSession = (): string => randomUUID().slice(0, 8);

export const keyOf = ([first, second]: JobTask): string => `${first} ${second}`;

/** What goes through the queue: where the work is, never what is asked or answered. */
const jobData = z.strictObject({
  format: z.literal(1),
  kind: z.string().max(40),
  /** From the root that coordinator and workers share. */
  folder: z.string().min(1).max(4096),
  run: z.string().max(100),
  /** Of one coordinator, from its start to its end: a job of another one is not done any more. */
  session: z.string().max(100),
  tasks: z.array(jobTask).min(1).max(1000).readonly(),
  /** Some of it may have been done by another worker. */
  again: z.boolean(),
  /** Nothing else is done at the same time: if the process ends now, it is clear what ended it. */
  alone: z.boolean(),
  /** Tasks of the run that have ended, and all of them, for those who watch the queue. */
  progress: jobTask.optional(),
});
export type JobData = Readonly<z.infer<typeof jobData>>;

/** Null if it is not a job of ours. */
export function parseJob(data: unknown): JobData | null {
  return jobData.safeParse(data).data ?? null;
}

/** What a worker reports of a job. Tasks that are not in `done` are handed out again. */
export const jobReport = z.object({
  done: z.array(jobTask).readonly(),
  /** Why this worker cannot do such jobs; another one may. */
  refused: z.string().nullable(),
  /** Why no worker can. */
  hopeless: z.string().nullable(),
});
export type JobReport = Readonly<z.infer<typeof jobReport>>;

/** What a worker was started with. */
export interface WorkerSettings {
  /** Short, and no two workers share it. */
  readonly id: string;
  /** The folder that coordinator and workers share, as it is called here. */
  readonly root: string;
  readonly environment: Environment;
  readonly concurrency: number;
  /** Whether the user's own commands and modules may be run. */
  readonly allowPrograms: boolean;
  /** Of the queue's server: limits are those of all workers. */
  readonly rates: RateStore;
}

export interface JobWork {
  readonly data: JobData;
  /** The folder on this machine. */
  readonly folder: string;
  /** Nothing further is begun; what is out is waited for. */
  isOver(): boolean;
  /** Calls that are out are given up. */
  readonly abort: AbortSignal;
  /** Runs one task in its turn: a job that wants to be alone waits for the others. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** It is on the disk. */
  done(task: JobTask): void;
}

/** A kind of job, registered by the part that hands such jobs out. Throws UsageError if this worker cannot do it. */
export interface JobKind {
  readonly name: string;
  /** What a worker keeps open for jobs of this kind. */
  open(settings: WorkerSettings): { work(job: JobWork): Promise<void>; close(): Promise<void> };
}

/** No call can succeed, on whichever worker. */
export class HopelessJob extends UsageError {}

/** This worker cannot do the job; it can do those of other runs. */
export class RefusedJob extends UsageError {}

/** Null if no work in this folder is under way. */
export function readQueueFile<T>(folder: string, schema: z.ZodType<T>): T | null {
  const path = join(folder, QUEUE_FILE);
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const { data } = schema.safeParse(JSON.parse(text));
  if (data === undefined) throw new RefusedJob(`${path} was written by another version of assay`);
  return data;
}

/** A folder as jobs name it: from the root, with slashes. */
export function pathFromRoot(root: string, folder: string): string {
  const path = relative(realpathSync(root), realpathSync(folder));
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path))
    throw new UsageError(
      `${folder} is outside ${root}, the folder that workers share`,
      'name a folder above it with --root, and start workers with the --root that is the same folder for them',
    );
  return path.split(sep).join('/') || '.';
}

/** The folder or file that a job names, on this machine. What is outside the root is refused, also behind a link. */
export function pathUnderRoot(root: string, folder: string, is: 'folder' | 'file' = 'folder'): string {
  const path = isAbsolute(folder) || folder.includes('\0') ? null : resolve(root, ...folder.split('/'));
  if (path === null || !isWithin(resolve(root), path))
    throw new UsageError(`the queue names ${visible(folder)}, which is outside ${root}`, 'such jobs are not done');
  const entry = entryAt(path);
  if ((is === 'folder' ? entry?.isDirectory() : entry?.isFile()) !== true)
    throw new UsageError(
      `${join(root, folder)} does not exist: this worker does not share the folder of the run`,
      'start it with --root, the folder that is called --root, or the current folder, where assay run was started',
    );
  const real = realpathSync(path);
  if (isWithin(realpathSync(root), real)) return real;
  throw new UsageError(`the queue names ${visible(folder)}, a link to outside ${root}`, 'such jobs are not done');
}

function isWithin(root: string, path: string): boolean {
  const from = relative(root, path);
  return from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from);
}
