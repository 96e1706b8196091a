import { isUtf8 } from 'node:buffer';
import { stat } from 'node:fs/promises';

import { mayScanSpans, roleColumns } from './data-options.ts';
import type { Format, JsonFormat, ReadContext, ReadOptions, Role, Row } from './format.ts';
import {
  binaryFormat,
  formatNamed,
  formatOfFile,
  formatOfRecord,
  mayBeEmpty,
  misfit,
  unknownRecord,
} from './formats.ts';
import { mappedRecords } from './formats/mapped-records.ts';
import { spans } from './formats/spans.ts';
import type { Fields } from './item.ts';
import { InputError, Problems } from './problems.ts';
import { type FileRows, folderRows } from './read-folder.ts';
import { describe, failureOf, isRecord, unknownList } from './record-fields.ts';
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
  /** Whether the records have no ids, so that a row's id is its number in the file. */
  isNumbered(): boolean;
  /** Whether some of the file could not be read, so that what is missing from it means nothing. */
  isBroken(): boolean;
  done(): ReadFile;
}

/** Rows of one file, or of all files in a folder, each in its own format, detected unless named. Each id may come once. */
export function rowReader(source: Source, role: Role, options: ReadOptions, problems: Problems): RowReader {
  const own = new Problems(problems);
  const numbering = { at: 0, used: 0 };
  const seen = new Set<string>();
  const file = source.name;
  const folder = folderRows(source, (one) => fileRows(one, role, options, own, numbering));
  const reader = folder ?? fileRows(source, role, options, own, numbering);

  async function* rows(): AsyncGenerator<Row[]> {
    try {
      for await (const batch of reader.rows()) yield batch.filter(isFresh);
    } catch (error) {
      own.addThrown(error);
    }
    const { used } = numbering;
    if (used === 0 || used >= seen.size || own.count > 0) return;
    const message = `${used} of ${seen.size} records have no id`;
    problems.add({ file, line: null, message, next: 'give every record an id, or none: then they are numbered' });
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
    rows,
    ids: () => seen,
    isNumbered: () => numbering.used > 0,
    isBroken: () => own.count > 0,
    done: () => ({ role, name: file, path: source.path, ...reader.done(), rows: seen.size }),
  };
}

function fileRows(
  source: Source,
  role: Role,
  options: ReadOptions,
  problems: Problems,
  numbering: NonNullable<ReadContext['numbering']>,
): FileRows {
  const { name: file, path } = source;
  const { kinds, lines } = options;
  const records = new Records(source, { problems, maxBytes: options.maxRecordMiB * 1048576, lines });
  const context = { file, path, role, options, problems, numbering, ...(kinds === undefined ? {} : { kinds }) };
  let format = options.format === 'auto' ? null : formatNamed(options.format, options.formats);
  let binary: Format | null = null;
  records.allow((head) => (binary = binaryFormat(head, file)) !== null);
  const formats = shapesOf(options, role);

  async function* rows(start: string): AsyncGenerator<Row[]> {
    format = binary ?? formatOfFile(start, file, format) ?? formatOfFirst(start, formats);
    yield* format?.kind === 'text'
      ? format.read(records, context)
      : jsonRows(records, format, context, formats, (known) => {
          format = known;
        });
  }

  return {
    rows: () => records.whole(rows, mayBeEmpty(file)),
    done: () => {
      const { sha256, bytes } = records.digest();
      return { format: format?.name ?? 'unknown', sha256, bytes };
    },
  };
}

/** Shapes of JSON records that go before the built-in ones. */
function shapesOf({ columns, formats = [] }: ReadOptions, role: Role): readonly Format[] {
  const mapped = mappedRecords(roleColumns(columns, role));
  return mapped === null ? formats : [mapped, ...formats];
}

/** How many bytes a file with a JSON record a line has, decompressed; null for any other file. */
export async function bytesOfLines(source: Source, options: ReadOptions): Promise<number | null> {
  const records = new Records(source, { problems: new Problems() });
  try {
    const start = (await records.start())?.text ?? '';
    const named = options.format === 'auto' ? null : formatNamed(options.format, options.formats);
    const format = formatOfFile(start, source.name, named) ?? formatOfFirst(start, shapesOf(options, 'cases'));
    if (format?.kind === 'text' || format?.isPerItem !== undefined || !(await records.isByLine())) return null;
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
function formatOfFirst(start: string, formats: readonly Format[]): JsonFormat | null {
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
  formats: readonly Format[],
  onFormat: (format: Format) => void,
): AsyncGenerator<Row[]> {
  const { file, problems, numbering } = context;
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
  const isScanned = context.role === 'cases' && mayScanSpans(context.options);
  // A first record that is too long to be looked at before shows what the file has.
  let mayBeSpans = named === null && formatOfRecord(SPAN_RECORD, formats) === spans;
  const scan = (bytes: Buffer, line: number): SpanCase | null => {
    const isWanted = isScanned && (format === spans || mayBeSpans);
    const scanned = isWanted && isUtf8(bytes) ? scanner.scan(bytes) : null;
    if (scanned !== null && format === null) onFormat((format = spans));
    mayBeSpans = false;
    return scanned && makeSpanCase(scanned, line);
  };
  const isSpans = isScanned && format === spans;
  const gathered = new Map<string, Row>();
  const firstNumber = (numbering?.at ?? 0) + 1;
  for await (const batch of records.values(scan, isSpans ? readers : undefined)) {
    const group: Row[] = [];
    for (const record of batch) {
      if (numbering !== undefined) numbering.at += 1;
      if ('spans' in record) {
        group.push(record);
        continue;
      }
      const { line } = record;
      const value = recordOf(record.value);
      if (value === null) {
        problems.add({ file, line, message: `expected a JSON object, found ${describe(record.value)}` });
        continue;
      }
      if (format === null) {
        format = formatOfRecord(value, formats);
        if (format === null) {
          if (failureOf(value) === null) throw unknownRecord(value, line, context);
          failures.push({ value, line });
          continue;
        }
        onFormat(format);
        group.push(...failureRows(format));
      }
      const isItem = format.isPerItem?.(value) === true;
      // Items that name no case are all of the same one.
      if (isItem && numbering !== undefined) numbering.at = firstNumber;
      const row = isFirst ? readFirst(format, value, line, context) : format.read(value, line, context);
      isFirst = false;
      if (isItem) for (const one of rowsIn(row)) gather(one, gathered);
      else if (row !== null && 'id' in row) group.push(row);
      else for (const one of row ?? []) group.push(one);
    }
    if (group.length > 0) yield group;
  }
  if (gathered.size > 0) yield [...gathered.values()].map((row) => joinedRow(row, format));
  if (failures.length > 0) {
    // Nothing but failures: all formats read those alike.
    onFormat(spans);
    yield failureRows(spans);
  }
}

/**
 * A record, whatever its brackets: what a tagger found in one text is a plain list, and training data are pairs of a text
 * and what is in it.
 */
function recordOf(value: unknown): Fields | null {
  if (isRecord(value)) return value;
  if (!Array.isArray(value)) return null;
  const [first, second] = unknownList(value);
  if (typeof first === 'string' && isRecord(second)) return { text: first, ...second };
  return value.every(isRecord) ? { entities: value } : null;
}

function rowsIn(row: Row | readonly Row[] | null): readonly Row[] {
  return row === null ? [] : 'id' in row ? [row] : row;
}

/** Items that came one by one, put together as the format has them. */
function joinedRow(row: Row, format: JsonFormat | null): Row {
  const join = format?.join;
  if (join === undefined) return row;
  const { gold, predicted } = row;
  return { ...row, gold: gold === null ? null : join(gold), predicted: predicted === null ? null : join(predicted) };
}

/** Adds the items of a row to those of its case. */
function gather(row: Row, rows: Map<string, Row>): void {
  const before = rows.get(row.id);
  if (before === undefined) {
    rows.set(row.id, row);
    return;
  }
  const joined = (side: 'gold' | 'predicted') => {
    const [first, more] = [before[side], row[side]];
    if (first === null || more === null) return first ?? more;
    return [...first, ...more.map((item) => ({ ...item, index: first.length + item.index }))];
  };
  rows.set(row.id, { ...before, text: before.text ?? row.text, gold: joined('gold'), predicted: joined('predicted') });
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
