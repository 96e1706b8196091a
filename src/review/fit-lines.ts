import type { ReviewLine } from './review-line.ts';
import { visible } from '../data/visible.ts';
import type { ConsultSection } from '../recipe/consult-section.ts';
import type { ReviewSection } from '../recipe/review-section.ts';
import type { SystemAnswers } from '../formats/case-format.ts';
import { languageCode } from '../formats/consult/read-consult.ts';
import { closestNames } from '../text/closest-names.ts';
import { fieldOf } from './questions.ts';
import { placeOfPart } from './place.ts';

export interface FittedLines {
  readonly lines: readonly ReviewLine[];
  /** What was left out, and why, one sentence each. */
  readonly notices: readonly string[];
}

type Misfit = 'case' | 'system' | 'language' | 'place';

const SHOWN = 5;

/**
 * Lines of reviews that are about what is scored. Others, of cases, systems or languages that are not there, or of places
 * beyond the end of an answer, are left out of every figure and counted: a slip in a name would otherwise lose ratings in
 * silence. A line that names no system means the only one there is.
 */
export function fitLines(
  lines: readonly ReviewLine[],
  form: ReviewSection,
  files: readonly SystemAnswers[],
  { languages }: Pick<ConsultSection, 'languages'>,
): FittedLines {
  const cases = new Set(files[0]?.cases.rows.map(({ id }) => id));
  const usual = languages[0] ?? null;
  const systems = files.map(({ system }) => system);
  const answers = new Map(
    files.flatMap(({ system, answers: own }) =>
      own.rows.map((answer) => [keyOf(answer.caseId, system, answer.language), answer.response] as const),
    ),
  );
  // If there is no default language, a line that names none is of the only answer.
  const only = new Map(
    files.flatMap(({ system, answers: own }) =>
      usual === null ? own.rows.map((answer) => [keyOf(answer.caseId, system, null), answer.response] as const) : [],
    ),
  );
  const out = new Map<Misfit, Map<string, number>>();
  const leave = (why: Misfit, what: string): null => {
    const own = out.get(why) ?? new Map<string, number>();
    out.set(why, own.set(what, (own.get(what) ?? 0) + 1));
    return null;
  };
  const fitted = lines.flatMap((given) => {
    const language = given.language === null ? null : languageCode(given.language);
    const line: ReviewLine = { ...given, language };
    if (!cases.has(line.case_id)) return leave('case', line.case_id) ?? [];
    // Errors in the question are reported where lines become answers.
    if (fieldOf(form, line.field)?.of !== 'answer') return [line];
    const system = line.system ?? (systems.length === 1 ? systems[0]! : null);
    if (system === null) return [line];
    if (!systems.includes(system)) return leave('system', system) ?? [];
    const key = keyOf(line.case_id, system, language ?? usual);
    const text = answers.get(key) ?? only.get(key);
    if (text === undefined) return leave('language', inLanguage(line.case_id, language ?? usual)) ?? [];
    const place = placeOfPart(line.part);
    if (place !== null && place.end > text.length) return leave('place', `${line.case_id} ${line.part ?? ''}`) ?? [];
    return [line];
  });
  return { lines: fitted, notices: [...out].map(([why, what]) => sentence(why, what, systems)) };
}

function inLanguage(caseId: string, language: string | null): string {
  return language === null ? caseId : `${caseId} in ${language}`;
}

function keyOf(caseId: string, system: string, language: string | null): string {
  return JSON.stringify([caseId, system, language]);
}

const ABOUT: Readonly<Record<Misfit, string>> = {
  case: 'about cases that the case file does not have',
  system: 'about systems that are not scored here',
  language: 'about answers that are not there',
  place: 'about places beyond the end of the answer',
};

function sentence(why: Misfit, what: ReadonlyMap<string, number>, systems: readonly string[]): string {
  const lines = [...what.values()].reduce((sum, n) => sum + n, 0);
  const names = [...what.keys()];
  const shown = names.slice(0, SHOWN).map(visible).join(', ');
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  const near = why === 'system' ? names.flatMap((name) => closestNames(name, systems, 1)) : [];
  const hint = near.length === 0 ? '' : `; is ${visible(near[0]!)} meant?`;
  return `${lines} ${lines === 1 ? 'line' : 'lines'} of the reviews ${lines === 1 ? 'is' : 'are'} ${ABOUT[why]} and in no figure: ${shown}${more}${hint}`;
}
