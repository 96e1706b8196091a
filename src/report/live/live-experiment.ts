import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { isAlive } from '../../data/is-alive.ts';
import { UsageError } from '../../data/problems.ts';
import { LOG_FILE } from '../../experiment/run/answer-log.ts';
import { readRecord } from '../../experiment/run/experiment-record.ts';
import type { Store } from '../../store/store.ts';
import type { FoundFolder } from './find-folders.ts';
import type { LiveExperiment } from './live-data.ts';

const LOCK_FILE = '.assay-lock';
const BLOCK = 1 << 20;
const MOST_STORED = 200;

const outcome = z.looseObject({ item: z.string(), repeat: z.number(), outcome: z.string() });
const summaryFile = z.looseObject({
  scores: z
    .array(z.looseObject({ name: z.string(), mean: z.number().nullable().optional(), n: z.number().optional() }))
    .nullable()
    .optional(),
});

/** What became of the items of a log so far; only what was added since is read. */
class LogCount {
  readonly #outcomes = new Map<string, boolean>();
  #read = 0;
  #rest = '';

  async upTo(path: string, size: number): Promise<void> {
    if (size < this.#read) {
      this.#outcomes.clear();
      [this.#read, this.#rest] = [0, ''];
    }
    if (size === this.#read) return;
    const file = await open(path, 'r');
    try {
      const block = Buffer.alloc(BLOCK);
      while (this.#read < size) {
        const { bytesRead } = await file.read(block, 0, Math.min(BLOCK, size - this.#read), this.#read);
        if (bytesRead === 0) return;
        this.#read += bytesRead;
        // Ids and outcomes are all that is looked at: a letter cut in two between blocks is in neither.
        const lines = (this.#rest + block.toString('latin1', 0, bytesRead)).split('\n');
        this.#rest = lines.pop() ?? '';
        for (const line of lines) this.#note(line);
      }
    } finally {
      await file.close();
    }
  }

  get done(): number {
    return this.#outcomes.size;
  }

  get failed(): number {
    return [...this.#outcomes.values()].filter((failed) => failed).length;
  }

  #note(line: string): void {
    try {
      const { data } = outcome.safeParse(JSON.parse(line));
      if (data !== undefined) this.#outcomes.set(`${data.repeat} ${data.item}`, data.outcome === 'failed');
    } catch {
      // A line that is still being written, or damaged: the experiment itself says so when it goes on.
    }
  }
}

/** Experiments as lists show them: those with a folder, and those that only the store knows. */
export class LiveExperiments {
  readonly #logs = new Map<string, LogCount>();

  async of({ folder, path }: FoundFolder, runs: ReadonlySet<string>): Promise<LiveExperiment> {
    const log = join(folder, LOG_FILE);
    const fact = await stat(log).catch(() => null);
    let count = this.#logs.get(folder);
    if (count === undefined) this.#logs.set(folder, (count = new LogCount()));
    if (fact !== null) await count.upTo(log, fact.size);
    const record = recordOf(folder);
    const repeats = record?.given['repeats'];
    const total = record === null ? null : record.dataset.items * (typeof repeats === 'number' ? repeats : 1);
    const summary = await readSummary(folder);
    const running = await isLocked(folder);
    const scored = [path, `${path}/score`, `${path}/score-1`].find((one) => runs.has(one)) ?? null;
    return {
      name: record?.name ?? path,
      dataset: record?.dataset.name ?? null,
      state: running ? 'running' : summary !== null && (total === null || count.done >= total) ? 'finished' : 'stopped',
      done: count.done,
      failed: count.failed,
      total,
      run: scored,
      changed: fact === null ? null : Math.round(fact.mtimeMs),
      scores: (summary?.scores ?? []).map(({ name, mean, n }) => ({ name, mean: mean ?? null, n: n ?? 0 })),
    };
  }

  /** Those of the store that no folder stands for. */
  stored(store: Store, known: ReadonlySet<string>): LiveExperiment[] {
    const { rows } = store.runs.experiments({}, { page: 1, limit: MOST_STORED });
    return rows
      .filter(({ name }) => !known.has(name))
      .map(({ name, items, startTime, endTime, datasetId }) => ({
        name,
        dataset: datasetId === null ? null : (store.datasets.byId(datasetId)?.name ?? null),
        state: 'stored',
        done: items,
        failed: 0,
        total: null,
        run: null,
        changed: Date.parse(endTime ?? startTime) || null,
        scores: [],
      }));
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
    return summaryFile.safeParse(JSON.parse(await readFile(join(folder, 'summary.json'), 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}

async function isLocked(folder: string): Promise<boolean> {
  const owner = Number(await readFile(join(folder, LOCK_FILE), 'utf8').catch(() => ''));
  return Number.isInteger(owner) && owner > 0 && isAlive(owner);
}
