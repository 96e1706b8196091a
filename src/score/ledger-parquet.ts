import { existsSync } from 'node:fs';

import { openParquetRows } from '../data/parquet-rows.ts';
import { InputError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { damaged, isLedgerRecord, type LedgerItem, type LedgerRecord } from './ledger.ts';
import type { TableCell, TableColumns } from './parquet-file.ts';

/** A ledger as a table: a row for each verdict, with what is nested as JSON text. */
export const LEDGER_COLUMNS = {
  case: 'text',
  scheme: 'text',
  kind: 'text',
  verdict: 'text',
  rule: 'text',
  label: 'text',
  similarity: 'number',
  credit: 'number',
  weight: 'number',
  match: 'text',
  gold_index: 'int',
  gold_label: 'text',
  gold_text: 'text',
  gold_start: 'int',
  gold_end: 'int',
  gold_more: 'text',
  predicted_index: 'int',
  predicted_label: 'text',
  predicted_text: 'text',
  predicted_start: 'int',
  predicted_end: 'int',
  predicted_more: 'text',
  attributes: 'text',
  because: 'text',
  set_aside: 'boolean',
  rejected_index: 'int',
  rejected_label: 'text',
  rejected_text: 'text',
  rejected_similarity: 'number',
  rejected_why: 'text',
  /** All of the verdict, where a column cannot hold its value: text with half a character, a huge index. */
  record: 'text',
} satisfies TableColumns;

/** A verdict as a row. Credit and weight always have a value: sums need no default. */
export function ledgerCells(given: LedgerRecord): TableCell[] {
  const { gold, predicted, attributes, rejected } = given;
  const cells = [
    given.case,
    given.scheme ?? null,
    given.kind,
    given.verdict,
    given.rule,
    given.label,
    given.similarity ?? null,
    given.credit ?? 1,
    given.weight ?? 1,
    given.match ?? null,
    ...itemCells(gold),
    ...itemCells(predicted),
    attributes === undefined ? null : JSON.stringify(attributes),
    given.because ?? null,
    given.setAside === true,
    rejected?.index ?? null,
    rejected?.label ?? null,
    rejected?.text ?? null,
    rejected?.similarity ?? null,
    rejected?.why ?? null,
    null,
  ];
  if (cells.every(isHeld)) return cells;
  const whole = JSON.stringify(given);
  return cells.map((cell, at) => (at === cells.length - 1 ? whole : isHeld(cell) ? cell : null));
}

function itemCells(item: LedgerItem | undefined): TableCell[] {
  if (item === undefined) return [null, null, null, null, null, null];
  const { index, label, text, start = null, end = null, ...more } = item;
  return [index, label, text, start, end, Object.keys(more).length === 0 ? null : JSON.stringify(more)];
}

const MOST_INT = 2 ** 31 - 1;

function isHeld(cell: TableCell): boolean {
  if (typeof cell === 'string') return cell.isWellFormed();
  return typeof cell !== 'number' || !Number.isInteger(cell) || Math.abs(cell) <= MOST_INT;
}

/** The verdicts of a Parquet ledger, in order; without `cases`, of all. */
export async function* readLedgerRows(path: string, cases?: ReadonlySet<string>): AsyncGenerator<LedgerRecord> {
  try {
    const table = await openParquetRows(path, path);
    for await (const rows of table.batches())
      for (const row of rows) if (cases === undefined || cases.has(String(row['case']))) yield recordOf(row, path);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw damaged(existsSync(path) ? error.message : `${path}: this file of the run is missing`);
  }
}

function recordOf(row: Readonly<Record<string, unknown>>, path: string): LedgerRecord {
  const record = typeof row['record'] === 'string' ? parsedCell(row, 'record', path) : recordFrom(row, path);
  if (isLedgerRecord(record)) return record;
  throw damaged(`${path}: a row of case ${JSON.stringify(row['case'])} is not a verdict`);
}

/** The keys in the order of a record. */
function recordFrom(row: Readonly<Record<string, unknown>>, path: string): object {
  const record: Record<string, unknown> = { case: row['case'] };
  const put = (key: string, value: unknown, absent: unknown = null): void => {
    if (value !== absent) record[key] = value;
  };
  put('scheme', row['scheme']);
  for (const key of ['kind', 'verdict', 'rule', 'label']) record[key] = row[key];
  put('similarity', row['similarity']);
  put('credit', row['credit'], 1);
  put('weight', row['weight'], 1);
  put('match', row['match']);
  put('gold', itemOf(row, 'gold', path));
  put('predicted', itemOf(row, 'predicted', path));
  put('attributes', parsedCell(row, 'attributes', path));
  put('because', row['because']);
  put('setAside', row['set_aside'], false);
  if (row['rejected_index'] !== null)
    record['rejected'] = {
      index: row['rejected_index'],
      label: row['rejected_label'],
      text: row['rejected_text'],
      similarity: row['rejected_similarity'],
      why: row['rejected_why'],
    };
  return record;
}

function itemOf(row: Readonly<Record<string, unknown>>, side: 'gold' | 'predicted', path: string): object | null {
  const index = row[`${side}_index`];
  if (index === null) return null;
  const [start, end] = [row[`${side}_start`], row[`${side}_end`]];
  const place = { ...(start === null ? {} : { start }), ...(end === null ? {} : { end }) };
  const more = parsedCell(row, `${side}_more`, path);
  return { index, label: row[`${side}_label`], text: row[`${side}_text`], ...place, ...(isRecord(more) ? more : {}) };
}

function parsedCell(row: Readonly<Record<string, unknown>>, name: string, path: string): unknown {
  const cell = row[name];
  if (typeof cell !== 'string') return null;
  try {
    return JSON.parse(cell);
  } catch {
    throw damaged(`${path}: a cell of ${name} is not JSON`);
  }
}
