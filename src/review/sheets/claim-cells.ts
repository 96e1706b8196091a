import { describe } from '../../data/record-fields.ts';
import { isFormulaError, isSameText, lostIn, spoiltBySaving, withPlainLineEnds } from './spreadsheet-damage.ts';
import type { ItemsField } from '../../recipe/review-section.ts';
import type { ItemAnswer } from '../../store/review-records.ts';
import { textFault } from '../cell-fault.ts';
import { isAsWritten } from './as-written.ts';
import { readOption } from './cell-values.ts';
import type { ClaimPast } from './claim-past.ts';
import type { Place } from './claim-places.ts';
import type { ClaimRow } from './claim-row.ts';
import { CLEAR, isClear, REMOVE, wordsIn } from './control-words.ts';
import { CLAIM_TEXT, LABEL, NOTE } from './sheet-columns.ts';
import type { SheetContext } from './sheet-context.ts';

/** Of one item: what may be done with its claims, and what was. */
export interface ClaimSetting {
  readonly context: SheetContext;
  readonly field: ItemsField;
  /** The text under review. */
  readonly under: string;
  readonly past: ClaimPast;
  /** Whether these are all places in the text, so that one more has to be one too. */
  readonly isPlaced: boolean;
}

type Act = ItemsField['allow'][number];
const DONE = { edit: 'edited', split: 'split', merge: 'merged', add: 'added', remove: 'removed' } as const;

export function allows({ context, field }: ClaimSetting, row: ClaimRow, act: Act, column: string): boolean {
  if (field.allow.includes(act)) return true;
  context.problem(row.at, column, `the form does not let these be ${DONE[act]}: the change is left out`);
  return false;
}

/** The words of a claim after a row, with their place. `isNew`: the row has made the claim, so that it may word it. */
export function wordsFor(
  setting: ClaimSetting,
  row: ClaimRow,
  { id, start, end, text }: ItemAnswer,
  isNew: boolean,
): Place & { readonly text: string } {
  const { context, field, under, past } = setting;
  const same = { start, end, text };
  if (row.text === '' || isSameText(text, row.text) || isAsWritten(row.marks, CLAIM_TEXT, row.text)) return same;
  if (past.beganWith(id, row.text, row.since)) return same;
  if (past.hadWords(id, row.text, row.since)) {
    context.keep(row.at, CLAIM_TEXT);
    return same;
  }
  const isFormula = isFormulaError(row.text);
  const damage = isFormula ? 'was taken for a formula' : spoiltBySaving(text, row.text);
  if (damage !== null) {
    const next = isFormula ? 'write them again, if others are meant' : 'save the sheet as UTF-8';
    context.problem(row.at, CLAIM_TEXT, `the text ${damage}: the claim keeps its words`, next);
    return same;
  }
  if (!isNew && !field.allow.includes('split') && !allows(setting, row, 'edit', CLAIM_TEXT)) return same;
  const words = withPlainLineEnds(row.text);
  const fault = textFault(words);
  if (fault !== null) {
    context.problem(row.at, CLAIM_TEXT, `${fault}: the claim keeps its words`);
    return same;
  }
  noticeLost(setting, row, CLAIM_TEXT, words);
  const within = start < 0 ? -1 : under.slice(start, end).indexOf(words);
  return within < 0
    ? { start, end, text: words }
    : { start: start + within, end: start + within + words.length, text: words };
}

export function labelFor({ context, field, past }: ClaimSetting, row: ClaimRow, claim: ItemAnswer): string | null {
  if (row.label === '') return claim.label;
  const reading = isClear(row.label) ? { value: null } : readOption(field.labels, row.label);
  if (!('value' in reading)) {
    const meant = [CLEAR, REMOVE].find((word) => word === `[${row.label.toLowerCase()}]`);
    context.problem(row.at, LABEL, reading.fault, meant === undefined ? reading.next : `did you mean ${meant}?`);
    return claim.label;
  }
  const value = reading.value === null ? null : String(reading.value);
  if (value === claim.label || isAsWritten(row.marks, LABEL, value)) return claim.label;
  if (!past.hadLabel(claim.id, value, row.since)) return value;
  context.keep(row.at, LABEL);
  return claim.label;
}

export function noteFor(setting: ClaimSetting, row: ClaimRow, claim: ItemAnswer): string | undefined {
  const { context, past } = setting;
  const before = claim.note ?? '';
  if (row.note === '') return claim.note;
  const note = isClear(row.note) ? '' : withPlainLineEnds(wordsIn(row.note));
  if (isSameText(before, note) || (note !== '' && isAsWritten(row.marks, NOTE, note))) return claim.note;
  if (past.hadNote(claim.id, note, row.since)) {
    context.keep(row.at, NOTE);
    return claim.note;
  }
  const damage = isFormulaError(note)
    ? `found ${describe(note)}: the words were taken for a formula`
    : spoiltBySaving(before, note);
  const fault = damage ?? textFault(note);
  if (fault !== null) {
    const isSpoilt = damage !== null && !isFormulaError(note);
    context.problem(row.at, NOTE, isSpoilt ? `the text ${fault}: the note keeps its words` : fault, nextFor(damage));
    return claim.note;
  }
  noticeLost(setting, row, NOTE, note);
  return note === '' ? undefined : note;
}

function nextFor(damage: string | null): string | undefined {
  return damage === null ? undefined : 'write them again';
}

function noticeLost({ context }: ClaimSetting, row: ClaimRow, column: string, words: string): void {
  const lost = lostIn(words);
  if (lost !== null) context.notice(row.at, column, `the text ${lost}`, 'mend it in the app, or in the sheet');
}
