import type { Plan } from '../recipe/plan.ts';
import { reportFiles } from '../report/html/watch-report.ts';
import { safeJson } from '../report/safe-json.ts';
import { terminalStyle } from '../report/style.ts';
import { readConsultFiles } from '../formats/consult/consult-reader.ts';
import { evaluateConsult } from '../review/evaluation.ts';
import { writeEvaluation } from '../report/evaluation-files.ts';
import { evaluationText } from '../report/evaluation-text.ts';
import { AuditNotices } from './audit-notices.ts';
import { consultInputs } from './consult-inputs.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { reviewsOf, type ReviewFlags } from './reviews-of.ts';
import { shareBar, StatusLine } from './status-line.ts';
import { type TextsFlags, textsOf } from './texts-flags.ts';

export interface ConsultFlags extends ReviewFlags, TextsFlags {
  readonly cases?: string;
  readonly gold?: string;
  readonly run?: string;
  readonly predictions?: readonly string[];
  readonly out?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Scores consultations: a run for each system, the comparison, and the summary of the evaluation. */
export async function scoreConsultations(plan: Plan, set: readonly string[], flags: ConsultFlags): Promise<void> {
  const { cases, answers } = consultInputs(plan, flags);
  const files = await readConsultFiles(cases, answers, plan);
  const reviews = await reviewsOf(flags, plan, files);
  const line = new StatusLine(process.stderr, flags.quiet === true);
  const audits = new AuditNotices();
  const evaluation = await evaluateConsult(plan, files, reviews, {
    out: flags.out ?? null,
    set,
    watch: reportFiles({
      texts: textsOf(flags),
      onAudit: audits.onAudit,
    }),
    onOpen: clearOnInterrupt,
    progress: (system, share) => line.show(() => `${shareBar(share)}  ${system}: intervals`),
  }).finally(() => line.end());
  if (flags.out !== undefined) await writeEvaluation(flags.out, evaluation);
  if (flags.json === true) {
    const measures = evaluation.systems.map(({ system, run }) => ({ system, ...run.measures }));
    process.stdout.write(safeJson(measures.length === 1 ? evaluation.systems[0]!.run.measures : measures));
  }
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  const style = terminalStyle(stream);
  stream.write(evaluationText(evaluation, style, flags.out ?? null) + audits.text(style));
}
