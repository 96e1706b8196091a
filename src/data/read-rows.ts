import type { DataOptions } from './data-options.ts';
import type { Format, ReadContext, Role, Row } from './format.ts';
import { formatNamed, FORMATS } from './formats.ts';
import { jsonRows } from './json-rows.ts';
import { readJsonValues } from './json-values.ts';
import { type LineOptions, readLines } from './lines.ts';
import type { Problems } from './problems.ts';
import { describe } from './record-fields.ts';
import { OpenSource, type Source } from './source.ts';

/** What was read of a file, for the manifest. Complete once its rows have been read to the end. */
export interface ReadFile {
  readonly role: Role;
  readonly name: string;
  readonly path: string | null;
  readonly format: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
}

export interface RowReader {
  rows(): AsyncGenerator<Row[]>;
  done(): ReadFile;
}

/** Rows of one file, in its own format, detected unless named. Each id may come once. */
export function rowReader(source: Source, role: Role, options: DataOptions, problems: Problems): RowReader {
  const opened = new OpenSource(source);
  const context: ReadContext = { file: source.name, role, options, problems };
  let format = options.format === 'auto' ? null : formatNamed(options.format);
  let count = 0;

  async function* rows(): AsyncGenerator<Row[]> {
    const bytes = opened.bytes();
    const head = await bytes.next();
    if (head.done === true || isBlank(head.value)) {
      problems.add({ file: source.name, line: null, message: 'the file is empty, expected at least one record' });
      return;
    }
    const start = head.value.toString('utf8', 0, 65536).replace(/^\uFEFF/, '');
    format ??= detectTextFormat(start, source.name);
    const seen = new Set<string>();
    for await (const batch of openRows(startingWith(head.value, bytes), start)) {
      const fresh = batch.filter((row) => isFresh(row, seen));
      count += fresh.length;
      yield fresh;
    }
    if (count === 0 && problems.count === 0) {
      problems.add({ file: source.name, line: null, message: 'no record was found in this file' });
    }
  }

  function openRows(chunks: AsyncIterable<Buffer>, start: string): AsyncIterable<Row[]> {
    const lineOptions: LineOptions = { file: source.name, problems, maxBytes: options.maxRecordMiB * 1048576 };
    if (format?.kind === 'text') return format.read(readLines(chunks, lineOptions), context);
    if (format?.kind === 'bytes') return format.read(chunks, context);
    const first = start.trimStart()[0];
    const asValues = first === '[' || (first === '{' && /\.json(\.gz)?$/i.test(source.name));
    const records = asValues ? readJsonValues(chunks, lineOptions) : readLines(chunks, lineOptions);
    return jsonRows(records, format, context, (found) => {
      format = found;
    });
  }

  function isFresh(row: Row, seen: Set<string>): boolean {
    if (!seen.has(row.id)) {
      seen.add(row.id);
      return true;
    }
    problems.add({
      file: source.name,
      line: row.line,
      message: `the id ${describe(row.id)} was given before in this file`,
      next: 'one record per case is expected',
    });
    return false;
  }

  return {
    rows,
    done: () => ({
      role,
      name: source.name,
      path: source.path,
      format: format?.name ?? 'unknown',
      ...opened.digest(),
      rows: count,
    }),
  };
}

function isBlank(bytes: Buffer): boolean {
  return (
    bytes.length < 4096 &&
    bytes
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim() === ''
  );
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** A format of lines, by the file's name or else by how it begins; null for JSON. */
function detectTextFormat(start: string, name: string): Format | null {
  const plain = name.toLowerCase().replace(/\.gz$/, '');
  const character = start.trimStart()[0];
  for (const format of FORMATS) {
    if (format.kind !== 'json' && format.extensions.some((extension) => plain.endsWith(extension))) return format;
  }
  if (character === '{' || character === '[') return null;
  const lines = start.split(/\r?\n/).slice(0, 20);
  return FORMATS.find((format) => format.kind !== 'json' && format.detects(lines)) ?? null;
}
