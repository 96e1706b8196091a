import type { CsvRecord } from './csv-records.ts';
import { unguarded } from './spreadsheet-cells.ts';

/**
 * The records of a table, its header first, that were written with ' around texts instead of ", as LibreOffice can be told
 * to: a comma or a line break within a text has cut it into pieces, and other cells have moved. None where nothing has: a
 * text may begin and end with an apostrophe by itself.
 */
export function apostropheRows<T extends CsvRecord>(records: readonly T[]): T[] {
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
