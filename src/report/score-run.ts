import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

import type { Audit } from '../audit/finding.ts';
import { spanPlanOf } from '../columns/span-scoring.ts';
import type { CaseSources } from '../data/read-cases.ts';
import { defined } from '../experiment/defined.ts';
import { caseReader } from '../formats/case-formats.ts';
import type { Plan } from '../recipe/plan.ts';
import type { Run } from '../score/run.ts';
import type { BlockThreads } from '../score/block-threads.ts';
import { joinSinks } from '../score/score.ts';
import { type FolderOptions, type OpenRunWatch, scoreToFolder, scoreToRun } from '../score/score-to-folder.ts';
import type { Texts } from './html/report-data.ts';
import type { ReportFilesOptions } from './html/watch-report.ts';

/**
 * Scores files into a folder with its audit and reports, or, with `out` null, for the numbers alone: then nothing else is
 * worked out unless the audit is asked for.
 */
export async function scoreRun(
  plan: Plan,
  sources: CaseSources,
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
    /** Threads that may be used; as many as there are cores, unless told otherwise. */
    readonly workers?: number;
  },
): Promise<{ readonly run: Run; readonly audit: Audit | null }> {
  const settings = defined({ set: options.set });
  const size = await sizeOf(sources);
  const readers = await readersFor(plan, sources, size, workers, out !== null && Object.keys(caseRecords).length === 0);
  const cases = caseReader(sources, readers === null ? plan : { ...plan, data: { ...plan.data, readers } });
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
    const watch = await watchFor(plan, size, workers ?? availableParallelism(), {
      texts,
      onAudit: (result) => (audit = result),
    });
    const run = await scoreToFolder(plan, cases, { ...options, caseRecords, out, sink, watch });
    return { run, audit };
  } finally {
    readers?.end();
  }
}

/** Below this, starting a thread takes longer than its work. */
const LARGE = 1 << 22;
/** From here on threads that read along take less time than they need to get going, also if nobody asks for them. */
const VERY_LARGE = 1 << 26;

/** Bytes of a file that has whole cases; 0 for anything else. */
async function sizeOf({ cases, gold, predictions }: CaseSources): Promise<number> {
  const path = gold === undefined && predictions === undefined ? (cases?.path ?? null) : null;
  return path === null ? 0 : ((await stat(path).catch(() => null))?.size ?? 0);
}

/** Threads that read and score along, where there are any to spare and all is in columns. */
async function readersFor(
  plan: Plan,
  { cases }: CaseSources,
  size: number,
  workers: number | undefined,
  hasLedger: boolean,
): Promise<BlockThreads | null> {
  const spans = spanPlanOf(plan);
  const least = (workers === undefined ? VERY_LARGE : LARGE) / (/\.gz$/i.test(cases?.name ?? '') ? 8 : 1);
  const threads = Math.max(1, (workers ?? availableParallelism()) - Number(hasLedger));
  if (workers === 1 || size < least || spans === null || availableParallelism() === 1) return null;
  const { BlockThreads } = await import('../score/block-threads.ts');
  return new BlockThreads(threads, { plan: spans, hasLedger });
}

/** In a second thread where there is one, and enough to do for it. */
async function watchFor(plan: Plan, size: number, workers: number, options: ReportFilesOptions): Promise<OpenRunWatch> {
  if (workers > 1 && plan.origin !== null && size >= LARGE && spanPlanOf(plan) !== null)
    return (await import('./extras-thread.ts')).reportFilesInThread(plan.origin, options);
  return (await import('./html/watch-report.ts')).reportFiles(options);
}
