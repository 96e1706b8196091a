import type { ReviewLine } from './review-line.ts';
import { orderedLine } from './review-lines-rows.ts';
import { spreadsheetCsv } from './spreadsheet-cells.ts';

const COLUMNS = [
  'case_id',
  'system',
  'language',
  'reviewer',
  'role',
  'field',
  'part',
  'value',
  'text',
  'because',
  'at',
] as const satisfies readonly (keyof ReviewLine)[];

/** Reviews for other tools: CSV that is safe to open in a spreadsheet, or JSONL. Both are read back by readReviewLines. */
export function writeReviewLines(lines: readonly ReviewLine[], format: 'csv' | 'jsonl'): string {
  if (format === 'jsonl') return lines.map((line) => `${JSON.stringify(orderedLine(line))}\n`).join('');
  return spreadsheetCsv(
    COLUMNS,
    lines.map((line) => COLUMNS.map((column) => String(line[column] ?? ''))),
  );
}
