import { lostIn, spoiltBySaving } from './spreadsheet-damage.ts';
import type { SpreadsheetRow } from './spreadsheet-rows.ts';
import type { ReviewField } from '../../recipe/review-section.ts';
import type { CellValue } from '../../store/review-records.ts';
import { isAsWritten, versionIn } from './as-written.ts';
import { type CellReading, readCell } from './cell-values.ts';
import { isClear, isNotAsked, wordsIn } from './control-words.ts';
import { isSameAnswer } from './past-answers.ts';
import type { PersonWork, WorkItem } from './person-work.ts';
import type { SheetAnswer, SheetAnswers } from './sheet-answers.ts';
import { AS_WRITTEN, type QuestionColumn, type RatingColumns, ratingColumns } from './sheet-columns.ts';
import type { SheetContext } from './sheet-context.ts';

/** Reads rows of `outputs_for_human_review.csv`, cell by cell: a bad one takes nothing else with it. */
export function readRatingRows(context: SheetContext, answers: SheetAnswers): void {
  const layouts = new Map<PersonWork, RatingColumns>();
  for (const row of context.table.rows) {
    const work = context.workFor(row);
    const item = work === null ? null : context.itemFor(row, work);
    if (work === null || item === null) continue;
    const columns = layouts.get(work) ?? ratingColumns(context.snapshot.form, work);
    layouts.set(work, columns);
    const marks = context.cell(row, AS_WRITTEN);
    answers.see(work.person.id, item, versionIn(marks));
    context.compareTexts(row, item, columns.blocks);
    for (const column of columns.questions) {
      const answer = readAnswer(context, row, column, { personId: work.person.id, item, marks });
      if (answer !== null) answers.add(answer);
    }
  }
}

interface RowWork {
  readonly personId: string;
  readonly item: WorkItem;
  readonly marks: string;
}

function readAnswer(
  context: SheetContext,
  row: SpreadsheetRow,
  { name, field, part, question }: QuestionColumn,
  { personId, item, marks }: RowWork,
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
  const answer = { personId, item, field, part, value, size: 1, place: context.place(row, name) };
  if (isAsWritten(marks, name, value) || isSameAnswer(now, value)) return { ...answer, standing: 'as-before' };
  if (context.past(personId, item.record.id).had(field, part, value, versionIn(marks)))
    return { ...answer, standing: 'kept' };
  return question.type === 'text' && !isSound(context, row, name, now, value) ? null : { ...answer, standing: 'new' };
}

function readWith(question: ReviewField, part: string | null, cell: string): CellReading | { readonly value: null } {
  if (isClear(cell)) return { value: null };
  return readCell(question, part, question.type === 'text' ? wordsIn(cell) : cell);
}

/** Words that saving has spoilt must not take the place of those that hold; others are only named. */
function isSound(
  context: SheetContext,
  row: SpreadsheetRow,
  column: string,
  now: CellValue,
  value: CellValue,
): boolean {
  if (typeof value !== 'string') return true;
  const spoilt = typeof now === 'string' ? spoiltBySaving(now, value) : null;
  if (spoilt !== null) {
    context.problem(row, column, `the text ${spoilt}: the answer keeps its words`, 'save the sheet as UTF-8');
    return false;
  }
  const lost = lostIn(value);
  if (lost !== null) context.notice(row, column, `the text ${lost}`, 'mend it in the app, or in the sheet');
  return true;
}
