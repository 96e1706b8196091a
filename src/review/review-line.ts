import { spreadsheetCsv } from './sheets/spreadsheet-cells.ts';

/** One person's answer about one thing: the line in which reviews leave and enter Assay. */
export interface ReviewLine {
  readonly case_id: string;
  /** Null for what is asked of the case itself. */
  readonly system: string | null;
  readonly language: string | null;
  readonly reviewer: string;
  /** An adjudicator's line settles what the reviewers' lines leave open. A model's never counts among people's. */
  readonly role: 'reviewer' | 'adjudicator';
  readonly field: string;
  /** The dimension of a scale, the item of a checklist, the place `start-end` of a claim or span; null for a whole. */
  readonly part: string | null;
  /** A rating, a class, a tick (`na` where it does not apply), a label, a comment. */
  readonly value: string | number | boolean;
  /** The words of a claim or span. */
  readonly text: string | null;
  /** Why an adjudicator decided so. */
  readonly because: string | null;
  /** What a reviewer noted about a claim or span; not written to files. */
  readonly note?: string;
  /** ISO time, if it is known. */
  readonly at: string | null;
}

/** Its parts in the order in which they are written. */
export const LINE_PARTS = [
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

/** Always the same order of keys, so that the same reviews are the same bytes. */
export function orderedLine(line: ReviewLine): ReviewLine {
  const { case_id, system, language, reviewer, role, field, part, value, text, because, at } = line;
  return { case_id, system, language, reviewer, role, field, part, value, text, because, at };
}

/** Reviews for other tools: CSV that is safe to open in a spreadsheet, or JSONL. Both are read back by readReviewLines. */
export function writeReviewLines(lines: readonly ReviewLine[], format: 'csv' | 'jsonl'): string {
  if (format === 'jsonl') return lines.map((line) => `${JSON.stringify(orderedLine(line))}\n`).join('');
  return spreadsheetCsv(
    LINE_PARTS,
    lines.map((line) => LINE_PARTS.map((column) => String(line[column] ?? ''))),
  );
}
