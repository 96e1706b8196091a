import { hash } from 'node:crypto';

import { plainText } from '../../data/spreadsheet-damage.ts';
import type { CellValue } from '../../store/review-records.ts';

const CHARACTERS = 7;

/**
 * Marks for the answers that stood in a row when the sheet was written. A cell that still says the same was left alone,
 * and must not undo what the person has changed in the app since.
 */
export function marksFor(answers: Iterable<readonly [column: string, value: CellValue]>): string {
  return [...answers].flatMap(([column, value]) => (value === null ? [] : [markOf(column, value)])).join(' ');
}

export function isAsWritten(marks: string, column: string, value: CellValue): boolean {
  return value !== null && marks.split(/\s+/).includes(markOf(column, value));
}

/** A letter first, that no spreadsheet takes it for a number. */
function markOf(column: string, value: CellValue): string {
  const plain = typeof value === 'string' ? plainText(value) : value;
  return `m${hash('sha256', JSON.stringify([column, plain])).slice(0, CHARACTERS)}`;
}
