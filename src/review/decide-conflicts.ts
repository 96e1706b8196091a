import { randomUUID } from 'node:crypto';

import { InputError, Problems, UsageError } from '../data/problems.ts';
import { sortedJson } from '../data/sorted-json.ts';
import { sourceOf } from '../data/named-files.ts';
import { shorten, visible } from '../data/visible.ts';
import type { CellValue, NewDecision, ReviewPerson } from '../store/review-records.ts';
import { type Conflict, conflictsOf, decisionFault, isAnAnswer } from './conflicts.ts';
import { personNamed } from './review-access.ts';
import { fieldOf, textFault } from './questions.ts';
import { spreadsheetRows } from './sheets/spreadsheet-rows.ts';
import { readSpreadsheetText } from './sheets/spreadsheet-text.ts';
import type { ReviewSnapshot } from './snapshot.ts';

export interface DecisionInput {
  readonly item: string;
  readonly field: string;
  readonly part: string;
  readonly value?: string | undefined;
  /** The number of one of the answers, instead of a value. */
  readonly answer?: number | undefined;
  readonly by: string | undefined;
  readonly because: string;
}

export interface ConflictDecision {
  readonly conflict: Conflict;
  readonly decision: NewDecision;
  /** Whether the conflict is decided so already, by the same person for the same reason. */
  readonly isHeld: boolean;
}

/** As a value, takes a decision back. */
export const OPEN_AGAIN = '[open]';
const LONGEST_REASON = 2000;

/** The decisions of a CSV file; all problems of the file at once. Rows without a value are left out. */
export async function decisionsInFile(
  snapshot: ReviewSnapshot,
  file: string,
  by: string | undefined,
): Promise<ConflictDecision[]> {
  const problems = new Problems();
  const source = sourceOf(file);
  const { columns, rows } = await spreadsheetRows(await readSpreadsheetText(source), source.name, problems);
  for (const column of ['item', 'field', 'value'])
    if (rows.length > 0 && !columns.includes(column))
      problems.add({ file: source.name, line: 1, field: 'header', message: `expected a column ${column}` });
  problems.throwIfAny();
  const conflicts = conflictsOf(snapshot);
  const decisions = rows.flatMap((row) => {
    const cell = (column: string): string => row.cell(column).trim();
    const [value, who] = [cell('value'), cell('by')];
    if (value === '') return [];
    const place = { item: cell('item'), field: cell('field'), part: cell('part') };
    const input = { ...place, value, by: who === '' ? by : who, because: cell('because') };
    try {
      return [makeDecision(snapshot, conflicts, input)];
    } catch (error) {
      if (!(error instanceof UsageError) || error instanceof InputError) throw error;
      const { message, next } = error;
      const at = { file: source.name, line: row.line, field: `row ${row.row}` };
      problems.add({ ...at, message, next: next ?? undefined });
      return [];
    }
  });
  problems.throwIfAny();
  return decisions;
}

export function makeDecision(
  { form, people }: ReviewSnapshot,
  conflicts: readonly Conflict[],
  input: DecisionInput,
): ConflictDecision {
  const conflict = conflictFor(conflicts, input);
  const { id: personId } = adjudicatorOf(people, input.by);
  const value = decidedValue(conflict, input, fieldOf(form, conflict.field)?.type);
  const valueFault = decisionFault(form, conflict, value);
  if (valueFault !== null) throw new UsageError(`this cannot be decided: ${valueFault}`);
  const because = input.because.trim();
  if (because.length > LONGEST_REASON)
    throw new UsageError(`the reason has ${because.length} characters, and ${LONGEST_REASON} are the most`);
  const fault = textFault(because, 'the reason');
  if (fault !== null) throw new UsageError(fault);
  if (value !== null && because === '' && !isAnAnswer(conflict, value))
    throw new UsageError('nobody gave this answer, so a reason is needed', 'give --because WHY');
  const { item, field, part, decision: held } = conflict;
  const isHeld =
    held === null
      ? value === null
      : sortedJson([held.value, held.because, held.personId]) === sortedJson([value, because, personId]);
  return { conflict, decision: { id: randomUUID(), itemId: item.id, field, part, value, personId, because }, isHeld };
}

function conflictFor(conflicts: readonly Conflict[], { item, field, part }: DecisionInput): Conflict {
  const ofItem = conflicts.filter((conflict) => conflict.item.id === item);
  const ofField = ofItem.filter((conflict) => conflict.field === field);
  const [match, another] = ofField.filter((conflict) => part === '' || conflict.part === part);
  if (match !== undefined && another === undefined) return match;
  if (ofItem.length === 0)
    throw new UsageError(
      `there is no conflict about the item ${visible(shorten(item))}`,
      'assay review adjudicate NAME --all lists all of them',
    );
  if (ofField.length === 0)
    throw new UsageError(
      `no answers differ on ${visible(shorten(field))} of this item`,
      `reviewers differ on ${[...new Set(ofItem.map((conflict) => conflict.field))].join(', ')}`,
    );
  throw new UsageError(
    part === '' ? 'which part of the question is decided?' : `no answers differ on the part ${visible(shorten(part))}`,
    `--part ${ofField.map((conflict) => conflict.part ?? '').join(', or --part ')}`,
  );
}

function adjudicatorOf(people: readonly ReviewPerson[], by: string | undefined): ReviewPerson {
  if (by !== undefined) return personNamed(people, by, 'adjudicator');
  const adjudicators = people.filter(({ role, revokedAt }) => role === 'adjudicator' && revokedAt === null);
  const [only] = adjudicators;
  if (only === undefined)
    throw new UsageError('this review has no adjudicator', 'assay review links NAME --adjudicator WHO adds one');
  if (adjudicators.length > 1)
    throw new UsageError(
      'there are several adjudicators',
      `give --by ${adjudicators.map(({ name }) => name).join(', or --by ')}`,
    );
  return only;
}

function decidedValue({ answers }: Conflict, { value, answer }: DecisionInput, type: string | undefined): CellValue {
  if (answer !== undefined) {
    const chosen = answers[answer - 1];
    if (chosen === undefined) throw new UsageError(`there is no answer ${answer}`, `expected 1 to ${answers.length}`);
    return chosen.value;
  }
  const text = value?.trim() ?? '';
  if (text === '') throw new UsageError('no value was given', 'give --value VALUE, or --answer NUMBER');
  if (text === OPEN_AGAIN) return null;
  if (type === 'scale') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (type === 'checklist' && /^(?:true|yes|1)$/i.test(text)) return true;
  if (type === 'checklist' && /^(?:false|no|0)$/i.test(text)) return false;
  return text;
}
