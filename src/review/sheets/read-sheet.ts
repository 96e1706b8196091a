import { InputError, type Problem } from '../../data/problems.ts';
import { spreadsheetRows } from '../../data/spreadsheet-rows.ts';
import { readSpreadsheetText } from '../../data/spreadsheet-text.ts';
import type { Source } from '../../data/source.ts';
import type { ReviewSnapshot } from '../snapshot.ts';
import { readClaimRows } from './read-claim-rows.ts';
import { readRatingRows } from './read-rating-rows.ts';
import { type SettledAnswers, SheetAnswers, SheetProblems } from './sheet-answers.ts';
import { AS_WRITTEN, CLAIM, CLAIM_SHEET, CLAIM_TEXT, ITEM, LABEL, RATING_SHEET, REVIEWER } from './sheet-columns.ts';
import { SheetContext } from './sheet-context.ts';

export interface SheetReading extends SettledAnswers {
  readonly kind: 'ratings' | 'claims';
  /** What stands in the way: each takes a cell or a row out, and nothing else. Safe to print. */
  readonly problems: readonly Problem[];
  readonly problemCount: number;
  /** What is worth knowing and hinders nothing. Safe to print. */
  readonly notices: readonly Problem[];
  readonly rows: number;
}

const MOST_BYTES = 1 << 26;

/** Columns that are there to be read by people. */
const NOT_READ_BACK = /^(?:passage_\d+|found_as|facts)$/i;

/**
 * Reads one of the two sheets of a review, found out by its header, as any spreadsheet may have saved it: in any order,
 * with rows or columns missing, half filled. `personId` says who filled it in; with null the sheet's own column does.
 * What equals the answers that hold is counted and gives no event, so reading a sheet twice changes nothing.
 * What is no such sheet at all is thrown; what is wrong in single cells is told beside all the rest.
 */
export async function readSheet(
  snapshot: ReviewSnapshot,
  personId: string | null,
  source: Source,
): Promise<SheetReading> {
  const problems = new SheetProblems();
  const table = await spreadsheetRows(await readSpreadsheetText(source, MOST_BYTES), source.name, problems);
  const context = new SheetContext(snapshot, personId, table, problems);
  const kind = kindOf(context, personId);
  if (kind === null) throw new InputError(problems.list, problems.count);
  const answers = new SheetAnswers(snapshot.form, problems);
  const unchangedClaims = kind === 'claims' ? readClaimRows(context, answers) : 0;
  if (kind === 'ratings') readRatingRows(context, answers);
  for (const row of table.rows) context.cell(row, AS_WRITTEN);
  context.finish(NOT_READ_BACK);
  const settled = answers.settle();
  return {
    kind,
    ...settled,
    unchanged: settled.unchanged + unchangedClaims,
    problems: new InputError(problems.list).problems,
    problemCount: problems.count,
    notices: new InputError(context.notices).problems,
    rows: table.rows.length,
  };
}

function kindOf(context: SheetContext, personId: string | null): SheetReading['kind'] | null {
  const { file, columns } = context.table;
  const refuse = (message: string, next: string): null => {
    context.problems.add({ file, line: 1, field: 'header', message, next });
    return null;
  };
  if (columns.length === 0) {
    if (context.problems.count === 0)
      return refuse('expected a header with the names of the columns', 'export it anew');
    return null;
  }
  if (!context.has(ITEM))
    return refuse(
      `expected a column ${ITEM}, as in ${RATING_SHEET} or ${CLAIM_SHEET}; found ${columns.slice(0, 10).join(', ')}`,
      'is it a sheet of this review? Its first row holds the names of the columns',
    );
  if (personId === null && !context.has(REVIEWER))
    return refuse(`there is no column ${REVIEWER}: whose sheet is it?`, 'say so with --as NAME');
  return context.has(CLAIM) && (context.has(LABEL) || context.has(CLAIM_TEXT)) ? 'claims' : 'ratings';
}
