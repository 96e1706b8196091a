import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { errorCode } from '../data/source.ts';
import { shorten } from '../data/visible.ts';
import { readRun } from './run-file.ts';
import { writeRunTables } from './run-tables.ts';

const PACKAGE = '@duckdb/node-api';

/** The result of a query: numbers as numbers as far as JavaScript has them. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** What runs SQL: statements that load tables, then the query of the user, with nothing of the machine in reach. */
type RunSql = (load: readonly string[], query: string) => Promise<QueryResult>;

/**
 * Asks a run folder in SQL, through DuckDB: tables `ledger` (a row for each verdict), `cases` and `measures`. They are
 * loaded into memory first, so the query cannot read or write files, reach the network or load extensions.
 */
export async function queryRun(folder: string, query: string, workingFolder = process.cwd()): Promise<QueryResult> {
  const runSql = (await packageIn(workingFolder)) ?? (await program());
  if (runSql === null)
    throw new UsageError('assay query needs DuckDB, which is not installed', `npm install ${PACKAGE}`);
  const run = await readRun(folder);
  const aside = await mkdtemp(join(tmpdir(), 'assay-query-'));
  try {
    const tables = Object.entries(await writeRunTables(run, aside));
    const load = tables.map(([name, file]) => `create table ${name} as from read_parquet(${sqlText(file)})`);
    return await runSql([...limits(join(aside, 'spilled')), ...load], query);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

const MOST_MEMORY = 2 ** 31;
const MOST_SPILLED = '16GB';

/**
 * DuckDB reads and writes its temporary folder even if all other access is off (seen with 1.5). Its default is `.tmp` in
 * the working folder, which may hold files of others.
 */
function limits(folder: string): string[] {
  const memory = Math.min(MOST_MEMORY, Math.ceil(process.availableMemory() / 2));
  return [
    `set temp_directory = ${sqlText(folder)}`,
    `set max_temp_directory_size = '${MOST_SPILLED}'`,
    `set memory_limit = '${memory}B'`,
  ];
}

const LOCK = ['set enable_external_access = false', 'set lock_configuration = true'];

function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The part of the package that is used here. */
interface DuckDb {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection>; closeSync?(): void }> };
}
interface Connection {
  runAndReadAll(sql: string): Promise<{
    columnNames(): string[];
    columnTypes(): unknown[];
    getRowsJson(): unknown[][];
  }>;
  closeSync?(): void;
}

function isDuckDb(loaded: unknown): loaded is DuckDb {
  return typeof loaded === 'object' && loaded !== null && 'DuckDBInstance' in loaded;
}

/** The package as the user has installed it, in the working folder or beside Assay. */
async function packageIn(workingFolder: string): Promise<RunSql | null> {
  for (const from of [join(workingFolder, 'package.json'), import.meta.url]) {
    let place: string;
    try {
      place = createRequire(from).resolve(PACKAGE);
    } catch {
      continue;
    }
    const loaded: unknown = await import(pathToFileURL(place).href);
    if (isDuckDb(loaded)) return (load, query) => runInside(loaded, load, query);
  }
  return null;
}

async function runInside({ DuckDBInstance }: DuckDb, load: readonly string[], query: string): Promise<QueryResult> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    for (const statement of [...load, ...LOCK]) await connection.runAndReadAll(statement).catch(refuseTable);
    const result = await connection.runAndReadAll(query).catch(refuse);
    const isLong = result.columnTypes().map((type) => /^(?:U?(?:BIG|HUGE)INT|DECIMAL)/.test(String(type)));
    const rows = result.getRowsJson().map((row) => row.map((cell, at) => (isLong[at] ? numberOf(cell) : cell)));
    return { columns: result.columnNames(), rows };
  } finally {
    connection.closeSync?.();
    instance.closeSync?.();
  }
}

/** DuckDB hands on long numbers as text. */
function numberOf(cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  const value = Number(cell);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? cell : value;
}

/** The command line program. Lines that begin with a dot are its own commands, which can start others. */
async function program(): Promise<RunSql | null> {
  const run = promisify(execFile);
  const isThere = await run('duckdb', ['--version']).then(
    () => true,
    () => false,
  );
  if (!isThere) return null;
  return async (load, query) => {
    if (/^\s*\./m.test(query)) throw new UsageError('a line of the query begins with a dot', 'write SQL only');
    const statements = [...load, ...LOCK].map((statement) => `${statement};`).join('\n');
    const args = ['-init', devNull, '-bail', '-json', '-cmd', statements, '-c', query, ':memory:'];
    const { stdout } = await run('duckdb', args, { maxBuffer: 1 << 28 }).catch(refuse);
    // What loading the tables may have printed is before it.
    const last = stdout.slice(stdout.lastIndexOf('\n[') + 1).trim();
    const rows: unknown = JSON.parse(last === '' ? '[]' : last);
    const objects = Array.isArray(rows) ? rows.filter(isRecord) : [];
    const columns = Object.keys(objects[0] ?? {});
    return { columns, rows: objects.map((row) => columns.map((name) => row[name])) };
  };
}

/** DuckDB reads a ledger that is a Parquet file as it is: where that is damaged, loading fails in many ways. */
function refuseTable(error: unknown): never {
  const [reason = ''] = errorCode(error).split('\n');
  throw new UsageError(
    `DuckDB cannot load the run (${shorten(reason)})`,
    'if the ledger is damaged, score the cases again',
  );
}

function refuse(error: unknown): never {
  const message = isRecord(error) && typeof error['stderr'] === 'string' ? error['stderr'] : errorCode(error);
  throw new UsageError(
    message.trim().replaceAll(/\s+/g, ' '),
    'the tables are ledger, cases and measures: DESCRIBE ledger lists the columns',
  );
}
