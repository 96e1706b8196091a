import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import {
  adaptiveLimit,
  HopelessJob,
  type JobKind,
  type JobTask,
  newSession,
  openCoordinator,
  pathFromRoot,
  pathUnderRoot,
  QUEUE_FILE,
  type QueueAccess,
  rateGate,
  readQueueFile,
  TargetError,
} from '../../experiment.ts';
import { sha256Of, UsageError, writeAside } from '../../plugin.ts';
import { readTrace } from '../read-trace.ts';
import type { RunLog } from '../run-log-records.ts';
import { namedModel } from './named-model.ts';
import type { ReadVariant } from './read-variant.ts';
import { existingLog, replayLog, type ReplayLogOptions } from './replay-log.ts';
import { readVariantFile, variantFile } from './variant.ts';

const REPLAY_JOBS = 'replay';
const NO_LIMITS = { requestsPerMinute: null, tokensPerMinute: null };

const fields = z.record(z.string(), z.unknown());
const cases = z.array(z.string());

/** What workers need to know of a replay. Keys are in their own environment. */
const replayFile = z.object({
  format: z.literal(1),
  session: z.string(),
  /** From the shared root. */
  traces: cases,
  variants: z.array(variantFile),
  model: z.object({
    name: z.string(),
    temperature: z.number().nullable(),
    baseUrl: z.string().optional(),
    timeoutMs: z.number().optional(),
  }),
  setting: z.object({
    model: z.object({
      id: z.string(),
      kind: z.enum(['recorded', 'heuristic', 'provider']),
      note: z.string().nullable(),
    }),
    asked: fields,
    datasetHash: z.string(),
    provenance: fields,
    differences: z.object({ manifest: z.string(), changed: cases, missing: cases, unlisted: cases }).nullable(),
  }),
  caseName: z.enum(['meta', 'file']),
  retryFailed: z.boolean(),
});
type ReplayFile = z.infer<typeof replayFile>;

/** A queue for a replay, and the model as its workers open it. */
export interface ReplayQueue {
  readonly access: QueueAccess;
  readonly model: ReplayFile['model'];
}

interface ReplayedCases extends ReplayLogOptions {
  readonly traces: readonly string[];
  readonly variants: readonly ReadVariant[];
}

/** Workers that replay cases into the folder of the logs. */
export async function openReplayWorkers(options: ReplayedCases, { access, model }: ReplayQueue) {
  const { traces, variants, out, setting, caseName = 'meta', retryFailed = false } = options;
  const { id, kind, note } = setting.model;
  const described = {
    format: 1 as const,
    traces: traces.map((file) => pathFromRoot(access.root, file)),
    variants: variants.map(({ resolved }) => resolved),
    model,
    setting: { asked: {}, differences: null, ...setting, model: { id, kind, note } },
    caseName,
    retryFailed,
  };
  const run = sha256Of(JSON.stringify(described)).slice(7, 39);
  const session = newSession();
  const path = join(out, QUEUE_FILE);
  writeAside(path, `${JSON.stringify({ ...described, session })}\n`, { next: 'choose another place with --out' });
  // Jobs that nobody has begun are not done for a coordinator that was interrupted.
  const remove = (): void => rmSync(path, { force: true });
  process.once('exit', remove);
  const coordinator = await openCoordinator<RunLog>({
    server: access.server,
    job: { kind: REPLAY_JOBS, folder: pathFromRoot(access.root, out), run, session },
    most: null,
    look: () => Promise.resolve(),
    async find([number, variant]) {
      const file = traces[number]!;
      const { earlier, same } = await existingLog(await readTrace(file), file, variants[variant]!, options);
      return same ? earlier : null;
    },
    isOver: () => false,
    abort: new AbortController().signal,
  });
  return {
    /** The log of a case, once a worker has written it. */
    async replay(task: JobTask): Promise<RunLog> {
      const ended = await coordinator.do(task);
      if (ended !== null && 'value' in ended) return ended.value;
      throw new UsageError(
        `${traces[task[0]]!}: the worker process ended each time it was replayed`,
        'finished cases are kept: leave this one out, or look at the output of the workers',
      );
    },
    async close(): Promise<void> {
      await coordinator.close();
      process.off('exit', remove);
      remove();
    },
  };
}

/** Jobs of `assay stream replay`: a case and a variant each, whose log the worker writes whole. */
export const replayJobs: JobKind = {
  name: REPLAY_JOBS,
  open({ root, environment, concurrency, rates }) {
    const limit = adaptiveLimit(concurrency);
    const gateOf = (rateKey: string): ReturnType<typeof rateGate> => rateGate(limit, rates, rateKey, NO_LIMITS);
    const models = new Map<string, ReturnType<typeof namedModel>>();
    const modelOf = (spec: ReplayFile['model']): ReturnType<typeof namedModel> => {
      const key = JSON.stringify(spec);
      const { name, temperature, baseUrl, timeoutMs } = spec;
      const server = baseUrl === undefined ? {} : { baseUrl, isBaseUrlFromFile: true };
      const time = timeoutMs === undefined ? {} : { timeoutMs };
      const model = models.get(key) ?? namedModel(name, { temperature, ...server, ...time, environment, gateOf });
      models.set(key, model);
      return model;
    };
    return {
      async work(job) {
        const file = readQueueFile(job.folder, replayFile);
        if (file === null || file.session !== job.data.session) return;
        const started = statSync(join(job.folder, QUEUE_FILE)).mtimeMs;
        const { model } = await modelOf(file.model);
        const { setting, caseName } = file;
        for (const task of job.data.tasks) {
          const trace = file.traces[task[0]];
          const resolved = file.variants[task[1]];
          if (trace === undefined || resolved === undefined) throw new UsageError(`${job.folder} has no such case`);
          if (job.isOver()) return;
          const path = pathUnderRoot(root, trace, 'file');
          const variant = { ...readVariantFile(resolved), resolved, notices: [], overruled: [] };
          const replayed = { model, setting, out: job.folder, caseName, retryFailed: file.retryFailed };
          await job
            .inTurn(async () => replayLog(await readTrace(path), path, variant, replayed, started))
            .catch((error: unknown) => {
              throw error instanceof TargetError ? new HopelessJob(error.message) : error;
            });
          job.done(task);
        }
      },
      close: () => Promise.resolve(),
    };
  },
};
