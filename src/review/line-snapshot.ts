import { hash } from 'node:crypto';

import { UsageError } from '../data/problems.ts';
import { describe } from '../data/record-fields.ts';
import { visible } from '../data/visible.ts';
import type { SystemAnswers } from '../formats/case-format.ts';
import { languageCode } from '../formats/consult/read-consult.ts';
import type { ConsultSection } from '../recipe/consult-section.ts';
import { didYouMean } from '../prepare/setting-error.ts';
import type { ReviewField, ReviewSection } from '../recipe/review-section.ts';
import type {
  CellValue,
  Decision,
  ItemAnswer,
  ItemState,
  ReviewCell,
  ReviewItemRecord,
  ReviewPerson,
} from '../store/review-records.ts';
import { closestNames } from '../text/closest-names.ts';
import { placeOfPart } from './place.ts';
import { fieldOf } from './questions.ts';
import type { ReviewLine } from './review-lines.ts';
import type { ReviewSnapshot } from './snapshot.ts';

interface Asked {
  readonly line: ReviewLine;
  readonly field: ReviewField;
}

const NEVER = '9999-12-31T23:59:59.999Z';
const UNDATED = '1970-01-01T00:00:00.000Z';

/**
 * Reviews that came as lines, from a file, as if they had been given in the app: everybody who has a line about an item was
 * asked about it and has committed it. `system` is whose answers lines mean that name none.
 */
export function snapshotOfLines(
  lines: readonly ReviewLine[],
  form: ReviewSection,
  system: string | null = null,
): ReviewSnapshot {
  const asked = lines.map((line): Asked => ({ line: named(line, form, system), field: fieldNamed(line.field, form) }));
  const people = peopleOf(lines);
  const personId = new Map(people.map(({ id, name, role }) => [`${role} ${name}`, id]));
  const items = [...Map.groupBy(asked, ({ line, field }) => itemKey(line, field))].map(([key, own]) => ({
    record: itemOf(key, own),
    own,
  }));
  const states = items.flatMap(({ record, own }) =>
    [...Map.groupBy(own.filter(isReviewers), ({ line }) => line.reviewer)].map(([name, said]): ItemState => {
      const at = said.map(({ line }) => line.at ?? UNDATED).sort();
      return {
        itemId: record.id,
        personId: personId.get(`reviewer ${name}`)!,
        cells: cellsOf(said),
        committed: true,
        version: 1,
        updatedAt: at.at(-1) ?? UNDATED,
      };
    }),
  );
  return {
    review: { id: 'lines', name: 'lines', createdAt: UNDATED, seed: 0, task: 'lines', form, origin: null },
    form,
    people,
    items: items.map(({ record }) => record),
    assignments: states.map(({ itemId, personId: own }, position) => ({ itemId, personId: own, position })),
    states,
    decisions: items.flatMap(({ record, own }) =>
      own
        .filter((one) => !isReviewers(one))
        .map(({ line }, seq): Decision => ({
          id: `${record.id} ${seq}`,
          itemId: record.id,
          field: line.field,
          part: line.part,
          value: line.value,
          personId: personId.get(`adjudicator ${line.reviewer}`)!,
          because: line.because ?? '',
          seq,
          at: line.at ?? UNDATED,
        })),
    ),
    judgements: [],
  };
}

function isReviewers({ line }: Asked): boolean {
  return line.role === 'reviewer';
}

function fieldNamed(name: string, form: ReviewSection): ReviewField {
  const found = fieldOf(form, name);
  if (found !== null) return found;
  const names = Object.keys(form.fields);
  throw new UsageError(
    `the reviews answer a question ${describe(name)} that the form does not have`,
    didYouMean(name, names) ?? `questions: ${names.join(', ')}`,
  );
}

/** What is asked of a case belongs to no system; what is asked of an answer has to name one if there are several. */
function named(line: ReviewLine, form: ReviewSection, only: string | null): ReviewLine {
  const { of } = fieldNamed(line.field, form);
  if (of === 'case') return { ...line, system: null, language: null };
  if (line.system !== null) return line;
  if (only !== null) return { ...line, system: only };
  throw new UsageError(
    `a review of case ${describe(line.case_id)} by ${describe(line.reviewer)} does not say whose answer it is about`,
    'add a column system to the reviews, or score one system at a time',
  );
}

function itemKey({ case_id: caseId, system, language }: ReviewLine, { of }: ReviewField): string {
  return JSON.stringify([of, caseId, system, language]);
}

function itemOf(key: string, own: readonly Asked[]): ReviewItemRecord {
  const [{ line, field }] = [own[0]!];
  const proposed: Record<string, object[]> = {};
  for (const { line: one, field: asked } of own) {
    // A claim that is known by a name and not by its place is the same claim for everybody who uses that name.
    if (asked.type !== 'items' || one.part === null || placeOfPart(one.part) !== null) continue;
    const list = (proposed[one.field] ??= []);
    if (!list.some((known) => 'id' in known && known.id === one.part))
      list.push({ id: one.part, start: -1, end: -1, text: one.text ?? '' });
  }
  return {
    id: hash('sha256', key).slice(0, 16),
    reviewId: 'lines',
    kind: field.of,
    caseId: line.case_id,
    system: line.system,
    language: line.language,
    content: { title: line.case_id, proposed },
    hidden: null,
  };
}

function cellsOf(said: readonly Asked[]): ReviewCell[] {
  const cells = new Map<string, ReviewCell>();
  const lists = new Map<string, ItemAnswer[]>();
  for (const { line, field } of said) {
    if (field.type === 'items') {
      const list = lists.get(line.field) ?? [];
      lists.set(line.field, list);
      list.push(itemAnswer(line, list.length));
      cells.set(line.field, { field: line.field, part: null, value: list });
    } else {
      const value: CellValue = line.value;
      cells.set(JSON.stringify([line.field, line.part]), { field: line.field, part: line.part, value });
    }
  }
  return [...cells.values()];
}

function itemAnswer({ part, text, value, corrected_kind: kind }: ReviewLine, index: number): ItemAnswer {
  const place = placeOfPart(part);
  const id = part ?? `line-${index + 1}`;
  const words = text ?? (place === null ? id : '');
  const answer = {
    id,
    start: place?.start ?? -1,
    end: place?.end ?? -1,
    text: words,
    label: String(value),
    from: [id],
  };
  return kind === undefined ? answer : { ...answer, kind };
}

function peopleOf(lines: readonly ReviewLine[]): ReviewPerson[] {
  const seen = new Map<string, ReviewPerson>();
  for (const { reviewer, role } of lines) {
    const key = `${role} ${reviewer}`;
    if (seen.has(key)) continue;
    seen.set(key, {
      id: key,
      reviewId: 'lines',
      name: reviewer,
      role,
      groups: [],
      generation: 0,
      tokenHash: '',
      expiresAt: NEVER,
      revokedAt: null,
    });
  }
  return [...seen.values()];
}

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
