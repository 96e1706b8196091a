import type { SpreadsheetRow } from '../../data/spreadsheet-rows.ts';
import { isAsWritten } from './as-written.ts';
import { readCell } from './cell-values.ts';
import type { PersonWork, WorkItem } from './person-work.ts';
import type { SheetAnswers } from './sheet-answers.ts';
import { AS_WRITTEN, CLEAR, type QuestionColumn, type RatingColumns, ratingColumns } from './sheet-columns.ts';
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
    answers.see(work.person.id, item);
    context.compareTexts(row, item, columns.blocks);
    for (const column of columns.questions) readAnswer(row, column, work, item);
  }

  function readAnswer(row: SpreadsheetRow, column: QuestionColumn, work: PersonWork, item: WorkItem): void {
    const { name, field, part, question } = column;
    const cell = context.cell(row, name);
    const marks = context.cell(row, AS_WRITTEN);
    if (cell.trim() === '') return;
    if (!item.asked.includes(field)) {
      context.noteNotAsked();
      return;
    }
    const place = context.place(row, name);
    const answer = { personId: work.person.id, item, field, part, place };
    if (cell.trim() === CLEAR && item.answer(field, part) !== CLEAR) {
      answers.add({ ...answer, value: null, asWritten: false });
      return;
    }
    const reading = readCell(question, part, cell);
    if ('value' in reading)
      answers.add({ ...answer, value: reading.value, asWritten: isAsWritten(marks, name, reading.value) });
    else {
      const { fault: message, next } = reading;
      context.problems.add({ ...place, message, ...(next === undefined ? {} : { next }) });
    }
  }
}
