import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { isFolderLocked } from '../../data/folder-lock.ts';
import { readPlain } from '../../data/read-file.ts';
import { UsageError } from '../../data/problems.ts';
import { LOG_FILE } from '../../experiment/run/answer-log.ts';
import { readRecord } from '../../experiment/run/run-folder.ts';
import type { FoundFolder } from './find-folders.ts';
import type { LiveExperiment } from './live-data.ts';
import { LogCount } from './log-count.ts';

const SCORED = /^score(?:-\d+)?$/;

/** More would keep everybody else waiting. */
const MOST_SUMMARY_BYTES = 32 << 20;

const summaryFile = z.looseObject({
  scores: z
    .array(z.looseObject({ name: z.string(), mean: z.number().nullable().optional(), n: z.number().optional() }))
    .nullable()
    .optional(),
});

/** Experiments that have a folder, as lists show them. */
export class LiveExperiments {
  readonly #logs = new Map<string, LogCount>();

  async of({ folder, path }: FoundFolder, runs: readonly string[]): Promise<LiveExperiment> {
    const log = join(folder, LOG_FILE);
    const fact = await lstat(log).catch(() => null);
    const count = this.#logs.get(folder) ?? new LogCount();
    this.#logs.set(folder, count);
    if (fact?.isFile() === true) await count.upTo(log, fact);
    const record = recordOf(folder);
    const repeats = record?.given['repeats'];
    const total = record === null ? null : record.dataset.items * (typeof repeats === 'number' ? repeats : 1);
    const summary = await readSummary(folder);
    const running = isFolderLocked(folder);
    if (!running) count.settle();
    const isWhole = summary !== null && (total === null || count.done >= total);
    const below = path === '.' ? '' : `${path}/`;
    return {
      path,
      name: record?.name ?? path,
      dataset: record?.dataset.name ?? null,
      state: running ? 'running' : isWhole ? 'finished' : 'stopped',
      done: count.done,
      failed: count.failed,
      total,
      runs: runs.filter((run) => run.startsWith(below) && SCORED.test(run.slice(below.length))),
      changed: fact === null ? null : Math.round(fact.mtimeMs),
      scores: (summary?.scores ?? []).map(({ name, mean, n }) => ({ name, mean: mean ?? null, n: n ?? 0 })),
    };
  }

  /** Forgets folders that are gone. */
  keep(folders: ReadonlySet<string>): void {
    for (const folder of this.#logs.keys()) if (!folders.has(folder)) this.#logs.delete(folder);
  }
}

function recordOf(folder: string): ReturnType<typeof readRecord> {
  try {
    return readRecord(folder);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

async function readSummary(folder: string): Promise<z.infer<typeof summaryFile> | null> {
  try {
    const bytes = await readPlain(join(folder, 'summary.json'), { most: MOST_SUMMARY_BYTES });
    return summaryFile.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
