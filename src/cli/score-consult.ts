import { UsageError } from '../data/problems.ts';
import { type Source, sourceOf } from '../data/source.ts';
import type { Plan } from '../recipe/plan.ts';
import type { Texts } from '../report/html/report-data.ts';
import { reportFiles } from '../report/html/watch-report.ts';
import { safeJson } from '../report/safe-json.ts';
import { terminalStyle } from '../report/style.ts';
import { readConsultFiles } from '../runs/consult/consult-reader.ts';
import { evaluateConsult } from '../review/evaluation.ts';
import { writeEvaluation } from '../report/evaluation-files.ts';
import { evaluationText } from '../report/evaluation-text.ts';
import { AuditNotices } from './audit-notices.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { reviewsOf, type ReviewFlags } from './reviews-of.ts';
import { runAnswers } from './run-answers.ts';
import { shareBar, StatusLine } from './status-line.ts';
import { systemFiles } from './system-file.ts';

export interface ConsultFlags extends ReviewFlags {
  readonly cases?: string;
  readonly gold?: string;
  readonly run?: string;
  readonly predictions?: readonly string[];
  readonly out?: string;
  readonly texts?: Texts;
  readonly report?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Scores consultations: a run for each system, the comparison, and the summary of the evaluation. */
export async function scoreConsultations(plan: Plan, set: readonly string[], flags: ConsultFlags): Promise<void> {
  const { cases, answers } = inputsOf(plan, flags);
  const files = await readConsultFiles(cases, answers, plan);
  const reviews = await reviewsOf(flags, plan, files);
  const line = new StatusLine(process.stderr, flags.quiet === true);
  const audits = new AuditNotices();
  const evaluation = await evaluateConsult(plan, files, reviews, {
    out: flags.out ?? null,
    set,
    watch: reportFiles({
      texts: flags.report === false ? 'off' : (flags.texts ?? 'full'),
      onAudit: audits.onAudit,
    }),
    onOpen: clearOnInterrupt,
    progress: (system, share) => line.show(() => `${shareBar(share)}  ${system}: intervals`),
  }).finally(() => line.end());
  if (flags.out !== undefined) writeEvaluation(flags.out, evaluation);
  if (flags.json === true) {
    const measures = evaluation.systems.map(({ system, run }) => ({ system, ...run.measures }));
    process.stdout.write(safeJson(measures.length === 1 ? evaluation.systems[0]!.run.measures : measures));
  }
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  const style = terminalStyle(stream);
  stream.write(evaluationText(evaluation, style, flags.out ?? null) + audits.text(style));
}

interface Inputs {
  readonly cases: Source;
  readonly answers: readonly { readonly system: string; readonly source: Source }[];
}

/** The files that were named, or those that a run of an experiment left. */
function inputsOf(plan: Plan, { cases, gold, predictions = [], run }: ConsultFlags): Inputs {
  if (gold !== undefined)
    throw new UsageError(
      '--gold is not for consult recipes',
      'the class stands in the case file, or comes with --reviews',
    );
  if (run !== undefined) {
    if (cases !== undefined || predictions.length > 0)
      throw new UsageError('--run brings its own items and outputs', 'leave --cases and --predictions out');
    const { system, items, outputs } = runAnswers(plan, run);
    return { cases: items, answers: [{ system, source: outputs }] };
  }
  if (cases === undefined)
    throw new UsageError('a consult recipe needs the cases', 'give --cases FILE, a CSV with id and scenario');
  if (predictions.length === 0)
    throw new UsageError('a consult recipe needs the answers', 'give --predictions FILE, once for each system');
  return {
    cases: sourceOf(cases),
    answers: systemFiles(predictions).map(({ system, path }) => ({ system, source: sourceOf(path) })),
  };
}
