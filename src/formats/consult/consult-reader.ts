import type { Case } from '../../data/case.ts';
import { noNotices, type ReadNotices } from '../../data/item-check.ts';
import { Problems } from '../../data/problems.ts';
import type { CaseReader } from '../../data/read-cases.ts';
import type { ReadFile } from '../../data/read-rows.ts';
import { describe } from '../../data/record-fields.ts';
import type { Source } from '../../data/source.ts';
import type { Plan } from '../../recipe/plan.ts';
import { PLAIN_CONSULT } from '../../recipe/consult-section.ts';
import { consultCase, type ConsultMaking } from './consult-case.ts';
import { type ConsultReviews, NO_REVIEWS } from './consult-reviews.ts';
import {
  type ConsultAnswer,
  type ConsultCase,
  type Read,
  readConsultAnswers,
  readConsultCases,
} from './read-consult.ts';
import { closestNames } from '../../text/closest-names.ts';

/** One system's consultations, read and joined. */
export interface ConsultFiles {
  readonly system: string;
  readonly cases: Read<ConsultCase>;
  readonly answers: Read<ConsultAnswer>;
}

/** Reads the cases and every system's answers. All that is wrong with any of them is thrown at once. */
export async function readConsultFiles(
  cases: Source,
  answers: readonly { readonly system: string; readonly source: Source }[],
  plan: Plan,
): Promise<ConsultFiles[]> {
  const problems = new Problems();
  const section = plan.consult ?? PLAIN_CONSULT;
  const read = await readConsultCases(cases, section, problems);
  const ids = new Set(read.rows.map(({ id }) => id));
  const files: ConsultFiles[] = [];
  for (const { system, source } of answers) {
    const own = await readConsultAnswers(source, section, problems);
    files.push({ system, cases: read, answers: own });
    if (ids.size === 0) continue;
    for (const { caseId, file, line } of own.rows) {
      if (ids.has(caseId)) continue;
      const [near] = closestNames(caseId, [...ids], 1);
      problems.add({
        file,
        line,
        field: section.answered,
        message: `there is no case ${describe(caseId)} in ${cases.name}`,
        next: near === undefined ? undefined : `did you mean ${near}?`,
      });
    }
    if (plan.data.missingPrediction === 'error') missing(own, read, source.name, problems);
  }
  problems.throwIfAny();
  return files;
}

function missing(answers: Read<ConsultAnswer>, cases: Read<ConsultCase>, file: string, problems: Problems): void {
  const answered = new Set(answers.rows.map(({ caseId }) => caseId));
  for (const { id } of cases.rows)
    if (!answered.has(id))
      problems.add({ file, line: null, field: 'answer', message: `there is no answer to case ${describe(id)}` });
}

/** Cases of one system, each with its answer, or several where it answered in several languages. */
export function consultReader(
  files: ConsultFiles,
  plan: Plan,
  reviews: ConsultReviews = NO_REVIEWS,
  reviewFiles: readonly ReadFile[] = [],
): CaseReader {
  const section = plan.consult ?? PLAIN_CONSULT;
  const notices: ReadNotices = noNotices();
  const making: ConsultMaking = { section, form: plan.review, reviews, system: files.system };
  const missingAs = plan.data.missingPrediction === 'failed' ? 'failed' : 'empty';
  const byCase = Map.groupBy(files.answers.rows, ({ caseId }) => caseId);
  async function* cases(): AsyncGenerator<Case> {
    for (const given of files.cases.rows) {
      const answers = byCase.get(given.id) ?? [];
      if (answers.length === 0) {
        notices.unansweredCases += 1;
        yield consultCase(given, null, making, { siblings: false, missing: missingAs });
      }
      for (const answer of answers)
        yield consultCase(given, answer, making, { siblings: answers.length > 1, missing: missingAs });
    }
  }
  return {
    [Symbol.asyncIterator]: cases,
    files: () => [...files.cases.files, ...files.answers.files, ...reviewFiles],
    notices,
  };
}
