import type { AnsweredCase, AnswerFile } from '../formats/case-format.ts';
import { type ConsultFiles, readConsultFiles } from '../formats/consult/consult-reader.ts';
import { answeredCases } from '../formats/consult/consultations.ts';
import type { Source } from '../data/source.ts';
import type { Plan } from '../recipe/plan.ts';
import { cutPassages } from './passages.ts';
import type { ReviewSource } from './review-source.ts';

/** An answer with all that a reviewer may be shown of it, and what nobody sees before committing. */
export interface ConsultSource extends ReviewSource {
  readonly system: string;
  readonly language: string;
}

/** What is to be reviewed: every answer of every system. */
export async function consultSources(options: {
  readonly cases: Source;
  readonly answers: readonly AnswerFile[];
  readonly plan: Plan;
}): Promise<ConsultSource[]> {
  return sourcesOf(await readConsultFiles(options.cases, options.answers, options.plan));
}

export function sourcesOf(files: readonly ConsultFiles[]): ConsultSource[] {
  return files.flatMap(answeredCases).map(sourceOfAnswer);
}

/** With what was retrieved cut into passages that can be read beside a claim. */
export function sourceOfAnswer<Answer extends AnsweredCase>(answer: Answer): Answer & ReviewSource {
  const { passages } = cutPassages(answer.passages);
  const retrieved = { retrieved_context: passages.map(({ text }) => text).join('\n\n') };
  const texts = answer.system === null ? answer.texts : { ...answer.texts, ...retrieved };
  return { ...answer, texts, predicted: [], passages };
}
