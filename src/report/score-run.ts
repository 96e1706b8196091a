import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';

import { COMPRESSED_NAME } from '../data/compression.ts';
import type { Audit } from '../audit/finding.ts';
import { spanPlanOf } from '../columns/span-scoring.ts';
import { defined } from '../experiment/defined.ts';
import type { Plan } from '../recipe/plan.ts';
import { readAbout, type RunAbout, type RunNaming } from '../score/run-about.ts';
import type { Run } from '../score/run.ts';
import type { BlockThreads } from '../score/block-threads.ts';
import { joinSinks } from '../score/score.ts';
import { type CaseInput, type FolderOptions, readerOf, scoreToFolder, scoreToRun } from '../score/score-to-folder.ts';
import type { Texts } from './html/report-data.ts';
import type { ReportFilesOptions } from './html/watch-report.ts';
import { exportsNamed } from '../score/file-exporter.ts';
import { mergeToFolder, openShards, planOfShards } from '../score/merge-shards.ts';
import { type ShardAsked, type ShardOptions, type ShardRecord, scoreToShard } from '../score/shard-folder.ts';
import type { CaseSources } from '../data/read-cases.ts';
import type { Shard } from '../formats/shard-cases.ts';

/**
 * Scores files or cases into a folder with its audit and reports, or, with `out` null, for the numbers alone: then
 * nothing else is worked out unless the audit is asked for.
 */
export async function scoreRun(
  plan: Plan,
  input: CaseInput,
  {
    out,
    texts,
    audit: isAudited = out !== null,
    workers,
    caseRecords = {},
    sink = {},
    ...options
  }: Omit<FolderOptions, 'out' | 'watch'> & {
    readonly out: string | null;
    readonly texts: Texts | 'off';
    /** Whether to audit what is not written. */
    readonly audit?: boolean;
    /** Threads that may be used; by the size of the file and the number of cores, unless told otherwise. */
    readonly workers?: number;
  },
): Promise<{ readonly run: Run; readonly audit: Audit | null }> {
  const { set, name, note, tags } = options;
  const settings = defined({ set, name, note, tags });
  const threads = await threadsFor(input, workers);
  const hasLedger = out !== null && Object.keys(caseRecords).length === 0;
  const readers = await readersFor(plan, threads, hasLedger);
  const cases = readerOf(input, readers === null ? plan : { ...plan, data: { ...plan.data, readers } });
  try {
    if (out === null && !isAudited) return { run: await scoreToRun(plan, cases, { ...settings, sink }), audit: null };
    if (out === null) {
      const { AuditWatch } = await import('../audit/audit-watch.ts');
      const { CeilingWatch } = await import('../figures/ceiling-counts.ts');
      const watch = new AuditWatch(plan);
      const people = new CeilingWatch(plan);
      const sinks = joinSinks([sink, watch.sink, people.sink]);
      const run = await scoreToRun(plan, cases, { ...settings, sink: sinks });
      return { run, audit: await watch.finish(run, { ceiling: people.list() }) };
    }
    let audit: Audit | null = null;
    const watch = await watchFor(plan, threads, { texts, onAudit: (result) => (audit = result) });
    const run = await scoreToFolder(plan, cases, { ...options, caseRecords, out, sink, watch });
    return { run, audit };
  } finally {
    readers?.end();
  }
}

/**
 * Scores one of several shards of the cases into a folder, for `mergeRun`. If one file has all of a case in one line, no
 * line of another shard is parsed.
 */
export async function scoreShard(
  plan: Plan,
  sources: CaseSources,
  shard: Shard,
  options: Omit<ShardOptions, 'watch' | 'asked' | 'caseRecords' | 'timing'> & ShardAsked,
): Promise<ShardRecord> {
  const { exports, texts, ...rest } = options;
  const watch = (await import('./html/watch-report.ts')).reportFiles({ texts, as: 'part' });
  const { caseRecords } = exportsNamed(exports);
  return scoreToShard(plan, sources, shard, { ...rest, caseRecords, watch, asked: { exports: [...exports], texts } });
}

/** Merges all shards of a run: the same files, to the byte, as `scoreRun` writes, but for timing.json. */
export async function mergeRun(
  folders: readonly string[],
  { recipe, ...options }: Omit<FolderOptions, 'watch' | 'files' | 'caseRecords' | 'set'> & { readonly recipe?: string },
): Promise<{ readonly run: Run; readonly audit: Audit | null; readonly shards: number }> {
  const shards = await openShards(folders);
  const plan = await planOfShards(shards, recipe);
  const { asked, recipe: scored } = shards[0]!.record;
  let audit: Audit | null = null;
  const onAudit = (result: Audit): void => void (audit = result);
  const watch = (await import('./html/watch-report.ts')).reportFiles({ texts: asked.texts, onAudit, as: 'merge' });
  const own = { ...options, ...exportsNamed(asked.exports), set: scored.set, watch };
  const run = await mergeToFolder(plan, shards, { ...own, ...(await aboutShards(folders, options)) });
  return { run, audit, shards: shards.length };
}

/** What all shards were called, and the commit of all; what is given for the merged run goes before. */
async function aboutShards(
  folders: readonly string[],
  { name, note, tags }: RunNaming,
): Promise<Pick<FolderOptions, 'name' | 'note' | 'tags' | 'commit'>> {
  const abouts = await Promise.all(folders.map(readAbout));
  const shared = <T>(of: (about: RunAbout) => T): T | undefined => {
    const values = abouts.map(of);
    return values.every((value) => isDeepStrictEqual(value, values[0])) ? values[0] : undefined;
  };
  return defined({
    name: name ?? shared((about) => about.name) ?? undefined,
    note: note ?? shared((about) => about.note) ?? undefined,
    tags: { ...shared((about) => about.tags), ...tags },
    commit: shared(({ commit }) => commit) ?? undefined,
  });
}

/** Below this, getting threads going takes longer than they save: where somebody asks for them, and where nobody does. */
const [LARGE, VERY_LARGE] = [1 << 22, 1 << 26];
const MOST_COMPRESSED = 8;

/** How many threads a file is worth; it has to have whole cases. */
async function threadsFor(input: CaseInput, workers: number | undefined): Promise<number> {
  if (Symbol.iterator in input || Symbol.asyncIterator in input) return 1;
  const { cases, gold, predictions } = input;
  const files = gold === undefined && predictions === undefined ? (cases?.files ?? cases ?? []) : [];
  let size = 0;
  for (const { path } of [files].flat()) {
    const stored = path === null ? 0 : ((await stat(path).catch(() => null))?.size ?? 0);
    size += stored * (COMPRESSED_NAME.test(path ?? '') ? MOST_COMPRESSED : 1);
  }
  const cores = availableParallelism();
  // Of two cores, what V8 compiles and clears away beside a thread has one.
  if (workers === undefined) return cores > 2 && size >= VERY_LARGE ? cores : 1;
  return size >= LARGE ? workers : 1;
}

/**
 * Threads that read and score along, where all is in columns. Of two, one reads and scores and the other makes the reports;
 * of more, the reports have one to themselves.
 */
async function readersFor(plan: Plan, threads: number, hasLedger: boolean): Promise<BlockThreads | null> {
  const spans = spanPlanOf(plan);
  if (threads === 1 || spans === null) return null;
  const { BlockThreads } = await import('../score/block-threads.ts');
  return new BlockThreads(hasLedger ? Math.max(1, threads - 2) : threads, { plan: spans, hasLedger });
}

async function watchFor(plan: Plan, threads: number, options: ReportFilesOptions) {
  if (threads > 2 && plan.origin !== null && spanPlanOf(plan) !== null)
    return (await import('./extras-thread.ts')).reportFilesInThread(plan.origin, options);
  return (await import('./html/watch-report.ts')).reportFiles(options);
}
