import { stat } from 'node:fs/promises';

import { COMPRESSED_NAME } from './compression.ts';
import { type Numbering, roleColumns } from './data-options.ts';
import { recordOfSide } from './dataset-item.ts';
import type { Format, JsonFormat, ReadOptions, Role, Row } from './format.ts';
import { binaryFormat, formatNamed, formatOfFile, likelyFormat, mayBeEmpty, recordFor, shownSide } from './formats.ts';
import { mappedRecords } from './formats/mapped-records.ts';
import { spans } from './formats/spans.ts';
import type { GatheredRows } from './gathered-rows.ts';
import type { Fields } from './item.ts';
import { jsonRows, type RecordContext } from './json-rows.ts';
import { InputError, type Problem, Problems } from './problems.ts';
import { type FileRows, folderRows } from './read-folder.ts';
import { failureOf, isRecord } from './record-fields.ts';
import { Records } from './records.ts';
import { OpenSource, type Source } from './source.ts';

/** What files that are read as one have in common. */
export interface SharedState {
  /** Takes the items of files with an item a record. */
  readonly gathered: GatheredRows | undefined;
  readonly numbering: Numbering;
  /** Problems of files without a record, reported if no other file has one; undefined for a single file. */
  readonly empty: Problem[] | undefined;
  /** The format of their JSON records, with the file that showed it. */
  shown: { readonly format: JsonFormat; readonly file: string } | null;
  /** The format of the first file that holds something; undefined for a single file. */
  readonly first: (() => Promise<JsonFormat | null>) | undefined;
}

export function fileRows(
  source: Source,
  role: Role,
  options: ReadOptions,
  problems: Problems,
  state: SharedState,
  others: () => readonly Format[],
): FileRows & { readonly format: () => Format | null } {
  const { name: file, path } = source;
  const { kinds, lines } = options;
  const records = new Records(source, { problems, maxBytes: options.maxRecordMiB * 1048576, lines });
  const { numbering, gathered, first, empty } = state;
  let isGathered = false;
  const add = (row: Row): void => {
    isGathered = true;
    gathered?.add({ ...row, file });
  };
  const context: RecordContext = {
    file,
    path,
    role,
    options,
    problems,
    numbering,
    ...(kinds === undefined ? {} : { kinds }),
    ...(gathered === undefined ? {} : { gathered: { add } }),
  };
  let format = options.format === 'auto' ? null : formatNamed(options.format, options.formats);
  let binary: Format | null = null;
  records.allow((head) => (binary = binaryFormat(head, file)) !== null);
  const formats = shapesOf(options, role);
  const besides = { custom: formats, others, ...(first === undefined ? {} : { shared: first }) };

  async function* rows(start: string): AsyncGenerator<Row[]> {
    format = binary ?? formatOfFile(start, file, format) ?? sharedFormat(formatOfStart(start, role, formats));
    if (format?.kind === 'text') yield* format.read(records, context);
    else if (format?.kind === 'records') {
      const inside = await format.open(records, context);
      const own = { ...context, options: { ...options, ...inside.options } };
      yield* jsonRows(inside, null, own, besides, () => undefined);
    } else
      yield* jsonRows(records, format, context, besides, (known) => {
        format = known;
        if (known.kind === 'json') state.shown ??= { format: known, file };
      });
  }

  async function* named(start: string): AsyncGenerator<Row[]> {
    for await (const batch of rows(start)) yield batch.map((row) => Object.assign(row, { file }));
  }

  /** The format of the files before it. */
  function sharedFormat(own: JsonFormat | null): JsonFormat | null {
    const { shown } = state;
    if (own !== null) state.shown ??= { format: own, file };
    if (own === null || shown === null || own.name === shown.format.name) return shown?.format ?? own;
    throw new InputError([
      {
        file,
        line: null,
        message: `this file looks like ${own.name}, and ${shown.file} is ${shown.format.name}`,
        next: 'files that are read as one have one format: score them apart, or name it with --format',
      },
    ]);
  }

  return {
    rows: () =>
      records.whole(first === undefined ? rows : named, {
        mayBeEmpty: mayBeEmpty(file),
        isEmpty: () => !isGathered,
        ...(empty === undefined ? {} : { onEmpty: (message) => void empty.push({ file, line: null, message }) }),
      }),
    format: () => format,
    done: () => {
      const { sha256, bytes } = records.digest();
      return { format: format?.name ?? 'unknown', sha256, bytes };
    },
  };
}

/** The format of the first of several files that holds something: decides about those that hold nothing. */
export async function firstFormat(source: Source, role: Role, options: ReadOptions): Promise<JsonFormat | null> {
  for (const part of source.files ?? [source]) {
    let format = (): Format | null => null;
    const open = (one: Source): FileRows => {
      const numbering = { at: 0, used: 0 };
      const state: SharedState = { numbering, gathered: undefined, empty: [], shown: null, first: undefined };
      const file = fileRows(one, role, options, new Problems(), state, () => []);
      ({ format } = file);
      return file;
    };
    for await (const batch of (folderRows(part, open) ?? open(part)).rows())
      if (batch.some(({ gold, predicted }) => (gold?.length ?? 0) + (predicted?.length ?? 0) > 0)) {
        const known = format();
        return known?.kind === 'json' ? known : null;
      }
  }
  return null;
}

/** Shapes of JSON records that go before the built-in ones. */
function shapesOf({ columns, formats = [] }: ReadOptions, role: Role): readonly Format[] {
  const mapped = mappedRecords(roleColumns(columns, role));
  return mapped === null ? formats : [mapped, ...formats];
}

/** How many bytes a file with a JSON record a line has, decompressed; null for any other file. */
export async function bytesOfLines(source: Source, options: ReadOptions): Promise<number | null> {
  if (source.files !== undefined) return null;
  const records = new Records(source, { problems: new Problems() });
  try {
    const start = (await records.start())?.text ?? '';
    const named = options.format === 'auto' ? null : formatNamed(options.format, options.formats);
    const format = formatOfFile(start, source.name, named) ?? formatOfStart(start, 'cases', shapesOf(options, 'cases'));
    if (
      format?.kind === 'text' ||
      format?.kind === 'records' ||
      format?.isPerItem !== undefined ||
      !(await records.isByLine())
    )
      return null;
  } catch (error) {
    // What is wrong with it is reported when it is read.
    if (error instanceof InputError) return null;
    throw error;
  } finally {
    await records.close();
  }
  const size =
    source.path === null || COMPRESSED_NAME.test(source.name) ? null : await stat(source.path).catch(() => null);
  if (size !== null) return size.size;
  let bytes = 0;
  for await (const chunk of new OpenSource(source).bytes()) bytes += chunk.length;
  return bytes;
}

/** The row of a record that is in memory, in the format that a file of such records has; null for several rows or none. */
export function recordRow(
  record: Fields,
  role: Role,
  options: ReadOptions,
  problems: Problems,
  beside?: Format,
): { readonly row: Row; readonly format: JsonFormat } | null {
  const { kinds } = options;
  const context = { file: '', role, options, problems, ...(kinds === undefined ? {} : { kinds }) };
  const custom = shapesOf(options, role);
  const named = options.format === 'auto' ? null : formatNamed(options.format, options.formats);
  const open = failureOf(record) === null ? [{ value: recordOfSide(record, role), line: 1 }] : [];
  const shown = named ?? shownSide(record, role, custom);
  const format = shown ?? likelyFormat(open, context, beside === undefined ? [] : [beside]) ?? spans;
  if (format.kind !== 'json') return null;
  const value = role === 'cases' ? record : recordFor(format, recordOfSide(record, role));
  const rows = format.read(value, 1, context);
  return rows !== null && 'id' in rows ? { row: rows, format } : null;
}

/** The format that the first lines show, if each is a record; others are found out as they are read. */
function formatOfStart(start: string, role: Role, formats: readonly Format[]): JsonFormat | null {
  for (const line of start.trimStart().split('\n')) {
    if (line.trim() === '') continue;
    try {
      const value: unknown = JSON.parse(line);
      const shown = isRecord(value) ? shownSide(value, role, formats) : null;
      if (shown !== null || !isRecord(value)) return shown;
    } catch {
      return null;
    }
  }
  return null;
}
