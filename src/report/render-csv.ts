/** Null and undefined are empty cells. */
type CsvValue = string | number | boolean | null | undefined;

/** A column of a CSV file, by its name, with its value for a row. */
export type CsvColumn<R> = readonly [name: string, value: (row: R) => CsvValue];

/** The rows as CSV under the names of the columns. */
export function renderCsv<R>(columns: readonly CsvColumn<R>[], rows: readonly R[]): string {
  const lines = [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, value]) => value(row)))];
  return `${lines.map((line) => line.map(cell).join(',')).join('\n')}\n`;
}

/** A text that a spreadsheet would take for a formula gets an apostrophe before it, as spreadsheets themselves do. */
function cell(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const isFormula = /^[=+@\t\r-]/.test(value) && !/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value);
  const text = isFormula ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
