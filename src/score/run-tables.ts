import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CaseResult, MeasureValue } from '../measure/results.ts';
import { LEDGER_COLUMNS, ledgerCells } from './ledger-parquet.ts';
import { ledgerFileOf } from './ledger-format.ts';
import { type TableCell, type TableColumns, openParquet } from './parquet-file.ts';
import { readCaseResults, readLedger } from './run-file.ts';
import type { Run } from './run.ts';

/** A row for each case. Its measures are further columns, by their names. */
const CASE_COLUMNS = {
  case: 'text',
  hit: 'number',
  missed: 'number',
  spurious: 'number',
  excused: 'number',
  failed: 'text',
  answered: 'boolean',
  from: 'text',
  cluster: 'text',
  slices: 'text',
} satisfies TableColumns;

/** A row for each measure, overall and by slice. */
const MEASURE_COLUMNS = {
  name: 'text',
  scheme: 'text',
  label: 'text',
  slice: 'text',
  value: 'number',
  n: 'number',
  units: 'int',
  low: 'number',
  high: 'number',
  level: 'number',
  method: 'text',
  direction: 'text',
  undefined: 'text',
  note: 'text',
} satisfies TableColumns;

/** The tables of a run as Parquet files in `folder`; a ledger that is one is left where it is. */
export async function writeRunTables(run: Run, folder: string): Promise<Readonly<Record<string, string>>> {
  const ledger = join(run.folder, ledgerFileOf(run.manifest));
  const measures = [...new Set(run.measures.measures.map(({ name }) => name))].filter(
    (name) => !(name in CASE_COLUMNS),
  );
  const caseColumns = { ...CASE_COLUMNS, ...Object.fromEntries(measures.map((name) => [name, 'number' as const])) };
  return {
    ledger: ledger.endsWith('.parquet')
      ? ledger
      : await writeTable(join(folder, 'ledger.parquet'), LEDGER_COLUMNS, readLedger(run.folder), ledgerCells),
    cases: await writeTable(join(folder, 'cases.parquet'), caseColumns, readCaseResults(run.folder), (result) => [
      ...caseCells(result),
      ...measures.map((name) => result.measures[name] ?? null),
    ]),
    measures: await writeTable(join(folder, 'measures.parquet'), MEASURE_COLUMNS, run.measures.measures, measureCells),
  };
}

async function writeTable<T>(
  file: string,
  columns: TableColumns,
  rows: Iterable<T> | AsyncIterable<T>,
  cells: (row: T) => readonly TableCell[],
): Promise<string> {
  const table = await openParquet(columns, (bytes) => writeFileSync(file, bytes, { flag: 'a' }));
  for await (const row of rows)
    table.add(cells(row).map((cell) => (typeof cell === 'string' ? cell.toWellFormed() : cell)));
  table.end();
  return file;
}

function caseCells({ case: id, counts, failed, answered = true, from, cluster, slices }: CaseResult): TableCell[] {
  const { hit, missed, spurious, excused } = counts;
  const sliced = slices === undefined ? null : JSON.stringify(slices);
  return [id, hit, missed, spurious, excused, failed ?? null, answered, from ?? null, cluster ?? null, sliced];
}

function measureCells({ name, slice, interval, direction, ...one }: MeasureValue): TableCell[] {
  const { low = null, high = null, level = null, method = null } = interval ?? {};
  const of = [name, slice['scheme'] ?? null, slice['label'] ?? null, JSON.stringify(slice)];
  return [...of, one.value, one.n, one.units, low, high, level, method, direction, one.undefined, one.note];
}
