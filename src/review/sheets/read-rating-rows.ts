import type { ReviewField } from '../../recipe/review-section.ts';
import type { CellValue } from '../../store/review-records.ts';
import { versionIn } from './as-written.ts';
import { type CellReading, readCell } from './cell-values.ts';
import { isClear, isNotAsked, wordsIn } from './control-words.ts';
import { standingOf } from './past-answers.ts';
import type { SheetAnswer, SheetAnswers } from './sheet-answers.ts';
import { type QuestionColumn, ratingColumns } from './sheet-columns.ts';
import type { SheetContext, SheetRow } from './sheet-context.ts';

/** Reads rows of `outputs_for_human_review.csv`, cell by cell: a bad one takes nothing else with it. */
export function readRatingRows(context: SheetContext, answers: SheetAnswers): void {
  for (const row of context.rows(answers, ratingColumns))
    for (const column of row.columns.questions) {
      const answer = readAnswer(context, row, column);
      if (answer !== null) answers.add(answer);
    }
}

function readAnswer(
  context: SheetContext,
  { at: row, person: personId, item, marks }: SheetRow<unknown>,
  { name, field, part, question }: QuestionColumn,
): SheetAnswer | null {
  const cell = context.cell(row, name);
  if (cell.trim() === '') return null;
  if (!item.asked.includes(field)) {
    if (!isNotAsked(cell))
      context.problem(row, name, `the question is not asked of this ${item.record.kind}: the cell is left out`);
    return null;
  }
  const reading = readWith(question, part, cell);
  if ('fault' in reading) {
    context.problem(row, name, reading.fault, reading.next);
    return null;
  }
  const { value } = reading;
  const now = item.answer(field, part);
  const past = context.past(personId, item.record.id);
  const had = (one: CellValue): boolean => past.had(field, part, one, versionIn(marks));
  const standing = standingOf({ column: name, marks, same: [now], had }, value);
  if (standing === 'new' && question.type === 'text' && typeof value === 'string') {
    const written = typeof now === 'string' ? now : null;
    if (!context.acceptsWords(row, name, written, value, 'the answer keeps its words')) return null;
  }
  return { personId, item, field, part, value, standing, size: 1, place: context.place(row, name) };
}

function readWith(question: ReviewField, part: string | null, cell: string): CellReading | { readonly value: null } {
  if (isClear(cell)) return { value: null };
  return readCell(question, part, question.type === 'text' ? wordsIn(cell) : cell);
}
