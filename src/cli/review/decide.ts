import { randomUUID } from 'node:crypto';

import { InputError, type Problem, Problems, UsageError } from '../../data/problems.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { sourceOf } from '../../data/source.ts';
import { spreadsheetRows } from '../../review/sheets/spreadsheet-rows.ts';
import { readSpreadsheetText } from '../../review/sheets/spreadsheet-text.ts';
import { shorten, visible } from '../../data/visible.ts';
import { count, counted } from '../../text/figures.ts';
import { textFault } from '../../review/cell-fault.ts';
import { type Conflict, conflictsOf } from '../../review/conflicts.ts';
import { personNamed } from '../../review/links.ts';
import { isAnAnswer } from '../../review/decision-fault.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../review/snapshot.ts';
import type { NewDecision, ReviewPerson } from '../../store/review-records.ts';
import type { Store } from '../../store/store.ts';
import { decidedValue } from './decision-value.ts';

/** One line of a file, or what the flags say. */
export interface Given {
  readonly item: string;
  readonly field: string;
  readonly part: string;
  readonly value: string | undefined;
  readonly answer: string | undefined;
  readonly by: string | undefined;
  readonly because: string;
}

const LONGEST_REASON = 2000;

/** All lines of the file, or none. What holds already is not decided again. */
export async function decideFile(
  store: Store,
  snapshot: ReviewSnapshot,
  file: string,
  by: string | undefined,
): Promise<string> {
  const problems = new Problems();
  const source = sourceOf(file);
  const { columns, rows } = await spreadsheetRows(await readSpreadsheetText(source), source.name, problems);
  for (const column of ['item', 'field', 'value'])
    if (rows.length > 0 && !columns.includes(column))
      problems.add({ file: source.name, line: 1, field: 'header', message: `expected a column ${column}` });
  problems.throwIfAny();
  const conflicts = conflictsOf(snapshot);
  const decisions: NewDecision[] = [];
  let same = 0;
  for (const row of rows) {
    if (row.cell('value').trim() === '') continue;
    const place = { file: source.name, line: row.line, field: `row ${row.row}` };
    const given = {
      item: row.cell('item').trim(),
      field: row.cell('field').trim(),
      part: row.cell('part').trim(),
      value: row.cell('value'),
      answer: undefined,
      by: row.cell('by').trim() === '' ? by : row.cell('by').trim(),
      because: row.cell('because').trim(),
    };
    const decided = tried(() => decisionOf(snapshot, conflicts, given), place, problems);
    if (decided === null) continue;
    if (isHeld(decided.conflict, decided.decision)) same += 1;
    else decisions.push(decided.decision);
  }
  problems.throwIfAny();
  store.transaction(() => decisions.forEach((decision) => store.reviews.decide(decision)));
  const left = conflictsOf(loadSnapshot(store, snapshot.review.name)).filter(
    ({ decision }) => decision === null,
  ).length;
  return `${counted(decisions.length, 'decision')} kept, ${count(same)} held already; ${counted(left, 'conflict')} open.\n`;
}

function tried<T>(work: () => T, place: Omit<Problem, 'message'>, problems: Problems): T | null {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UsageError) || error instanceof InputError) throw error;
    problems.add({ ...place, message: error.message, ...(error.next === null ? {} : { next: error.next }) });
    return null;
  }
}

function isHeld({ decision }: Conflict, { value, because, personId }: NewDecision): boolean {
  if (decision === null) return value === null;
  return (
    sortedJson(decision.value) === sortedJson(value) && decision.because === because && decision.personId === personId
  );
}

export function decisionOf(
  snapshot: ReviewSnapshot,
  conflicts: readonly Conflict[],
  given: Given,
): { readonly decision: NewDecision; readonly conflict: Conflict } {
  const conflict = conflictFor(conflicts, given);
  const person = adjudicatorOf(snapshot.people, given.by);
  const value = decidedValue(snapshot.form, conflict, given);
  const because = given.because.trim();
  if (because.length > LONGEST_REASON)
    throw new UsageError(`the reason has ${because.length} characters, and ${LONGEST_REASON} are the most`);
  const fault = textFault(because, 'the reason');
  if (fault !== null) throw new UsageError(fault);
  if (value !== null && because === '' && !isAnAnswer(conflict, value))
    throw new UsageError('nobody gave this answer, so a reason is needed', 'give --because WHY');
  const { item, field, part } = conflict;
  const decision = { id: randomUUID(), itemId: item.id, field, part, value, personId: person.id, because };
  return { decision, conflict };
}

function conflictFor(conflicts: readonly Conflict[], { item, field, part }: Given): Conflict {
  const ofItem = conflicts.filter((one) => one.item.id === item);
  const ofField = ofItem.filter((one) => one.field === field);
  const found = ofField.filter((one) => part === '' || one.part === part);
  if (found.length === 1) return found[0]!;
  if (ofItem.length === 0)
    throw new UsageError(
      `there is no conflict about the item ${visible(shorten(item))}`,
      'assay review adjudicate NAME --all lists all of them',
    );
  if (ofField.length === 0)
    throw new UsageError(
      `nobody differs on ${visible(shorten(field))} of this item`,
      `people differ on ${[...new Set(ofItem.map((one) => one.field))].join(', ')}`,
    );
  throw new UsageError(
    part === '' ? 'which part of the question is decided?' : `nobody differs on the part ${visible(shorten(part))}`,
    `--part ${ofField.map((one) => one.part ?? '').join(', or --part ')}`,
  );
}

function adjudicatorOf(people: readonly ReviewPerson[], by: string | undefined): ReviewPerson {
  if (by !== undefined) return personNamed(people, by, 'adjudicator');
  const all = people.filter(({ role, revokedAt }) => role === 'adjudicator' && revokedAt === null);
  if (all.length === 1) return all[0]!;
  throw new UsageError(
    all.length === 0 ? 'this review has no adjudicator' : 'there are several adjudicators',
    all.length === 0
      ? 'assay review links NAME --adjudicator WHO adds one'
      : `give --by ${all.map(({ name }) => name).join(', or --by ')}`,
  );
}
