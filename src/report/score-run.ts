import { AuditWatch } from '../audit/audit-watch.ts';
import type { Audit } from '../audit/finding.ts';
import type { CaseSources } from '../data/read-cases.ts';
import { defined } from '../experiment/defined.ts';
import { CeilingWatch } from '../figures/ceiling-counts.ts';
import { caseReader } from '../formats/case-formats.ts';
import type { Plan } from '../recipe/plan.ts';
import type { Run } from '../score/run.ts';
import { joinSinks } from '../score/score.ts';
import { type FolderOptions, scoreToFolder, scoreToRun } from '../score/score-to-folder.ts';
import type { Texts } from './html/report-data.ts';
import { reportFiles } from './html/watch-report.ts';

/** Scores files with their audit, into a folder or, with `out` null, without writing anything. */
export async function scoreRun(
  plan: Plan,
  sources: CaseSources,
  {
    out,
    texts,
    sink = {},
    ...options
  }: Omit<FolderOptions, 'out' | 'watch'> & {
    readonly out: string | null;
    readonly texts: Texts | 'off';
  },
): Promise<{ readonly run: Run; readonly audit: Audit | null }> {
  if (out === null) {
    const watch = new AuditWatch(plan);
    const people = new CeilingWatch(plan);
    const sinks = joinSinks([sink, watch.sink, people.sink]);
    const run = await scoreToRun(plan, caseReader(sources, plan), { ...defined({ set: options.set }), sink: sinks });
    return { run, audit: await watch.finish(run, { ceiling: people.list() }) };
  }
  let audit: Audit | null = null;
  const watch = reportFiles({ texts, onAudit: (result) => (audit = result) });
  const run = await scoreToFolder(plan, sources, { ...options, out, sink, watch });
  return { run, audit };
}
