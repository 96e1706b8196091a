import { LINE_PARTS, type ReviewLine } from './review-line.ts';
import { orderedLine } from './review-lines-rows.ts';
import { spreadsheetCsv } from './spreadsheet-cells.ts';

/** Reviews for other tools: CSV that is safe to open in a spreadsheet, or JSONL. Both are read back by readReviewLines. */
export function writeReviewLines(lines: readonly ReviewLine[], format: 'csv' | 'jsonl'): string {
  if (format === 'jsonl') return lines.map((line) => `${JSON.stringify(orderedLine(line))}\n`).join('');
  return spreadsheetCsv(
    LINE_PARTS,
    lines.map((line) => LINE_PARTS.map((column) => String(line[column] ?? ''))),
  );
}
