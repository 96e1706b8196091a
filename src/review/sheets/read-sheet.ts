import { InputError, type Problem } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import type { Source } from '../../data/source.ts';
import type { ReviewField } from '../../recipe/review-section.ts';
import type { CellValue } from '../../store/review-records.ts';
import { closestNames } from '../../text/closest-names.ts';
import type { ReviewSnapshot } from '../snapshot.ts';
import { type CellReading, readCell } from './cell-values.ts';
import { type HistoryOf, standingOf, versionIn } from './past-answers.ts';
import { readClaimRows } from './read-claim-rows.ts';
import { type SettledAnswers, type SheetAnswer, SheetAnswers, SheetProblems } from './sheet-answers.ts';
import {
  CLAIM,
  CLAIM_SHEET,
  isClear,
  isNotAsked,
  ITEM,
  type QuestionColumn,
  RATING_SHEET,
  ratingColumns,
  REVIEWER,
  SIGNS_OF_CLAIMS,
  wordsIn,
} from './sheet-columns.ts';
import { type CellPlace, SheetContext, type SheetRow } from './sheet-context.ts';
import { spreadsheetRows } from './spreadsheet-rows.ts';
import { readSheetText, SAVE_AS_UTF8 } from './spreadsheet-text.ts';

export interface SheetReading extends Omit<SettledAnswers, 'keptPlaces'> {
  readonly kind: 'ratings' | 'claims';
  /** Cells whose answer was given before and changed since: what holds was kept. */
  readonly kept: number;
  /** What is wrong: each takes a cell or a row out, and nothing else. Safe to print. */
  readonly problems: readonly Problem[];
  readonly problemCount: number;
  /** What is worth knowing and hinders nothing. Safe to print. */
  readonly notices: readonly Problem[];
  readonly rows: number;
  /** Names of those who took a place without one, by the id of the person: to be kept with the events. */
  readonly names: ReadonlyMap<string, string>;
}

const MOST_BYTES = 1 << 26;
const MOST_NAMED = 20;

/** Columns that are there to be read by people. */
const NOT_READ_BACK = /^(?:passage_\d+|found_as|facts)$/i;

/**
 * Reads one of the two sheets of a review, found out by its header, as any spreadsheet may have saved it: in any order,
 * with rows or columns missing, half filled. `personId` is who filled it in; with null the sheet's column names them.
 * What equals the answers that hold is counted and gives no event. Nor does an answer that was given before and changed
 * since, for which `history` is needed: without it, reading an old sheet again undoes what was changed elsewhere.
 * `newName` is that of somebody who is not in the review yet, and takes the place that the sheet was written for.
 * A file that is not such a sheet is thrown as an error; errors in single cells are returned with all the rest.
 */
export async function readSheet(
  snapshot: ReviewSnapshot,
  personId: string | null,
  source: Source,
  history: HistoryOf | null = null,
  newName: string | null = null,
): Promise<SheetReading> {
  const problems = new SheetProblems();
  const { text, codePage } = await readSheetText(source, MOST_BYTES);
  const table = await spreadsheetRows(text, source.name, problems);
  const context = new SheetContext(snapshot, { id: personId, newName }, table, problems, history);
  const kind = kindOf(context, personId ?? newName);
  if (kind === null) throw new InputError(problems.list, problems.count);
  context.refuseStrange();
  const answers = new SheetAnswers(snapshot.form, problems, (person, item) => context.past(person, item));
  const unchangedClaims = kind === 'claims' ? readClaimRows(context, answers) : 0;
  if (kind === 'ratings') readRatingRows(context, answers);
  context.finish(NOT_READ_BACK);
  const { keptPlaces, ...settled } = answers.settle();
  const kept = [...context.kept, ...keptPlaces];
  const notices = [...context.notices, ...noticesOf(context, kind, codePage, kept)];
  return {
    kind,
    ...settled,
    unchanged: settled.unchanged + unchangedClaims,
    kept: kept.length,
    problems: new InputError(problems.list).problems,
    problemCount: problems.count,
    notices: new InputError(notices).problems,
    rows: table.rows.length,
    names: context.names,
  };
}

function kindOf(context: SheetContext, owner: string | null): SheetReading['kind'] | null {
  const { file, columns } = context.table;
  const refuse = (message: string, next: string): null => {
    context.problems.add({ file, line: 1, field: 'header', message, next });
    return null;
  };
  if (columns.length === 0) {
    if (context.problems.count === 0)
      return refuse('expected a header with the names of the columns', 'export it again');
    return null;
  }
  const nextFor = (name: string, other: string): string => {
    const [near] = closestNames(name, columns, 1);
    return near === undefined ? other : `is it ${describe(near)}? Then call it ${name}`;
  };
  if (!context.has(ITEM))
    return refuse(
      `expected a column ${ITEM}, as in ${RATING_SHEET} or ${CLAIM_SHEET}; found ${columns.slice(0, 10).join(', ')}`,
      nextFor(ITEM, 'is it a sheet of this review? Its first row holds the names of the columns'),
    );
  if (owner === null && !context.has(REVIEWER))
    return refuse(`there is no column ${REVIEWER}: whose sheet is it?`, nextFor(REVIEWER, 'say so with --as NAME'));
  return SIGNS_OF_CLAIMS.some((column) => context.has(column)) ? 'claims' : 'ratings';
}

function noticesOf(
  context: SheetContext,
  kind: SheetReading['kind'],
  codePage: string | null,
  kept: readonly CellPlace[],
): Problem[] {
  const { file } = context.table;
  const placeOf = (id: string): string => context.snapshot.people.find((person) => person.id === id)?.name ?? id;
  const named = kept.slice(0, MOST_NAMED).map(({ field }) => field);
  const more = kept.length > MOST_NAMED ? `; … and ${kept.length - MOST_NAMED} more` : '';
  return [
    ...[...context.names].map(([id, name]) => ({
      file,
      line: null,
      message: `the place ${describe(placeOf(id))} is ${describe(name)}’s from now on`,
    })),
    ...(codePage === null
      ? []
      : [{ file, line: null, message: `it is not UTF-8: texts were read as ${codePage}`, next: SAVE_AS_UTF8 }]),
    ...(kind === 'claims' && !context.has(CLAIM)
      ? [{ file, line: 1, field: 'header', message: `there is no column ${CLAIM}: claims were known by their words` }]
      : []),
    ...(kept.length === 0
      ? []
      : [
          {
            file,
            line: null,
            message: `kept what was changed since: ${named.join('; ')}${more}`,
            next: 'to change it again, use the app or a sheet that is exported again',
          },
        ]),
  ];
}

/** Reads rows of `outputs_for_human_review.csv`, cell by cell: a bad one takes nothing else with it. */
function readRatingRows(context: SheetContext, answers: SheetAnswers): void {
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
