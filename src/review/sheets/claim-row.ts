import type { SpreadsheetRow } from './spreadsheet-rows.ts';
import { versionIn } from './as-written.ts';
import { AS_WRITTEN, CLAIM, CLAIM_TEXT, LABEL, NOTE } from './sheet-columns.ts';
import type { SheetContext } from './sheet-context.ts';

/** A row of the sheet of claims. */
export interface ClaimRow {
  readonly at: SpreadsheetRow;
  /** Names of the claims it is about: none for a new one, several where they are merged. */
  readonly ids: readonly string[];
  readonly text: string;
  readonly label: string;
  readonly note: string;
  /** What stood there when the sheet was written, and the version of the item then, where it says so. */
  readonly marks: string;
  readonly since: number | null;
  /** The names of the nearest row above it that has some, of the same item. */
  readonly above: readonly string[];
}

export function claimRow(context: SheetContext, at: SpreadsheetRow, above: readonly string[]): ClaimRow {
  const ids = context
    .cell(at, CLAIM)
    .split('+')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  const marks = context.cell(at, AS_WRITTEN);
  return {
    at,
    ids: [...new Set(ids)],
    text: context.cell(at, CLAIM_TEXT).trim(),
    label: context.cell(at, LABEL).trim(),
    note: context.cell(at, NOTE).trim(),
    marks,
    since: versionIn(marks),
    above,
  };
}
