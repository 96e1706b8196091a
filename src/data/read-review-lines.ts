import { Problems } from './problems.ts';
import type { ReviewLine } from './review-line.ts';
import { lineLayout, type LineOptions } from './review-lines-columns.ts';
import { type LineRow, linesOfRow, type PlacedLine } from './review-lines-rows.ts';
import { readTable } from './records.ts';
import { memorySource, type Source } from './source.ts';
import { spreadsheetRows } from './spreadsheet-rows.ts';
import { readSpreadsheetText } from './spreadsheet-text.ts';

export type { LineFault, LineForm, LineOptions as ReviewLineOptions, LineQuestion } from './review-lines-columns.ts';

/**
 * Reviews from files: a line for each answer (CSV, JSONL or a JSON array), or a table with a column for each question,
 * or one with a column for each expert. CSV may be as any spreadsheet saved it. All that is wrong is thrown at once.
 */
export async function readReviewLines(sources: readonly Source[], options: LineOptions = {}): Promise<ReviewLine[]> {
  const problems = new Problems();
  const lines: PlacedLine[] = [];
  for (const source of sources) {
    try {
      for (const line of await linesOf(source, options, problems)) lines.push(line);
    } catch (error) {
      // This file cannot be read on; the problems of the others belong to the same message.
      problems.addThrown(error);
    }
  }
  const once = eachOnce(lines, problems);
  problems.throwIfAny();
  return once;
}

interface LineTable {
  readonly isTable: boolean;
  readonly columns: readonly string[];
  readonly rows: readonly LineRow[];
}

async function linesOf(source: Source, options: LineOptions, problems: Problems): Promise<PlacedLine[]> {
  const file = source.name;
  const own = new Problems(problems);
  const { columns, rows, isTable } = await open(await readSpreadsheetText(source), file, own);
  const layout = columns.length === 0 ? null : lineLayout(columns, file, options, own);
  if (layout === null) {
    if (own.count === 0) own.add({ file, line: null, message: 'no review was found in this file' });
    return [];
  }
  const { form, classField } = options;
  return rows.flatMap((row) => linesOfRow(row, { file, layout, isTable, form, classField, problems: own }));
}

async function open(text: string, file: string, problems: Problems): Promise<LineTable> {
  if (/^\s*[[{]/.test(text)) {
    const { columns, rows } = await readTable(memorySource(file, text), problems);
    return {
      isTable: false,
      columns,
      rows: rows.map(({ line, values }) => ({ line, value: (column) => values.get(column) })),
    };
  }
  const { columns, rows } = await spreadsheetRows(text, file, problems);
  return {
    isTable: true,
    columns,
    rows: rows.map((row) => ({ line: row.line, value: (column) => row.cell(column) })),
  };
}

/** The same answer twice is one; two different ones by the same person to the same question are a mistake. */
function eachOnce(lines: readonly PlacedLine[], problems: Problems): ReviewLine[] {
  const seen = new Map<string, PlacedLine>();
  for (const placed of lines) {
    const { case_id, system, language, reviewer, role, field, part, text, value } = placed.line;
    const key = JSON.stringify([case_id, system, language, reviewer, role, field, part, text]);
    const before = seen.get(key);
    if (before === undefined) seen.set(key, placed);
    else if (before.line.value !== value)
      problems.add({
        ...placed.place,
        message: `the same question was given another answer before (${before.place.file}, line ${before.place.line ?? 1})`,
        next: 'keep one of them',
      });
  }
  return [...seen.values()].map(({ line }) => line);
}
