import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { lineSplitter } from '../../data/lines.ts';
import { UsageError } from '../../data/problems.ts';
import { adaptiveLimit } from '../limits/adaptive-limit.ts';
import { askTarget, type Asker, gateOf } from '../run/ask-target.ts';
import { isBegunCall } from '../run/answer-log.ts';
import { outcomeKey } from '../run/open-calls.ts';
import { DATASET_FILE, type FrozenItem, frozenItem } from '../run/run-folder.ts';
import type { Target, TargetCase } from '../targets/target.ts';
import {
  HopelessJob,
  type JobKind,
  type JobTask,
  type JobWork,
  QUEUE_FILE,
  readQueueFile,
  type WorkerSettings,
} from './jobs.ts';
import { logPartReader, logPartWriter } from './log-parts.ts';

const perMinute = z.number().positive().nullable();
const amount = z.number().min(0);

/** What workers need to know of a run, beside its items. Keys are in their own environment. */
const queueFile = z.object({
  format: z.literal(1),
  session: z.string(),
  policy: z.object({
    retries: amount,
    rateRetries: amount,
    backoffMs: amount,
    longestWaitMs: amount,
    timeoutMs: amount,
  }),
  prices: z.object({ input: amount, output: amount }).nullable(),
  rates: z.object({ requestsPerMinute: perMinute, tokensPerMinute: perMinute }),
  /** What the owner of the jobs opens its targets from. */
  asks: z.unknown(),
});
export type QueueFile = Readonly<z.infer<typeof queueFile>>;

/** Whom a task asks, and what. */
export interface OpenedQuestions {
  question(item: FrozenItem, task: JobTask): { readonly target: Target; readonly given: TargetCase };
  close(): Promise<void>;
}

/** A folder that a worker has open: its items, its targets and the worker's part of its log. */
interface OpenFolder extends Awaited<ReturnType<typeof openItems>> {
  readonly session: string;
  readonly policy: QueueFile['policy'];
  readonly prices: QueueFile['prices'];
  readonly rates: QueueFile['rates'];
  readonly asked: OpenedQuestions;
  readonly part: ReturnType<typeof logPartWriter>;
  /** What other workers have answered, for jobs that were not begun here. */
  readonly others: ReturnType<typeof logPartReader>;
  readonly answered: Set<string>;
  close(): Promise<void>;
}

/** Folders that are kept open for the next job. */
const MOST_OPEN = 8;

/** Jobs that ask targets about the items of a folder. `openAsked` opens what the owner wrote into its queue.json. */
export function questionJobs(
  name: string,
  openAsked: (asks: unknown, timeoutMs: number, folder: string, settings: WorkerSettings) => Promise<OpenedQuestions>,
): JobKind {
  return {
    name,
    open(settings) {
      const folders = new Map<string, Promise<OpenFolder>>();
      const parts = new Map<string, ReturnType<typeof logPartWriter>>();
      /** Jobs in work, by folder. */
      const inWork = new Map<string, number>();
      const gates = new Map<string, Asker['calls']>();
      const gateFor = (target: Target, rates: QueueFile['rates']): Asker['calls'] => {
        const key = JSON.stringify([target.rateKey ?? target.identity, rates]);
        const gate = gates.get(key) ?? gateOf(target, adaptiveLimit(settings.concurrency), rates, settings.rates);
        gates.set(key, gate);
        return gate;
      };
      const closeFolder = async (path: string): Promise<void> => {
        const opened = folders.get(path);
        folders.delete(path);
        await (await opened?.catch(() => null))?.close();
      };
      const openFolder = async (path: string, session: string): Promise<OpenFolder> => {
        const earlier = await folders.get(path);
        if (earlier !== undefined && earlier.session !== session) await closeFolder(path);
        const part = parts.get(path) ?? logPartWriter(path, settings.id);
        parts.set(path, part);
        const opened = folders.get(path) ?? openQuestions(path, openAsked, settings, part);
        folders.delete(path);
        folders.set(path, opened);
        opened.catch(() => folders.delete(path));
        const idle = folders.keys().find((key) => (inWork.get(key) ?? 0) === 0);
        if (folders.size > MOST_OPEN && idle !== undefined) {
          const idlePart = parts.get(idle);
          parts.delete(idle);
          inWork.delete(idle);
          await closeFolder(idle);
          await idlePart?.close();
        }
        return opened;
      };
      return {
        async work(job) {
          const file = readQueueFile(job.folder, queueFile);
          // Its coordinator is gone: another one has handed out the same, or nobody waits for it.
          if (file === null || file.session !== job.data.session) return;
          inWork.set(job.folder, (inWork.get(job.folder) ?? 0) + 1);
          try {
            const folder = await openFolder(job.folder, file.session);
            for (const task of job.data.tasks) {
              if (job.isOver()) return;
              await job.inTurn(() => doTask(folder, task, job, settings.id, (target) => gateFor(target, folder.rates)));
            }
          } finally {
            inWork.set(job.folder, (inWork.get(job.folder) ?? 1) - 1);
          }
        },
        async close() {
          for (const path of folders.keys()) await closeFolder(path);
          for (const part of parts.values()) await part.close();
        },
      };
    },
  };
}

async function doTask(
  folder: OpenFolder,
  task: JobTask,
  job: JobWork,
  worker: string,
  gateFor: (target: Target) => Asker['calls'],
): Promise<void> {
  const item = await folder.item(task[0]);
  if (job.data.again) {
    for (const line of await folder.others.read())
      if (!isBegunCall(line)) folder.answered.add(outcomeKey(line.item, line.repeat));
    if (folder.answered.has(outcomeKey(item.id, task[1]))) return job.done(task);
  }
  const { target, given } = folder.asked.question(item, task);
  const { policy, prices } = folder;
  const asker = { target, policy, prices, calls: gateFor(target) };
  const alone = job.data.alone ? ({ alone: true } as const) : {};
  const begin = (): Promise<void> =>
    folder.part.append({ begun: item.id, repeat: task[1], at: new Date().toISOString(), worker, ...alone });
  const entry = await askTarget(asker, given, job.abort, begin).catch((error: unknown) => {
    throw error instanceof UsageError ? new HopelessJob(error.message) : error;
  });
  if (entry === null) return;
  await folder.part.append({ ...entry, item: item.id, repeat: task[1] });
  job.done(task);
}

async function openQuestions(
  folder: string,
  openAsked: Parameters<typeof questionJobs>[1],
  settings: WorkerSettings,
  part: OpenFolder['part'],
): Promise<OpenFolder> {
  const file = readQueueFile(folder, queueFile);
  if (file === null) throw new UsageError(`${join(folder, QUEUE_FILE)} is missing`, 'start the run again');
  const { session, policy, prices, rates, asks } = file;
  const asked = await openAsked(asks, policy.timeoutMs, folder, settings);
  const items = await openItems(folder);
  return {
    ...items,
    session,
    policy,
    prices,
    rates,
    asked,
    part,
    others: logPartReader(folder),
    answered: new Set(),
    async close() {
      await asked.close();
      await items.closeItems();
    },
  };
}

/** The items of a folder by number: only where they begin is held. */
async function openItems(folder: string) {
  const path = join(folder, DATASET_FILE);
  const places: { readonly start: number; readonly bytes: number }[] = [];
  const lines = lineSplitter((line, start) => void places.push({ start, bytes: line.length }));
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1 << 20 });
  for await (const chunk of chunks) lines.push(chunk);
  const file = await open(path, 'r');
  return {
    async item(number: number): Promise<FrozenItem> {
      const place = places[number];
      if (place === undefined) throw new UsageError(`${path} has no item ${number + 1}`, 'start the run again');
      const { buffer } = await file.read(Buffer.alloc(place.bytes), 0, place.bytes, place.start);
      return frozenItem.parse(JSON.parse(buffer.toString('utf8')));
    },
    closeItems: () => file.close(),
  };
}
