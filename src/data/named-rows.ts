import { startingWith, takeHead } from './chunks.ts';
import { csvRecords } from './formats/csv-records.ts';
import { refuseForeign } from './foreign-bytes.ts';
import { FAILED, parseRecord } from './json-record.ts';
import { readJsonValues } from './json-values.ts';
import { readLines, type TextRecord } from './lines.ts';
import { InputError, Problems } from './problems.ts';
import { describe, isRecord } from './record-fields.ts';
import { OpenSource, type Source } from './source.ts';
import { byteOrderMarkLength } from './utf8.ts';

/** One row of a table or one JSON object: values by name. */
export interface NamedRow {
  readonly line: number;
  readonly values: ReadonlyMap<string, unknown>;
}

/** A table whose beginning has been looked at. To be read once, as rows or, by another reader, as bytes. */
export interface OpenTable {
  readonly kind: 'csv' | 'json';
  /** The columns of the table, or the fields of the first object. */
  readonly names: readonly string[];
  rows(problems: Problems): Promise<{ readonly columns: readonly string[]; readonly rows: readonly NamedRow[] }>;
  /** The same bytes from their beginning, for another reader. */
  asSource(): Source;
  /** Once all has been read. */
  digest(): { readonly sha256: string; readonly bytes: number };
}

const HEAD_BYTES = 65536;
const MAX_RECORD = 64 * 1048576;

/** Opens CSV or JSON records, unpacked, and finds out what they are called; what is neither is refused. */
export async function openTable(source: Source): Promise<OpenTable> {
  const file = source.name;
  const opened = new OpenSource(source);
  const bytes = opened.bytes();
  const head = await takeHead(bytes, HEAD_BYTES);
  const begin = head === null ? 0 : byteOrderMarkLength(head);
  const start = head?.toString('utf8', begin, begin + HEAD_BYTES) ?? '';
  if (head === null || start.trim() === '') {
    await bytes.return(undefined);
    throw new InputError([{ file, line: null, message: 'the file is empty, expected a table or JSON records' }]);
  }
  refuseForeign(head, file);
  const body = startingWith(head.subarray(begin), bytes);
  const kind = /^\s*[[{]/.test(start) ? 'json' : 'csv';
  const { held, names, failure } =
    kind === 'csv' ? { held: [], names: headerNames(start), failure: null } : await firstFields(body, start, file);
  async function* again(): AsyncGenerator<Buffer> {
    yield* held;
    if (failure !== null) throw failure;
    yield* body;
  }
  return {
    kind,
    names,
    rows: (problems) => (kind === 'csv' ? csvRows(again(), file, problems) : jsonRows(again(), start, file, problems)),
    asSource: () => ({ name: file, path: source.path, open: again }),
    digest: () => opened.digest(),
  };
}

/** Names of a header as far as they are needed to tell what a table is. */
function headerNames(start: string): string[] {
  const line = /[^\r\n]+/.exec(start)?.[0] ?? '';
  return line.split(/[,;\t]/).map((name) => name.trim().replaceAll(/^"|"$/g, ''));
}

/** What had to be read to see the first object: the bytes, its fields, and what broke the reading off. */
interface Seen {
  readonly held: readonly Buffer[];
  readonly names: readonly string[];
  readonly failure: Error | null;
}

async function firstFields(body: AsyncGenerator<Buffer>, start: string, file: string): Promise<Seen> {
  const held: Buffer[] = [];
  let failure: Error | null = null;
  // Without for-await, which would close the body when the first record has been seen.
  async function* noted(): AsyncGenerator<Buffer> {
    try {
      for (let next = await body.next(); next.done !== true; next = await body.next()) {
        held.push(next.value);
        yield next.value;
      }
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
  }
  // What is wrong with the records is said when the rows are read.
  const unheard = new Problems();
  try {
    for await (const batch of jsonRecords(noted(), start, file, unheard)) {
      for (const record of batch) {
        const value = parseRecord(record, file, unheard);
        if (isRecord(value)) return { held, names: Object.keys(value), failure };
      }
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  return { held, names: [], failure };
}

function jsonRecords(
  chunks: AsyncIterable<Buffer>,
  start: string,
  file: string,
  problems: Problems,
): AsyncGenerator<TextRecord[]> {
  const isOneValue = /^\s*\[/.test(start) || /^\s*\{[ \t]*\r?\n/.test(start) || /\.json(?:\.gz)?$/i.test(file);
  const options = { file, problems, maxBytes: MAX_RECORD };
  return isOneValue ? readJsonValues(chunks, options) : readLines(chunks, options);
}

type Rows = Awaited<ReturnType<OpenTable['rows']>>;

async function jsonRows(chunks: AsyncIterable<Buffer>, start: string, file: string, problems: Problems): Promise<Rows> {
  const columns = new Set<string>();
  const rows: NamedRow[] = [];
  for await (const batch of jsonRecords(chunks, start, file, problems)) {
    for (const record of batch) {
      const value = parseRecord(record, file, problems);
      if (value === FAILED) continue;
      if (!isRecord(value)) {
        problems.add({ file, line: record.line, message: `expected a JSON object, found ${describe(value)}` });
        continue;
      }
      const values = new Map(Object.entries(value));
      for (const name of values.keys()) columns.add(name);
      rows.push({ line: record.line, values });
    }
  }
  return { columns: [...columns], rows };
}

async function csvRows(chunks: AsyncIterable<Buffer>, file: string, problems: Problems): Promise<Rows> {
  let columns: string[] | null = null;
  const rows: NamedRow[] = [];
  for await (const batch of csvRecords(chunks, file, MAX_RECORD)) {
    for (const { cells, line } of batch) {
      if (columns === null) {
        columns = cells.map((cell) => cell.trim());
        refuseRepeated(columns, line, file, problems);
        continue;
      }
      if (cells.length !== columns.length)
        problems.add({
          file,
          line,
          field: 'row',
          message: `expected ${columns.length} cells as in the header, found ${cells.length}`,
        });
      else rows.push({ line, values: byName(columns, cells) });
    }
  }
  return { columns: columns ?? [], rows };
}

/** Of several columns without a name the first counts: an index in front, not what a spreadsheet left behind the table. */
function byName(columns: readonly string[], cells: readonly string[]): Map<string, unknown> {
  const values = new Map<string, unknown>();
  columns.forEach((name, at) => {
    if (!values.has(name)) values.set(name, cells[at]);
  });
  return values;
}

function refuseRepeated(columns: readonly string[], line: number, file: string, problems: Problems): void {
  columns.forEach((name, at) => {
    if (name !== '' && columns.indexOf(name) !== at)
      problems.add({
        file,
        line,
        field: 'header',
        message: `expected each column name once, found ${describe(name)} again`,
      });
  });
}
