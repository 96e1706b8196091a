import type { SystemFiles } from '../formats/case-format.ts';
import { openSystems } from '../formats/case-formats.ts';
import type { Plan } from '../recipe/plan.ts';
import { writeEvaluation } from '../report/evaluation-files.ts';
import { evaluationText } from '../report/evaluation-text.ts';
import { reportFiles } from '../report/html/watch-report.ts';
import { safeJson } from '../report/safe-json.ts';
import { evaluate, type Evaluation } from '../review/evaluation.ts';
import { AuditNotices } from './audit-notices.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { Progress } from './progress.ts';
import { reviewsOf } from './reviews-of.ts';
import { type Exported, outputOf, sayBaseline, type ScoreFlags } from './score-output.ts';
import { totalBytes } from './scored-sources.ts';
import { textsOf } from './texts-flags.ts';

/** A run for each system with what people said of it, the comparison, and what it all comes to. */
export async function scoreSystemsWithProgress(
  plan: Plan,
  files: SystemFiles,
  set: readonly string[],
  flags: ScoreFlags,
  exported: Exported,
): Promise<void> {
  const progress = new Progress(process.stderr, totalBytes(files), flags.quiet === true);
  const audits = new AuditNotices();
  let evaluation: Evaluation;
  try {
    const opened = await openSystems(progress.counting(files), plan);
    evaluation = await evaluate(opened, await reviewsOf(flags, opened), {
      out: flags.out ?? null,
      set,
      watch: reportFiles({ texts: textsOf(flags), onAudit: audits.onAudit }),
      ...exported,
      onOpen: clearOnInterrupt,
      progress: (system, share) => progress.part(`${system}: intervals`, share),
    });
  } finally {
    progress.end();
  }
  const { systems } = evaluation;
  if (flags.out !== undefined) await writeEvaluation(flags.out, evaluation);
  if (flags.json === true) {
    const measures = systems.map(({ system, run }) => ({ system, ...run.measures }));
    process.stdout.write(safeJson(systems.length === 1 ? systems[0]!.run.measures : measures));
  }
  const { style, say } = outputOf(flags);
  say(evaluationText(evaluation, style, flags.out ?? null, flags.verbose === true) + audits.text(style));
  for (const { system, run } of systems) await sayBaseline(run, systems.length === 1 ? null : system, flags);
}
