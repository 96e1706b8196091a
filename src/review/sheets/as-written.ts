import { hash } from 'node:crypto';

import { plainText } from './spreadsheet-damage.ts';
import type { CellValue } from '../../store/review-records.ts';

const CHARACTERS = 7;
const VERSION = /(?:^|\s)v(\d{1,15})(?=\s|$)/i;

/**
 * Marks for the answers that stood in a row when the sheet was written, and the version of the item then. A cell that
 * is still the same was left alone, and must not undo what the person has changed in the app since.
 */
export function marksFor(version: number, answers: Iterable<readonly [column: string, value: CellValue]>): string {
  const marks = [...answers].flatMap(([column, value]) => (value === null ? [] : [markOf(column, value)]));
  return [...marks, `v${version}`].join(' ');
}

export function isAsWritten(marks: string, column: string, value: CellValue): boolean {
  return value !== null && marks.split(/\s+/).includes(markOf(column, value));
}

/** The version of the item when the row was written; null if nobody can tell. */
export function versionIn(marks: string): number | null {
  const found = VERSION.exec(marks);
  return found === null ? null : Number(found[1]);
}

/** A letter first, that no spreadsheet takes it for a number. */
function markOf(column: string, value: CellValue): string {
  const plain = typeof value === 'string' ? plainText(value) : value;
  return `m${hash('sha256', JSON.stringify([column, plain])).slice(0, CHARACTERS)}`;
}
