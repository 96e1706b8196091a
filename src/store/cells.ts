import { UsageError } from '../data/problems.ts';
import { StoreConflict } from './store-conflict.ts';
import { shorten, visible } from '../data/visible.ts';

/** What is written to a column. */
export type Value = string | number | boolean | null | Uint8Array;

/** A row as SQLite gives it. */
export type StoreRow = Readonly<Record<string, unknown>>;

/** Deeper than anyone's data, and shallow enough that whatever was kept can be read, sorted and sent on without care. */
export const DEEPEST_JSON = 1000;

/** JSON text for a column; null and missing are the column's NULL. */
export function jsonCell(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  let made: string | undefined;
  try {
    made = JSON.stringify(value);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : notJson(value);
  }
  if (made === undefined) throw notJson(value);
  if (isDeeper(made, DEEPEST_JSON)) throw tooDeep();
  return made;
}

/** Whether lists and objects in this JSON text are nested deeper than that. */
export function isDeeper(source: string, most: number): boolean {
  // A level needs a bracket at both ends.
  if (source.length < 2 * most) return false;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === 0x22) isInText = !isInText;
    else if (isInText) at += code === 0x5c ? 1 : 0;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

function tooDeep(): StoreConflict {
  return new StoreConflict(`JSON nested deeper than ${DEEPEST_JSON} levels is not kept`);
}

function notJson(value: unknown): StoreConflict {
  return new StoreConflict(`a ${typeof value} was given that JSON cannot hold`);
}

export function text(row: StoreRow, column: string): string {
  return maybeText(row, column) ?? damagedCell(column);
}

export function maybeText(row: StoreRow, column: string): string | null {
  const cell = row[column];
  if (cell === null || typeof cell === 'string') return cell;
  return cell instanceof Uint8Array ? utf16Text(cell) : damagedCell(column);
}

/** Half a surrogate pair is no UTF-8: such a text is kept as the UTF-16 that it is. */
function utf16Text(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let found = '';
  for (let at = 0; at + 1 < bytes.length; at += 2) found += String.fromCharCode(view.getUint16(at, true));
  return found;
}

export function number(row: StoreRow, column: string): number {
  return maybeNumber(row, column) ?? damagedCell(column);
}

export function maybeNumber(row: StoreRow, column: string): number | null {
  const cell = row[column];
  // An integer beyond 2^53 is a bigint.
  return cell === null || (typeof cell === 'number' && Number.isFinite(cell)) ? cell : damagedCell(column);
}

/** A time as the store writes it; computing with any other would fail. */
export function timeText(row: StoreRow, column: string): string {
  return maybeTimeText(row, column) ?? damagedCell(column);
}

export function maybeTimeText(row: StoreRow, column: string): string | null {
  const cell = maybeText(row, column);
  return cell === null || (cell.length === 24 && !Number.isNaN(Date.parse(cell))) ? cell : damagedCell(column);
}

export function flag(row: StoreRow, column: string): boolean {
  return number(row, column) !== 0;
}

export function json(row: StoreRow, column: string): unknown {
  const cell = row[column];
  if (cell === null) return null;
  if (typeof cell !== 'string') return damagedCell(column);
  try {
    return JSON.parse(cell);
  } catch {
    return damagedCell(column);
  }
}

export function texts(row: StoreRow, column: string): readonly string[] {
  const list = json(row, column);
  return Array.isArray(list) && list.every((one) => typeof one === 'string') ? list : damagedCell(column);
}

/** One of these names. */
export function enumCell<const T extends string>(...names: readonly T[]): (row: StoreRow, column: string) => T {
  return (row, column) => {
    const cell = text(row, column);
    return names.find((name) => name === cell) ?? damagedCell(column);
  };
}

export function numbers(row: StoreRow, column: string): Readonly<Record<string, number>> {
  const found = json(row, column);
  return isNumbers(found) ? found : damagedCell(column);
}

function isNumbers(value: unknown): value is Readonly<Record<string, number>> {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'number');
}

/** A cell that holds what is never written there. */
export class DamagedCell extends UsageError {
  readonly column: string;

  constructor(column: string) {
    super(
      `the store is damaged: column ${column} holds what was never written there`,
      'put back a copy of store.db, or name another folder with --data',
    );
    this.column = column;
  }
}

export function damagedCell(column: string): never {
  throw new DamagedCell(column);
}

/** For what is shown beside something else, which is shown without it where it cannot be read. */
export function unlessDamaged<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedCell) return null;
    throw error;
  }
}

/** Thousands of rows are written within a millisecond of each other, and making the text takes longer than they do. */
let current = { at: Number.NaN, iso: '' };

export function now(): string {
  const at = Date.now();
  if (at !== current.at) current = { at, iso: new Date(at).toISOString() };
  return current.iso;
}

/**
 * A time as it is kept: in UTC, with milliseconds. Beyond the year 9999 the text would no longer sort by time.
 *
 * @example isoTime('2026-01-02T03:04:05+01:00') // '2026-01-02T02:04:05.000Z'
 */
export function isoTime(given: string): string {
  if (given === last.given) return last.iso;
  const time = new Date(given);
  const iso = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  if (iso.length === 24) {
    last = { given, iso };
    return iso;
  }
  throw new StoreConflict(`${visible(shorten(given))} is no time; expected one like 2026-01-31T12:00:00.000Z`);
}

/** The scores of a trace all have its time. */
let last = { given: '', iso: '' };

/** The next time that can be told from the given one. */
export function justAfter(time: string): string {
  return new Date(Date.parse(time) + 1).toISOString();
}

export function latest(...times: readonly (string | null)[]): string {
  return times.reduce<string>((most, time) => (time !== null && time > most ? time : most), '');
}
