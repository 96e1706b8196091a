import { UsageError } from '../data/problems.ts';
import { type Source, sourceOf } from '../data/source.ts';
import type { CaseReader } from '../data/read-cases.ts';
import { PLAIN_CONSULT } from '../recipe/consult-section.ts';
import type { Plan } from '../recipe/plan.ts';
import { consultReviews } from '../review/consult-reviews.ts';
import { consultReader, readConsultFiles } from '../runs/consult/consult-reader.ts';
import { NO_REVIEWS } from '../tasks/consult/consult-reviews.ts';
import { reviewsOf } from './reviews-of.ts';
import { runAnswers } from './run-answers.ts';
import type { SourceFlags } from './scored-sources.ts';
import { systemFiles } from './system-file.ts';

/** One system's consultations with what people said of them, as assay score reads them. */
export async function consultCases(plan: Plan, flags: SourceFlags): Promise<CaseReader> {
  const { system, cases, answers } = inputsOf(plan, flags);
  const files = await readConsultFiles(cases, [{ system, source: answers }], plan);
  const reviews = await reviewsOf(flags, plan, files);
  const settled = reviews === null ? NO_REVIEWS : consultReviews(reviews.snapshot, plan.consult ?? PLAIN_CONSULT);
  return consultReader(files[0]!, plan, settled, reviews?.files ?? []);
}

function inputsOf(
  plan: Plan,
  { cases, gold, predictions = [], run }: SourceFlags,
): { readonly system: string; readonly cases: Source; readonly answers: Source } {
  if (gold !== undefined)
    throw new UsageError(
      '--gold is not for consult recipes',
      'the class stands in the case file, or comes with --reviews',
    );
  if (run !== undefined) {
    if (cases !== undefined || predictions.length > 0)
      throw new UsageError('--run brings its own items and outputs', 'leave --cases and --predictions out');
    const { system, items, outputs } = runAnswers(plan, run);
    return { system, cases: items, answers: outputs };
  }
  if (cases === undefined)
    throw new UsageError('a consult recipe needs the cases', 'give --cases FILE, a CSV with id and scenario');
  if (predictions.length !== 1)
    throw new UsageError(
      predictions.length === 0
        ? 'a consult recipe needs the answers'
        : `--predictions was given ${predictions.length} times: a waterfall is of one system`,
      'give --predictions FILE once',
    );
  const { system, path } = systemFiles(predictions)[0]!;
  return { system, cases: sourceOf(cases), answers: sourceOf(path) };
}
