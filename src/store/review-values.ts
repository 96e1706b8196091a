import { sortedJson } from '../data/sorted-json.ts';
import { damaged, json, jsonCell, type Row } from './cells.ts';
import { COMMIT_FIELD, type CellValue, type ItemAnswer, type ReviewCell } from './review-records.ts';
import { StoreConflict } from './store-conflict.ts';

/** An answer for its column. JSON would make null of a number that is none, and null takes an answer back. */
export function valueColumn({ field, part, value }: ReviewCell): string | null {
  if (!isCellValue(value)) throw new StoreConflict('what was given is no answer: a text, a number, a tick or a list');
  if (field === COMMIT_FIELD && (part !== null || typeof value !== 'boolean'))
    throw new StoreConflict(`${COMMIT_FIELD} is true or false, and has no parts`);
  return jsonCell(value);
}

export function cellValue(row: Row): CellValue {
  const value = json(row, 'value');
  return isCellValue(value) ? value : damaged('value');
}

/** The order of keys is nobody's answer. */
export function isSameCell(one: ReviewCell, other: ReviewCell): boolean {
  return one.field === other.field && one.part === other.part && sortedJson(one.value) === sortedJson(other.value);
}

function isCellValue(value: unknown): value is CellValue {
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isItemAnswer);
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

function isItemAnswer(value: unknown): value is ItemAnswer {
  if (typeof value !== 'object' || value === null) return false;
  const { id, start, end, text, label, note, from }: Partial<Record<keyof ItemAnswer, unknown>> = value;
  return (
    typeof id === 'string' &&
    Number.isSafeInteger(start) &&
    Number.isSafeInteger(end) &&
    typeof text === 'string' &&
    (label === null || typeof label === 'string') &&
    (note === undefined || typeof note === 'string') &&
    Array.isArray(from) &&
    from.every((one) => typeof one === 'string')
  );
}
