import { stat } from 'node:fs/promises';

import { roleColumns } from './data-options.ts';
import { recordOfSide } from './dataset-item.ts';
import type { Claim, Format, JsonFormat, ReadContext, ReadOptions, Role, Row } from './format.ts';
import { binaryFormat, formatNamed, formatOfFile, likelyFormat, mayBeEmpty, shownSide } from './formats.ts';
import { classField, classificationProblem } from './formats/categories.ts';
import { mappedRecords } from './formats/mapped-records.ts';
import { spans } from './formats/spans.ts';
import type { Fields } from './item.ts';
import { jsonRows } from './json-rows.ts';
import { InputError, Problems } from './problems.ts';
import { type FileRows, folderRows } from './read-folder.ts';
import { describe, failureOf, isRecord } from './record-fields.ts';
import { Records } from './records.ts';
import { isSpanCase } from './span-case.ts';
import { OpenSource, type Source } from './source.ts';
import { shorten } from './visible.ts';

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
  /** How many of the rows read so far have a list of annotations, and how many have none or null in its place. */
  lists(): { readonly present: number; readonly absent: number };
  /** Null until it is known, and for a folder. */
  format(): Format | null;
  done(): ReadFile;
}

/**
 * Rows of one file, or of all files in a folder, each in its own format, detected unless named; `others` are the formats of
 * the files that it is read with. Each id may come once.
 */
export function rowReader(
  source: Source,
  role: Role,
  options: ReadOptions,
  problems: Problems,
  others: () => readonly Format[] = () => [],
): RowReader {
  const own = new Problems(problems);
  const numbering = { at: 0, used: 0 };
  const seen = new Set<string>();
  const file = source.name;
  const lists = { present: 0, absent: 0 };
  let lineWithout: number | null = null;
  let isListed = false;
  /** The field of a record without a list that classifies its text. */
  let classes: string | null = null;
  const claims = new Map<Claim, number>();
  let shownInFolder: Promise<Format | null> | null = null;
  const beside = async (): Promise<readonly Format[]> => {
    if (folder !== null) shownInFolder ??= folderFormat(source, role, options);
    return [...others(), (await shownInFolder) ?? []].flat();
  };
  const open = (one: Source) => fileRows(one, role, options, own, numbering, beside);
  const folder = folderRows(source, open);
  const single = folder === null ? open(source) : null;
  const reader = folder ?? single!;

  async function* rows(): AsyncGenerator<Row[]> {
    try {
      for await (const batch of reader.rows()) yield batch.filter(isFresh);
    } catch (error) {
      own.addThrown(error);
    }
    const format = single?.format();
    // Another part of the file may have what this one lacks.
    const needed = format?.kind === 'json' && options.lines === undefined ? format.neededList : undefined;
    if (role !== 'cases' && needed !== undefined && !isListed && lists.absent > 0 && own.count === 0)
      own.add(
        classes === null
          ? {
              file,
              line: lineWithout,
              field: needed,
              message: 'expected a list of annotations, found none in any record',
              next: 'write [] if nothing was annotated; if the list has another name, --columns spans=NAME',
            }
          : classificationProblem(`${shorten(classes)} holds`, file, lineWithout),
      );
    if (claims.size > 1 && role !== 'cases')
      own.add({
        file,
        line: claims.get('other side') ?? claims.get('neither') ?? null,
        field: role,
        message: `expected ${role}, as other records have, found ${role === 'gold' ? 'other annotations' : 'annotations'} alone`,
        next: 'read gold and predictions from this file with --cases FILE',
      });
    const { used } = numbering;
    if (used === 0 || used >= seen.size || own.count > 0) return;
    const message = `${used} of ${seen.size} records have no id`;
    problems.add({ file, line: null, message, next: 'give every record an id, or none: then they are numbered' });
  }

  function isFresh(row: Row): boolean {
    if (!seen.has(row.id)) {
      seen.add(row.id);
      const missing = isSpanCase(row) ? null : (row.missingList ?? null);
      if (missing !== null) {
        lists.absent += 1;
        lineWithout ??= row.line;
        if (!isSpanCase(row)) classes ??= classField({ ...row.fields, text: row.text });
      } else if (isSpanCase(row) || row.gold !== null || row.predicted !== null) lists.present += 1;
      if (!isSpanCase(row) && row.claim !== undefined && missing === null && (row.gold ?? row.predicted) !== null)
        claims.set(row.claim, claims.get(row.claim) ?? row.line);
      isListed ||= missing === 'null' || lists.present > 0;
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
    lists: () => lists,
    format: () => single?.format() ?? null,
    done: () => ({ role, name: file, path: source.path, ...reader.done(), rows: seen.size }),
  };
}

function fileRows(
  source: Source,
  role: Role,
  options: ReadOptions,
  problems: Problems,
  numbering: NonNullable<ReadContext['numbering']>,
  others: () => Promise<readonly Format[]>,
): FileRows & Pick<RowReader, 'format'> {
  const { name: file, path } = source;
  const { kinds, lines } = options;
  const records = new Records(source, { problems, maxBytes: options.maxRecordMiB * 1048576, lines });
  const context = { file, path, role, options, problems, numbering, ...(kinds === undefined ? {} : { kinds }) };
  let format = options.format === 'auto' ? null : formatNamed(options.format, options.formats);
  let binary: Format | null = null;
  records.allow((head) => (binary = binaryFormat(head, file)) !== null);
  const formats = shapesOf(options, role);

  async function* rows(start: string): AsyncGenerator<Row[]> {
    format = binary ?? formatOfFile(start, file, format) ?? formatOfStart(start, role, formats);
    if (format?.kind === 'text') yield* format.read(records, context);
    else if (format?.kind === 'records') {
      const inside = await format.open(records, context);
      const own = { ...context, options: { ...options, ...inside.options } };
      yield* jsonRows(inside, null, own, { custom: formats, others }, () => undefined);
    } else
      yield* jsonRows(records, format, context, { custom: formats, others }, (known) => {
        format = known;
      });
  }

  return {
    rows: () => records.whole(rows, mayBeEmpty(file)),
    format: () => format,
    done: () => {
      const { sha256, bytes } = records.digest();
      return { format: format?.name ?? 'unknown', sha256, bytes };
    },
  };
}

/** The format of the first file of a folder that holds something: decides about those that hold nothing. */
async function folderFormat(source: Source, role: Role, options: ReadOptions): Promise<Format | null> {
  const problems = new Problems();
  let format = (): Format | null => null;
  const folder = folderRows(source, (one) => {
    const file = fileRows(one, role, options, problems, { at: 0, used: 0 }, async () => []);
    ({ format } = file);
    return file;
  });
  for await (const batch of folder?.rows() ?? [])
    if (batch.some(({ gold, predicted }) => (gold?.length ?? 0) + (predicted?.length ?? 0) > 0)) return format();
  return null;
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
  const size = source.path === null || /\.gz$/i.test(source.name) ? null : await stat(source.path).catch(() => null);
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
  const rows = format.read(role === 'cases' ? record : recordOfSide(record, role), 1, context);
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
