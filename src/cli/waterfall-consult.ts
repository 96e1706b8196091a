import { UsageError } from '../data/problems.ts';
import type { CaseReader } from '../data/read-cases.ts';
import { PLAIN_CONSULT } from '../recipe/consult-section.ts';
import type { Plan } from '../recipe/plan.ts';
import { consultReviews } from '../review/consult-reviews.ts';
import { consultReader, readConsultFiles } from '../formats/consult/consult-reader.ts';
import { NO_REVIEWS } from '../formats/consult/consult-reviews.ts';
import { consultInputs } from './consult-inputs.ts';
import { reviewsOf } from './reviews-of.ts';
import type { SourceFlags } from './scored-sources.ts';

/** One system's consultations with what people said of them, as assay score reads them. */
export async function consultCases(plan: Plan, flags: SourceFlags): Promise<CaseReader> {
  const { cases, answers } = consultInputs(plan, flags);
  if (answers.length > 1)
    throw new UsageError(
      `--predictions was given ${answers.length} times: a waterfall is of one system`,
      'give --predictions FILE once',
    );
  const files = await readConsultFiles(cases, answers, plan);
  const reviews = await reviewsOf(flags, plan, files);
  const settled = reviews === null ? NO_REVIEWS : consultReviews(reviews.snapshot, plan.consult ?? PLAIN_CONSULT);
  return consultReader(files[0]!, plan, settled, reviews?.files ?? []);
}
