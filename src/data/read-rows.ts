import { isUtf8 } from 'node:buffer';
import { stat } from 'node:fs/promises';

import type { Format, JsonFormat, ReadContext, ReadOptions, Role, Row } from './format.ts';
import { formatNamed, formatOfFile, formatOfRecord, misfit, unknownRecord } from './formats.ts';
import { spans } from './formats/spans.ts';
import type { Fields } from './item.ts';
import { InputError, Problems } from './problems.ts';
import { describe, failureOf, isRecord } from './record-fields.ts';
import { Records } from './records.ts';
import { makeSpanCase, type SpanCase } from './span-case.ts';
import { SpanScanner } from './span-scanner.ts';
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
  /** The ids read so far. */
  ids(): ReadonlySet<string>;
  /** Whether some of the file could not be read, so that what is missing from it means nothing. */
  isBroken(): boolean;
  done(): ReadFile;
}

/** Rows of one file, in its own format, detected unless named. Each id may come once. */
export function rowReader(source: Source, role: Role, options: ReadOptions, problems: Problems): RowReader {
  const own = new Problems(problems);
  const records = new Records(source, {
    problems: own,
    maxBytes: options.maxRecordMiB * 1048576,
    lines: options.lines,
  });
  const file = source.name;
  const context = { file, role, options, problems: own };
  const seen = new Set<string>();
  let format = options.format === 'auto' ? null : formatNamed(options.format, options.formats);

  async function* rows(start: string): AsyncGenerator<Row[]> {
    format = formatOfFile(start, file, format) ?? formatOfFirst(start, options);
    const found =
      format?.kind === 'text'
        ? format.read(records, context)
        : jsonRows(records, format, context, (known) => {
            format = known;
          });
    for await (const batch of found) yield batch.filter(isFresh);
  }

  function isFresh(row: Row): boolean {
    if (!seen.has(row.id)) {
      seen.add(row.id);
      return true;
    }
    problems.add({
      file,
      line: row.line,
      message: `the id ${describe(row.id)} was given before in this file`,
      next: 'one record per case is expected',
    });
    return false;
  }

  return {
    rows: () => records.whole(rows),
    ids: () => seen,
    isBroken: () => own.count > 0,
    done: () => {
      const { sha256, bytes } = records.digest();
      return { role, name: file, path: source.path, format: format?.name ?? 'unknown', sha256, bytes, rows: seen.size };
    },
  };
}

/** How many bytes a file with a JSON record a line has, decompressed; null for any other file. */
export async function bytesOfLines(source: Source, options: ReadOptions): Promise<number | null> {
  const records = new Records(source, { problems: new Problems() });
  try {
    const start = (await records.start())?.text ?? '';
    const named = options.format === 'auto' ? null : formatNamed(options.format, options.formats);
    if (formatOfFile(start, source.name, named)?.kind === 'text' || !(await records.isByLine())) return null;
  } catch (error) {
    // What is wrong with it is reported when it is read.
    if (error instanceof InputError) return null;
    throw error;
  } finally {
    await records.close();
  }
  const size = source.path === null || /\.gz$/i.test(source.name) ? null : await stat(source.path).catch(() => null);
  if (size !== null) return size.size;
  let bytes = 0;
  for await (const chunk of new OpenSource(source).bytes()) bytes += chunk.length;
  return bytes;
}

/** The shape of the first record, where it is one line and no failure; others are found out as they are read. */
function formatOfFirst(start: string, { formats }: ReadOptions): JsonFormat | null {
  const [first = ''] = start.trimStart().split('\n', 1);
  try {
    const value: unknown = JSON.parse(first);
    return isRecord(value) ? formatOfRecord(value, formats) : null;
  } catch {
    return null;
  }
}

/** What every record looks like that the scanner takes. */
const SPAN_RECORD = { id: '', text: '', gold: [], predicted: [] };

/** Rows of JSON records; the first record with a known shape decides the format unless one was named. */
async function* jsonRows(
  records: Records,
  named: JsonFormat | null,
  context: ReadContext & { readonly options: ReadOptions },
  onFormat: (format: Format) => void,
): AsyncGenerator<Row[]> {
  const { file, problems } = context;
  let format = named;
  let isFirst = named !== null;
  /** Failures ({id, error}) tell nothing of the format: they wait for a record that does. */
  let failures: { readonly value: Fields; readonly line: number }[] = [];
  const failureRows = (known: JsonFormat): Row[] => {
    const rows = failures.flatMap(({ value, line }) => known.read(value, line, context) ?? []);
    failures = [];
    return rows;
  };
  const { readers } = context.options;
  const scanner = new SpanScanner(readers?.labels);
  // A first record that is too long to be looked at before shows what the file has.
  let mayBeSpans = named === null && formatOfRecord(SPAN_RECORD, context.options.formats) === spans;
  const scan = (bytes: Buffer, line: number): SpanCase | null => {
    const isWanted = context.role === 'cases' && (format === spans || mayBeSpans);
    const scanned = isWanted && isUtf8(bytes) ? scanner.scan(bytes) : null;
    if (scanned !== null && format === null) onFormat((format = spans));
    mayBeSpans = false;
    return scanned && makeSpanCase(scanned, line);
  };
  const isSpans = context.role === 'cases' && format === spans;
  for await (const batch of records.values(scan, isSpans ? readers : undefined)) {
    const group: Row[] = [];
    for (const record of batch) {
      if ('spans' in record) {
        group.push(record);
        continue;
      }
      const { value, line } = record;
      if (!isRecord(value)) {
        problems.add({ file, line, message: `expected a JSON object, found ${describe(value)}` });
        continue;
      }
      if (format === null) {
        format = formatOfRecord(value, context.options.formats);
        if (format === null) {
          if (failureOf(value) === null) throw unknownRecord(value, line, file);
          failures.push({ value, line });
          continue;
        }
        onFormat(format);
        group.push(...failureRows(format));
      }
      const row = isFirst ? readFirst(format, value, line, context) : format.read(value, line, context);
      isFirst = false;
      if (row !== null && 'id' in row) group.push(row);
      else for (const one of row ?? []) group.push(one);
    }
    if (group.length > 0) yield group;
  }
  if (failures.length > 0) {
    // Nothing but failures: all formats read those alike.
    onFormat(spans);
    yield failureRows(spans);
  }
}

/** A named format whose first record is wrong, and is right for another format, is most likely the wrong name. */
function readFirst(
  named: JsonFormat,
  first: Fields,
  line: number,
  context: ReadContext & { readonly options: ReadOptions },
): ReturnType<JsonFormat['read']> {
  const problems = new Problems();
  const row = named.read(first, line, { ...context, problems });
  const other = problems.count === 0 || named.detects(first) ? null : formatOfRecord(first, context.options.formats);
  if (other !== null) throw misfit(context.file, line, named, other.name);
  context.problems.addAll(problems);
  return row;
}
