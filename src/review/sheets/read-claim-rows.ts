import { describe } from '../../data/record-fields.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import type { ItemsField } from '../../recipe/review-section.ts';
import { closestNames } from '../../text/closest-names.ts';
import { proposedFor, textUnderReview } from '../content.ts';
import { fieldOf, MOST_THINGS } from '../questions.ts';
import { ClaimChanges } from './claim-changes.ts';
import { type ClaimRow, claimRow } from './claim-row.ts';
import { ClaimPast } from './past-answers.ts';
import { currentClaims, proposedClaims, type WorkItem } from './person-work.ts';
import type { SheetAnswers } from './sheet-answers.ts';
import {
  CLAIM_TEXT,
  type ClaimColumns,
  claimColumns,
  headerKey,
  isEmptyItem,
  LABEL,
  NOTE,
  QUESTION,
} from './sheet-columns.ts';
import type { SheetContext } from './sheet-context.ts';

/** No answer has so many claims. */
const MOST_ROWS = 2 * MOST_THINGS;

interface ClaimGroup extends PersonItem {
  readonly name: string;
  readonly field: ItemsField;
  readonly rows: ClaimRow[];
}

interface PersonItem {
  readonly person: string;
  readonly item: WorkItem;
}

/** Reads rows of `outputs_for_hallucination_check.csv`; gives how many of them repeat what holds already. */
export function readClaimRows(context: SheetContext, answers: SheetAnswers): number {
  let unchanged = 0;
  for (const { person, item, name, field, rows } of groupsOf(context, answers)) {
    const place = context.place(rows[0]!.at, CLAIM_TEXT);
    if (rows.length > MOST_ROWS) {
      const message = `the item has ${rows.length} rows, and ${MOST_ROWS} are the most: it is left out`;
      context.problem(rows[MOST_ROWS]!.at, CLAIM_TEXT, message);
      continue;
    }
    const before = currentClaims(item, name);
    const past = new ClaimPast(context.past(person, item.record.id), name, proposedClaims(item, name));
    const under = textUnderReview(item.record) ?? '';
    const isPlaced = field.from === 'predicted' && under !== '' && context.isPlaced(name);
    const changes = new ClaimChanges({ context, field, under, past, isPlaced }, proposedFor(item.record, name), before);
    const { claims: value, changed: size, unchanged: same } = changes.apply(rows);
    unchanged += same;
    if (sortedJson(before) !== sortedJson(value))
      answers.add({ personId: person, item, field: name, part: null, value, standing: 'new', size, place });
  }
  return unchanged;
}

function groupsOf(context: SheetContext, answers: SheetAnswers): ClaimGroup[] {
  const groups = new Map<string, ClaimGroup>();
  const empty: PersonItem[] = [];
  for (const { at, person, item, columns } of context.rows(answers, claimColumns)) {
    const row = claimRow(context, at);
    const name = questionOf(context, row, item, columns);
    const field = name === null ? null : fieldOf(context.snapshot.form, name);
    if (name === null || field?.type !== 'items') continue;
    if (row.ids.length === 0 && isEmptyItem(row.text) && proposedFor(item.record, name).length === 0) {
      if (row.label !== '' || row.note !== '') refuseLabel(context, row, field);
      else empty.push({ person, item });
      continue;
    }
    const key = JSON.stringify([person, item.record.id, name]);
    const group = groups.get(key) ?? { person, item, name, field, rows: [] };
    groups.set(key, group);
    const last = group.rows.at(-1);
    group.rows.push({ ...row, above: (last?.ids.length === 0 ? last.above : last?.ids) ?? [] });
  }
  // A reviewer who adds something to an item does not mean that there is nothing in it.
  const filled = [...groups.values()];
  for (const { person, item } of empty)
    if (!filled.some((group) => group.person === person && group.item === item)) answers.seeNothing(person, item);
  return filled;
}

function refuseLabel(context: SheetContext, row: ClaimRow, { allow }: ItemsField): void {
  context.problem(
    row.at,
    row.label === '' ? NOTE : LABEL,
    'nothing was found in this item that could be labelled: the cell is left out',
    allow.includes('add') ? `to add something, write its words into ${CLAIM_TEXT}` : 'empty the cell',
  );
}

/** Which question a row is about: the only one of its kind, or the one that its column names. */
function questionOf(context: SheetContext, row: ClaimRow, item: WorkItem, { fields }: ClaimColumns): string | null {
  const asked = fields.filter((name) => item.asked.includes(name));
  const written = context.cell(row.at, QUESTION).trim();
  if (written === '' && asked.length === 1) return asked[0]!;
  const named = asked.find((name) => headerKey(name) === headerKey(written));
  if (named !== undefined) return named;
  if (asked.length === 0) {
    if (row.label !== '' || row.note !== '')
      context.problem(row.at, LABEL, `nothing is to be labelled in this ${item.record.kind}: the row is left out`);
    return null;
  }
  const [near] = closestNames(written, asked, 1);
  context.problem(
    row.at,
    QUESTION,
    `expected one of ${asked.join(', ')}, found ${describe(written === '' ? undefined : written)}`,
    near === undefined ? undefined : `did you mean ${near}?`,
  );
  return null;
}
