import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';

import type { Audit } from '../audit/finding.ts';
import { spanPlanOf } from '../columns/span-scoring.ts';
import type { CaseSources } from '../data/read-cases.ts';
import { defined } from '../experiment/defined.ts';
import { caseReader } from '../formats/case-formats.ts';
import type { Plan } from '../recipe/plan.ts';
import type { Run } from '../score/run.ts';
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
    workers = availableParallelism(),
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
  if (out === null && !isAudited)
    return { run: await scoreToRun(plan, caseReader(sources, plan), { ...settings, sink }), audit: null };
  if (out === null) {
    const { AuditWatch } = await import('../audit/audit-watch.ts');
    const { CeilingWatch } = await import('../figures/ceiling-counts.ts');
    const watch = new AuditWatch(plan);
    const people = new CeilingWatch(plan);
    const sinks = joinSinks([sink, watch.sink, people.sink]);
    const run = await scoreToRun(plan, caseReader(sources, plan), { ...settings, sink: sinks });
    return { run, audit: await watch.finish(run, { ceiling: people.list() }) };
  }
  let audit: Audit | null = null;
  const watch = await watchFor(plan, sources, workers, { texts, onAudit: (result) => (audit = result) });
  const run = await scoreToFolder(plan, sources, { ...options, out, sink, watch });
  return { run, audit };
}

/** Below this, starting a thread takes longer than its work. */
const LARGE = 1 << 22;

/** In a second thread where there is one, and enough to do for it. */
async function watchFor(
  plan: Plan,
  { cases, gold, predictions }: CaseSources,
  workers: number,
  options: ReportFilesOptions,
): Promise<OpenRunWatch> {
  const path = gold === undefined && predictions === undefined ? (cases?.path ?? null) : null;
  const size = path === null ? 0 : (await stat(path).catch(() => null))?.size;
  if (workers > 1 && plan.origin !== null && (size ?? 0) >= LARGE && spanPlanOf(plan) !== null)
    return (await import('./extras-thread.ts')).reportFilesInThread(plan.origin, options);
  return (await import('./html/watch-report.ts')).reportFiles(options);
}
