import type { CsvRecord } from '../../data/csv-records.ts';
import { InputError, type Problem, type Problems } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { Records } from '../../data/records.ts';
import { memorySource } from '../../data/source.ts';
import { unguarded } from './spreadsheet-cells.ts';

export interface SpreadsheetRow {
  /** The line of the file; quoted line breaks make it differ from the row. */
  readonly line: number;
  /** As the spreadsheet counts, the header being the first. */
  readonly row: number;
  /** By the name of the column; '' where the cell is empty or not there. */
  cell(column: string): string;
}

export interface SpreadsheetTable {
  readonly file: string;
  readonly columns: readonly string[];
  readonly rows: readonly SpreadsheetRow[];
}

/** The first line that sets the delimiter for Excel; a spreadsheet that does not know it fills it up to a row. */
const SEPARATOR = /^"?sep=(.)"?[,;\t]*(?=\r|\n|$)/i;

/**
 * The rows of a table with , ; or tab between its cells, whatever its line ends. What spreadsheets leave behind a table
 * (rows and columns of nothing) is dropped; what is wrong is noted, and the rest is read.
 */
export async function spreadsheetRows(text: string, file: string, problems: Problems): Promise<SpreadsheetTable> {
  const { records, breaks } = await recordsOf(text, file, problems);
  const header = records.shift();
  if (header === undefined) {
    for (const problem of breaks) problems.add(problem);
    if (problems.count === 0)
      problems.add({ file, line: null, message: 'the file is empty, expected a header and rows below it' });
    return { file, columns: [], rows: [] };
  }
  const names = header.cells.map((cell) => unguarded(cell.trim()));
  const broken = new Set(apostropheRows([header, ...records]));
  noteApostrophes([...broken], broken.has(header), file, problems);
  for (const problem of breaks) problems.add(problem);
  if (broken.has(header)) return { file, columns: [], rows: [] };
  const whole = records.filter((record) => !broken.has(record));
  const places = placesOf(names, whole, { file, line: header.line, problems });
  const rows: SpreadsheetRow[] = [];
  for (const { cells, line, row } of whole) {
    const beyond = cells.findIndex((cell, at) => at >= names.length && cell.trim() !== '');
    if (beyond >= 0)
      problems.add({
        file,
        line,
        field: `row ${row}`,
        message: `expected ${names.length} cells as in the header, found ${describe(cells[beyond])} behind them; the row is left out`,
        next: 'put a cell that holds the delimiter or a line break in quotes',
      });
    else
      rows.push({
        line,
        row,
        cell: (column) => {
          const at = places.get(column);
          return at === undefined ? '' : unguarded(cells[at] ?? '');
        },
      });
  }
  return { file, columns: [...places.keys()], rows };
}

interface NumberedRecord extends CsvRecord {
  readonly row: number;
}

/** Named once: all such rows have the same cause, and the same cure. */
function noteApostrophes(rows: readonly CsvRecord[], isAll: boolean, file: string, problems: Problems): void {
  const [first] = rows;
  if (first === undefined) return;
  const lost = rows.length === 1 ? 'this row is left out' : `${rows.length} rows from here on are left out`;
  problems.add({
    file,
    line: first.line,
    message: `the delimiter of texts is ' instead of ", which cuts them into pieces: ${isAll ? 'nothing can be read' : lost}`,
    next: 'save it again with " as the delimiter of texts',
  });
}

interface ReadRecords {
  readonly records: NumberedRecord[];
  /** What broke the reading off, where something did. */
  readonly breaks: readonly Problem[];
}

/** All that can be read, also where something breaks it off. */
async function recordsOf(text: string, file: string, problems: Problems): Promise<ReadRecords> {
  const separator = SEPARATOR.exec(text);
  if (separator !== null && !/[,;\t]/.test(separator[1]!))
    problems.add({
      file,
      line: 1,
      message: `the first line sets ${describe(separator[1])} as the delimiter, expected a comma, a semicolon or a tab`,
      next: 'save it again with one of these',
    });
  // A blank line in its place keeps the count of lines.
  const body = separator === null ? text : text.slice(separator[0].length);
  const records: NumberedRecord[] = [];
  let row = 0;
  try {
    for await (const batch of new Records(memorySource(file, body), { problems }).rows())
      for (const record of batch) {
        row += 1;
        if (record.cells.some((cell) => cell.trim() !== '')) records.push({ ...record, row });
      }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { records, breaks: error.problems };
  }
  return { records, breaks: [] };
}

interface HeaderContext {
  readonly file: string;
  readonly line: number;
  readonly problems: Problems;
}

/** Where each name stands. A name that stands twice is left out, unless the columns say the same. */
function placesOf(
  names: readonly string[],
  records: readonly CsvRecord[],
  { file, line, problems }: HeaderContext,
): Map<string, number> {
  const places = new Map<string, number>();
  const twice = new Set<string>();
  names.forEach((name, at) => {
    if (name === '') {
      const filled = records.find(({ cells }) => (cells[at] ?? '').trim() !== '');
      if (filled !== undefined)
        problems.add({
          file,
          line,
          field: `column ${at + 1}`,
          message: `it has no name, but holds ${describe(filled.cells[at])} (line ${filled.line}); it is left out`,
          next: 'name it in the header, or empty it',
        });
      return;
    }
    const before = places.get(name);
    if (before === undefined) places.set(name, at);
    else if (records.some(({ cells }) => (cells[before] ?? '') !== (cells[at] ?? ''))) twice.add(name);
  });
  for (const name of twice) {
    places.delete(name);
    problems.add({
      file,
      line,
      field: 'header',
      message: `expected each column name once, found ${describe(name)} again with other cells; both are left out`,
      next: 'remove or rename one of them',
    });
  }
  return places;
}

/**
 * The records of a table, its header first, that were written with ' around texts instead of ", as LibreOffice can be told
 * to: a comma or a line break within a text has cut it into pieces, and other cells have moved. None if nothing has: a
 * text may begin and end with an apostrophe by itself.
 */
function apostropheRows<T extends CsvRecord>(records: readonly T[]): T[] {
  const [header, ...rows] = records;
  if (header === undefined) return [];
  const names = header.cells.filter((cell) => cell.trim() !== '');
  if (names.length > 1 && names.every((name) => opens(name) && closes(name))) return [...records];
  const width = header.cells.length;
  const isCut = rows.some(({ cells }, at) => isInPieces(cells, width) || goesOn(cells, rows[at + 1]?.cells, width));
  return isCut
    ? rows.filter(({ cells }) => cells.length !== width || cells.some((cell) => opens(cell) || closes(cell)))
    : [];
}

/** More cells than the header has, one of which begins with an apostrophe and a later one ends with one. */
function isInPieces(cells: readonly string[], width: number): boolean {
  const from = cells.length > width ? cells.findIndex((cell) => opens(cell) && !closes(cell)) : -1;
  return from >= 0 && cells.some((cell, at) => at > from && closes(cell) && !opens(cell));
}

/** A row that breaks off in a text, which the next one ends. */
function goesOn(cells: readonly string[], next: readonly string[] | undefined, width: number): boolean {
  const last = cells.at(-1) ?? '';
  if (cells.length >= width || next?.length === width || !opens(last) || closes(last)) return false;
  const end = next?.find((cell) => opens(cell) || closes(cell));
  return end !== undefined && closes(end) && !opens(end);
}

/** The apostrophe before a formula is our own. */
function opens(cell: string): boolean {
  return cell.startsWith("'") && unguarded(cell) === cell;
}

function closes(cell: string): boolean {
  return cell.length > 1 && cell.endsWith("'");
}
