import type { Problems } from '../data/problems.ts';
import { describe } from '../data/record-fields.ts';
import { didYouMean } from '../prepare/setting-error.ts';
import type { ReviewSection } from '../recipe/review-section.ts';
import { closestNames } from '../text/closest-names.ts';
import { fieldOf, partsOf } from './questions.ts';
import { LINE_PARTS } from './review-lines.ts';
import { type CellReading, readCell } from './sheets/cell-values.ts';

export interface LineQuestion {
  readonly field: string;
  readonly part: string | null;
}

/** What a form defines about review lines; without one, values are taken as they look. */
export interface LineForm {
  questionOf(column: string): LineQuestion | { readonly fault: string; readonly next?: string | undefined };
  valueOf(
    question: LineQuestion,
    value: string | number | boolean,
  ): { readonly value: string | number | boolean } | LineFault;
}

/** Why an answer is not one of the form's; `about` is what is wrong in the line, by default its value. */
export interface LineFault {
  readonly fault: string;
  readonly next?: string | undefined;
  readonly about?: 'field' | 'part';
}

/** What a line is made of, and what its column may be called. */
const NAMES = {
  case_id: ['case_id', 'case', 'id'],
  system: ['system', 'model'],
  language: ['language', 'lang'],
  reviewer: ['reviewer', 'rater', 'expert', 'annotator'],
  role: ['role'],
  field: ['field', 'question', 'measure'],
  part: ['part', 'dimension', 'item', 'claim'],
  value: ['value', 'rating', 'label', 'score'],
  text: ['text', 'claim_text'],
  because: ['because'],
  at: ['at'],
  corrected_kind: ['corrected_kind'],
} as const;
export type LinePart = keyof typeof NAMES;

/** The columns of a line's parts; `columns` of a wide table hold a question each, or the class that an expert gave. */
export interface LineLayout {
  readonly kind: 'long' | 'wide' | 'experts';
  readonly places: ReadonlyMap<LinePart, string>;
  readonly columns: readonly (LineQuestion & { readonly name: string; readonly reviewer: string | null })[];
}

/** Columns that stand beside the answers in a wide table. */
const BESIDE =
  /^(?:scenario|text|response|answer|context|retrieved_context|notes?|item|as_written|shown\..*|passage_\d+|ground_truth.*|gold.*|predicted.*|majority|consensus|complexity_level|query_type|expected_agents)$/;
const NUMBERED_EXPERT = /^(?:expert|rater|reviewer|annotator|practitioner)_?(?:\d+|[a-z])$/;

export interface ReviewLineOptions {
  /** The question that a table with a column for each expert answers, and a long one that names none. */
  readonly classField?: string;
  readonly form?: LineForm;
}

/** Finds out what a table of reviews is; null, with the problems noted, if it is none. */
export function lineLayout(
  columns: readonly string[],
  file: string,
  options: ReviewLineOptions,
  problems: Problems,
): LineLayout | null {
  const byKey = new Map<string, string>();
  for (const column of columns) if (column !== '' && !byKey.has(keyOf(column))) byKey.set(keyOf(column), column);
  const places = new Map<LinePart, string>();
  for (const part of LINE_PARTS) {
    const key = NAMES[part].find((name) => byKey.has(name));
    if (key !== undefined) places.set(part, byKey.get(key)!);
  }
  const refuse = (message: string, next: string): null => {
    problems.add({ file, line: 1, field: 'header', message, next });
    return null;
  };
  if (!places.has('case_id')) {
    if (byKey.has('as_written'))
      return refuse('this is a sheet of a review, not its answers', 'bring it in with assay review import');
    const found = columns.slice(0, 10).map(describe).join(', ');
    return refuse(
      `expected a column case_id, found only ${found}`,
      'name the column with the ids of the cases case_id',
    );
  }
  const isLong = places.has('value') && (places.has('field') || options.classField !== undefined);
  if (places.has('reviewer') && isLong) return { kind: 'long', places, columns: [] };
  const used = new Set<string>(['case_id', 'system', 'language', 'reviewer', 'role', 'because', 'at'].flatMap(aliases));
  const others = [...byKey].filter(([key]) => !used.has(key) && !BESIDE.test(key));
  return places.has('reviewer')
    ? wide(others, places, file, options, problems)
    : experts(others, places, options, refuse);
}

function aliases(part: string): readonly string[] {
  const known = LINE_PARTS.find((one) => one === part);
  return known === undefined ? [] : NAMES[known];
}

/** One row of a reviewer for a case (and a system), one column for a question: `treatment_relevance.safety`, `comment`. */
function wide(
  others: readonly (readonly [key: string, column: string])[],
  places: ReadonlyMap<LinePart, string>,
  file: string,
  { form }: ReviewLineOptions,
  problems: Problems,
): LineLayout | null {
  const columns = others.flatMap(([, name]) => {
    const dot = name.indexOf('.');
    const question = form?.questionOf(name) ?? {
      field: dot < 1 ? name : name.slice(0, dot),
      part: dot < 1 ? null : name.slice(dot + 1),
    };
    if (!('fault' in question)) return [{ ...question, name, reviewer: null }];
    const { fault: message, next } = question;
    problems.add({ file, line: 1, field: `column ${name}`, message, next });
    return [];
  });
  if (columns.length > 0) return { kind: 'wide', places, columns };
  if (problems.count === 0)
    problems.add({
      file,
      line: 1,
      field: 'header',
      message: 'there is no column with answers: expected field and value, or a column for each question',
    });
  return null;
}

/** One row for a case, one column for the class that each expert gave it. */
function experts(
  others: readonly (readonly [key: string, column: string])[],
  places: ReadonlyMap<LinePart, string>,
  { classField, form }: ReviewLineOptions,
  refuse: (message: string, next: string) => null,
): LineLayout | null {
  const numbered = others.filter(([key]) => NUMBERED_EXPERT.test(key));
  const chosen = numbered.length > 1 ? numbered : others;
  const question = chosen.find(([, name]) => name.includes('.') || isQuestion(form, name));
  if (places.has('value') || question !== undefined || chosen.length === 0) {
    const near = closestNames(
      'reviewer',
      others.map(([key]) => key),
      1,
    );
    return refuse(
      'there is no column reviewer: who gave these answers?',
      near.length > 0 ? `is it ${near[0]!}? Then rename it` : 'add it, or one column for each expert',
    );
  }
  if (classField === undefined)
    return refuse(
      `there is a column for each expert (${chosen
        .slice(0, 3)
        .map(([, name]) => describe(name))
        .join(', ')}), but not what they were asked`,
      'add the columns reviewer, field and value instead',
    );
  return {
    kind: 'experts',
    places,
    columns: chosen.map(([, name]) => ({ name, reviewer: name, field: classField, part: null })),
  };
}

function isQuestion(form: LineForm | undefined, name: string): boolean {
  const found = form?.questionOf(name);
  return found !== undefined && !('fault' in found);
}

function keyOf(column: string): string {
  return column
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}

/** Lets review lines of files be read by a form: names of questions are found, values typed and checked. */
export function lineForm(form: ReviewSection): LineForm {
  const names = Object.keys(form.fields);
  const columns = names.flatMap((field) =>
    partsOf(form.fields[field]!).map((part) => ({ field, part, name: part === null ? field : `${field}.${part}` })),
  );
  const questionOf: LineForm['questionOf'] = (column) => {
    const key = column.trim().toLowerCase();
    // A name that stands alone may be that of a part, if only one question has such a part.
    const found = [
      columns.filter(({ name }) => name.toLowerCase() === key),
      columns.filter(({ part }) => part?.toLowerCase() === key),
    ].find((list) => list.length > 0);
    if (found?.length === 1) return { field: found[0]!.field, part: found[0]!.part };
    if (found !== undefined)
      return {
        fault: `several questions have a part ${describe(column)}`,
        next: `write ${found.map(({ name }) => name).join(' or ')}`,
      };
    const known = columns.map(({ name }) => name);
    return {
      fault: `the form has no question ${describe(column)}`,
      next: didYouMean(column, known) ?? `questions: ${known.slice(0, 20).join(', ')}`,
    };
  };
  return { questionOf, valueOf: (question, value) => valueOf(form, question, value) };
}

function valueOf(
  form: ReviewSection,
  { field: name, part }: LineQuestion,
  value: string | number | boolean,
): Exclude<CellReading, { readonly fault: string }> | LineFault {
  const field = fieldOf(form, name);
  if (field === null) {
    return {
      fault: `the form has no question ${describe(name)}`,
      next: didYouMean(name, Object.keys(form.fields)) ?? undefined,
      about: 'field',
    };
  }
  const parts = partsOf(field);
  // Places of claims are parts that no form can name.
  if (field.type !== 'items' && !parts.includes(part)) {
    const expected = parts.every((one) => one === null) ? 'no part' : `one of ${parts.join(', ')} as its part`;
    return { fault: `expected ${expected} for ${name}, found ${describe(part ?? undefined)}`, about: 'part' };
  }
  return readCell(field, part, String(value));
}
