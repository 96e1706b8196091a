import type { Item } from '../data/item.ts';
import type { Source } from '../data/source.ts';
import type { Plan } from '../recipe/plan.ts';
import { type ConsultFiles, readConsultFiles } from '../formats/consult/consult-reader.ts';
import type { ConsultAnswer, ConsultCase } from '../formats/consult/read-consult.ts';
import { cutPassages } from './passages.ts';

/** An answer with all that a reviewer may be shown of it, and what nobody sees before committing. */
export interface ConsultSource {
  readonly caseId: string;
  readonly system: string;
  readonly language: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly predicted: readonly Item[];
  readonly passages: readonly { readonly source: string | null; readonly text: string }[];
  readonly hidden: Readonly<Record<string, unknown>>;
}

/** What is to be reviewed: every answer of every system. */
export async function consultSources(options: {
  readonly cases: Source;
  readonly answers: readonly { readonly system: string; readonly source: Source }[];
  readonly plan: Plan;
}): Promise<ConsultSource[]> {
  return sourcesOf(await readConsultFiles(options.cases, options.answers, options.plan));
}

export function sourcesOf(files: readonly ConsultFiles[]): ConsultSource[] {
  return files.flatMap(({ system, cases, answers }) => {
    const byId = new Map(cases.rows.map((one) => [one.id, one]));
    return answers.rows.flatMap((answer) => {
      const given = byId.get(answer.caseId);
      // There is nothing to judge of an answer that never came.
      return given === undefined || answer.failed !== null ? [] : [sourceOf(system, given, answer)];
    });
  });
}

function sourceOf(system: string, given: ConsultCase, answer: ConsultAnswer): ConsultSource {
  const { passages } = cutPassages(answer.passages);
  return {
    caseId: given.id,
    system,
    language: answer.language,
    texts: {
      ...given.columns,
      text: given.text,
      response: answer.response,
      retrieved_context: passages.map(({ text }) => text).join('\n\n'),
    },
    predicted: [],
    passages,
    hidden: { gold: given.gold, predicted: answer.predicted },
  };
}
