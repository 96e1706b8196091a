import type { ItemsField } from '../../recipe/review-section.ts';
import { isAsWritten } from './as-written.ts';
import { readOption } from './cell-values.ts';
import type { ClaimPast } from './claim-past.ts';
import type { ClaimRow } from './claim-row.ts';
import { isClear, wordsIn } from './control-words.ts';
import { CLAIM_TEXT, LABEL, NOTE } from './sheet-columns.ts';

/** Whether a row says nothing but what stood in it when the sheet was written. */
export function isSilent(row: ClaimRow, id: string, past: ClaimPast): boolean {
  return isOld(row, LABEL, row.label) && isOld(row, NOTE, wordsIn(row.note)) && hasOldWords(row, id, past);
}

/** Whether all that a row says of a claim was said of it before. */
export function wasSaid(row: ClaimRow, id: string, past: ClaimPast, field: ItemsField): boolean {
  const { label, note, since } = row;
  const reading = isClear(label) ? { value: null } : readOption(field.labels, label);
  const value = 'value' in reading && reading.value !== null ? String(reading.value) : null;
  const words = isClear(note) ? '' : wordsIn(note);
  return (
    (isOld(row, LABEL, label) || ('value' in reading && past.hadLabel(id, value, since))) &&
    (isOld(row, NOTE, wordsIn(note)) || past.hadNote(id, words, since)) &&
    (hasOldWords(row, id, past) || past.hadWords(id, row.text, since))
  );
}

function isOld({ marks }: ClaimRow, column: string, words: string): boolean {
  return words === '' || isAsWritten(marks, column, words);
}

function hasOldWords(row: ClaimRow, id: string, past: ClaimPast): boolean {
  return isOld(row, CLAIM_TEXT, row.text) || past.beganWith(id, row.text, row.since);
}
