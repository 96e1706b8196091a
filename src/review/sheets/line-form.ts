import type { LineFault, LineForm, LineQuestion } from '../review-line-layout.ts';
import { describe } from '../../data/record-fields.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import { closestNames } from '../../text/closest-names.ts';
import { fieldOf, partsOf } from '../questions.ts';
import { type CellReading, readCell } from './cell-values.ts';

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
    const near = closestNames(column, known, 2);
    return {
      fault: `the form has no question ${describe(column)}`,
      next: near.length > 0 ? `did you mean ${near.join(' or ')}?` : `questions: ${known.slice(0, 20).join(', ')}`,
    };
  };
  return { questionOf, valueOf: (question, value) => readValue(form, question, value) };
}

function readValue(
  form: ReviewSection,
  { field: name, part }: LineQuestion,
  value: string | number | boolean,
): Exclude<CellReading, { readonly fault: string }> | LineFault {
  const field = fieldOf(form, name);
  if (field === null) {
    const near = closestNames(name, Object.keys(form.fields), 1);
    return {
      fault: `the form has no question ${describe(name)}`,
      ...(near.length === 0 ? {} : { next: `did you mean ${near[0]!}?` }),
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
