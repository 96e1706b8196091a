import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { isFolderLocked } from '../../data/folder-lock.ts';
import { readPlain } from '../../data/read-file.ts';
import { UsageError } from '../../data/problems.ts';
import { LOG_FILE } from '../../experiment/run/answer-log.ts';
import { readRecord } from '../../experiment/run/run-folder.ts';
import { AddedLines } from './added-lines.ts';
import type { LiveExperiment, LiveFolder } from './live-data.ts';

/** The folder of a scored repeat. */
export const SCORED = /^score(?:-(\d+))?$/;

/** More would keep everybody else waiting. */
const MOST_SUMMARY_BYTES = 32 << 20;

/** A larger log is read over several looks, so that nobody waits for it. */
const MOST_AT_ONCE = 32 << 20;

const amount = z.number().min(0).nullable().catch(null);
const outcome = z.looseObject({
  item: z.string(),
  repeat: z.number(),
  outcome: z.string(),
  kind: z.string().optional().catch(undefined),
  cached: z.boolean().catch(false),
  usage: z.looseObject({ inputTokens: amount, outputTokens: amount }).nullable().catch(null),
  cost: amount,
});

const summaryFile = z.looseObject({
  scores: z
    .array(z.looseObject({ name: z.string(), mean: z.number().nullable().optional(), n: z.number().optional() }))
    .nullable()
    .optional(),
});

/** Experiments that have a folder, as lists show them. */
export class LiveExperiments {
  readonly #logs = new Map<string, LogCount>();

  async of({ folder, path }: LiveFolder, runs: readonly string[]): Promise<LiveExperiment> {
    const log = join(folder, LOG_FILE);
    const fact = await lstat(log).catch(() => null);
    const count = this.#logs.get(folder) ?? new LogCount();
    this.#logs.set(folder, count);
    if (fact?.isFile() === true) await count.upTo(log, fact);
    const record = experimentRecord(folder);
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
      started: record === null ? null : Date.parse(record.startedAt) || null,
      spent: fact === null ? null : { ...count.spent },
      scores: (summary?.scores ?? []).map(({ name, mean, n }) => ({ name, mean: mean ?? null, n: n ?? 0 })),
    };
  }

  keep(folders: ReadonlySet<string>): void {
    for (const folder of this.#logs.keys()) if (!folders.has(folder)) this.#logs.delete(folder);
  }
}

export function experimentRecord(folder: string): ReturnType<typeof readRecord> {
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

/** What became of the items of a log so far: the last word on each counts. */
export class LogCount {
  /** Whether each item has failed; null once nothing more is awaited. */
  #outcomes: Map<string, boolean> | null = new Map();
  #lines = this.#reader();
  #seen: Pick<Stats, 'size' | 'ino'> = { size: 0, ino: 0 };
  done = 0;
  failed = 0;
  /** Of all calls, also those whose answer another one took the place of: they were paid for. */
  spent = nothingSpent();

  async upTo(path: string, { size, ino }: Pick<Stats, 'size' | 'ino'>): Promise<void> {
    if (size === this.#seen.size && ino === this.#seen.ino && this.#lines.read >= size) return;
    const isAnother = ino !== this.#seen.ino || size < this.#seen.size || this.#outcomes === null;
    if (isAnother) this.#begin();
    this.#seen = { size, ino };
    await this.#lines.upTo(path, Math.min(size, this.#lines.read + MOST_AT_ONCE));
  }

  /** Nobody adds to it now: the numbers are kept and the items are not. */
  settle(): void {
    if (this.#lines.read >= this.#seen.size) this.#outcomes = null;
  }

  #begin(): void {
    this.#outcomes = new Map();
    this.#lines = this.#reader();
    [this.done, this.failed, this.spent] = [0, 0, nothingSpent()];
  }

  #reader(): AddedLines {
    return new AddedLines((line) => this.#note(line));
  }

  #note(line: string): void {
    let given: unknown;
    try {
      given = JSON.parse(line);
    } catch {
      // Damaged: the experiment itself reports that when it resumes.
      return;
    }
    const { data } = outcome.safeParse(given);
    if (data === undefined || this.#outcomes === null) return;
    if (!data.cached) this.#spend(data);
    const key = `${data.repeat} ${data.item}`;
    const [before, failed] = [this.#outcomes.get(key), data.outcome === 'failed'];
    if (before === undefined) this.done += 1;
    this.failed += Number(failed) - Number(before ?? false);
    this.#outcomes.set(key, failed);
  }

  #spend({ outcome: what, kind, usage, cost }: z.infer<typeof outcome>): void {
    const [input, output] = [usage?.inputTokens ?? null, usage?.outputTokens ?? null];
    this.spent.tokens += (input ?? 0) + (output ?? 0);
    this.spent.cost += cost ?? 0;
    // What came back is paid for, also where it is of no use; a call that failed otherwise used nothing.
    if (what === 'failed' && kind !== 'answer' && kind !== 'schema') return;
    if (input === null || output === null) this.spent.withoutTokens += 1;
    if (cost === null) this.spent.withoutCost += 1;
  }
}

function nothingSpent() {
  return { tokens: 0, cost: 0, withoutTokens: 0, withoutCost: 0 };
}
