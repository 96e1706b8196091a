import { safeJson } from '../plugin.ts';
import { type FolderOptions, openSystems, type Plan, type SystemFiles } from '../index.ts';
import { reportFiles } from '../report.ts';
import { evaluate, evaluationText, writeEvaluation } from '../review.ts';
import { AuditNotices } from './audit-notices.ts';
import type { Terminal } from './command.ts';
import * as flag from './flags.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { reviewsOf } from './reviews-of.ts';
import { type BaselineFlags, printBaseline } from './score-baseline.ts';
import { type SourceFlags, withProgress } from './scored-sources.ts';
import { textsOf } from './texts-flags.ts';

/** A run for each system with its reviews, the comparison, and the evaluation of them all. */
export async function scoreSystems(
  plan: Plan,
  files: SystemFiles,
  set: readonly string[],
  flags: SourceFlags &
    BaselineFlags &
    Pick<FolderOptions, 'files' | 'caseRecords'> & { readonly json: boolean; readonly verbose: boolean },
  terminal: Terminal,
): Promise<void> {
  const { progress, print, style } = terminal;
  const audits = new AuditNotices();
  const opened = await openSystems(withProgress(files, progress), plan);
  const evaluation = await evaluate(opened, await reviewsOf(flags, opened), {
    out: flags.out ?? null,
    set,
    watch: reportFiles({ texts: textsOf(flags), onAudit: audits.onAudit }),
    ...flag.defined({ files: flags.files, caseRecords: flags.caseRecords }),
    onOpen: clearOnInterrupt,
    progress: (system, share) => void progress.at(share, `${system}: intervals`),
  });
  progress.end();
  const { systems } = evaluation;
  if (flags.out !== undefined) await writeEvaluation(flags.out, evaluation);
  if (flags.json) {
    const measures = systems.map(({ system, run }) => ({ system, ...run.measures }));
    process.stdout.write(safeJson(systems.length === 1 ? systems[0]!.run.measures : measures));
  }
  print(evaluationText(evaluation, style, flags.out ?? null, flags.verbose) + audits.text(style));
  for (const { system, run } of systems)
    await printBaseline(run, systems.length === 1 ? null : system, flags, terminal);
}
