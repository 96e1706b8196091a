import { describe } from '../../data/record-fields.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import type { SpreadsheetRow } from '../../data/spreadsheet-rows.ts';
import type { ItemsField } from '../../recipe/review-section.ts';
import { nearestNames } from '../../text/nearest.ts';
import { MOST_THINGS } from '../cell-fault.ts';
import { fieldOf } from '../questions.ts';
import { ClaimChanges } from './claim-changes.ts';
import { type ClaimRow, claimRow } from './claim-row.ts';
import { claimsOf, type PersonWork, type WorkItem } from './person-work.ts';
import type { SheetAnswers } from './sheet-answers.ts';
import { type ClaimColumns, claimColumns, CLAIM_TEXT, headerKey, QUESTION } from './sheet-columns.ts';
import type { SheetContext } from './sheet-context.ts';

/** No answer has so many claims. */
const MOST_ROWS = 2 * MOST_THINGS;

/** The rows of one person on one question of one item. */
interface ClaimGroup {
  readonly work: PersonWork;
  readonly item: WorkItem;
  readonly name: string;
  readonly field: ItemsField;
  readonly rows: ClaimRow[];
}

/** Reads rows of `outputs_for_hallucination_check.csv`; gives how many cells say what holds already. */
export function readClaimRows(context: SheetContext, answers: SheetAnswers): number {
  let unchanged = 0;
  for (const { work, item, name, field, rows } of groupsOf(context, answers)) {
    if (rows.length > MOST_ROWS) {
      context.problems.add({
        ...context.place(rows[MOST_ROWS]!.at, CLAIM_TEXT),
        message: `the item has ${rows.length} rows, and ${MOST_ROWS} are the most: it is left out`,
      });
      continue;
    }
    const before = claimsOf(item, name);
    const changes = new ClaimChanges(context, field, item, name);
    const after = changes.apply(rows);
    unchanged += changes.unchanged;
    if (sortedJson(before) !== sortedJson(after))
      answers.add({
        personId: work.person.id,
        item,
        field: name,
        part: null,
        value: after,
        asWritten: false,
        place: context.place(rows[0]!.at, CLAIM_TEXT),
      });
  }
  return unchanged;
}

function groupsOf(context: SheetContext, answers: SheetAnswers): ClaimGroup[] {
  const layouts = new Map<PersonWork, ClaimColumns>();
  const groups = new Map<string, ClaimGroup>();
  for (const row of context.table.rows) {
    const work = context.workFor(row);
    const item = work === null ? null : context.itemFor(row, work);
    if (work === null || item === null) continue;
    const columns = layouts.get(work) ?? claimColumns(context.snapshot.form, work);
    layouts.set(work, columns);
    answers.see(work.person.id, item);
    context.compareTexts(row, item, columns.blocks);
    const name = questionOf(context, row, item, columns);
    const field = name === null ? null : fieldOf(context.snapshot.form, name);
    if (name === null || field?.type !== 'items') continue;
    const key = JSON.stringify([work.person.id, item.record.id, name]);
    const group = groups.get(key) ?? { work, item, name, field, rows: [] };
    groups.set(key, group);
    const last = group.rows.at(-1);
    group.rows.push(claimRow(context, row, (last?.ids.length === 0 ? last.above : last?.ids) ?? []));
  }
  return [...groups.values()];
}

/** Which question a row is about: the only one of its kind, or the one that its column names. */
function questionOf(
  context: SheetContext,
  row: SpreadsheetRow,
  item: WorkItem,
  { fields }: ClaimColumns,
): string | null {
  const asked = fields.filter((name) => item.asked.includes(name));
  const written = context.cell(row, QUESTION).trim();
  if (written === '' && asked.length === 1) return asked[0]!;
  const named = asked.find((name) => headerKey(name) === headerKey(written));
  if (named !== undefined) return named;
  if (asked.length === 0) {
    context.noteNotAsked();
    return null;
  }
  const near = nearestNames(written, asked, 1);
  context.problems.add({
    ...context.place(row, QUESTION),
    message: `expected one of ${asked.join(', ')}, found ${describe(written === '' ? undefined : written)}`,
    ...(near.length === 0 ? {} : { next: `did you mean ${near[0]!}?` }),
  });
  return null;
}
