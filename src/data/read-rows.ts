import { startingWith, takeHead } from './chunks.ts';
import type { DataOptions } from './data-options.ts';
import { formatOfFile } from './detect-format.ts';
import { refuseForeign } from './foreign-bytes.ts';
import type { ReadContext, Role, Row } from './format.ts';
import { formatNamed } from './formats.ts';
import { jsonRows } from './json-rows.ts';
import { readJsonValues } from './json-values.ts';
import { type LineOptions, readLines } from './lines.ts';
import { InputError, Problems } from './problems.ts';
import { describe } from './record-fields.ts';
import { OpenSource, type Source } from './source.ts';
import { byteOrderMarkLength } from './utf8.ts';

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

const HEAD_BYTES = 65536;

/** Rows of one file, in its own format, detected unless named. Each id may come once. */
export function rowReader(source: Source, role: Role, options: DataOptions, problems: Problems): RowReader {
  const opened = new OpenSource(source);
  const own = new Problems(problems);
  const file = source.name;
  const context: ReadContext = { file, role, options, problems: own };
  const seen = new Set<string>();
  let format = options.format === 'auto' ? null : formatNamed(options.format);

  async function* rows(): AsyncGenerator<Row[]> {
    const bytes = opened.bytes();
    try {
      const head = await takeHead(bytes, HEAD_BYTES);
      if (head === null || isBlank(head)) {
        const what = head === null ? 'is empty' : 'holds only blank lines';
        own.add({ file, line: null, message: `the file ${what}, expected at least one record` });
        return;
      }
      refuseForeign(head, file);
      const begin = byteOrderMarkLength(head);
      const start = head.toString('utf8', begin, begin + HEAD_BYTES);
      format = formatOfFile(start, file, format);
      for await (const batch of openRows(startingWith(head.subarray(begin), bytes), start)) {
        yield batch.filter(isFresh);
      }
      if (seen.size === 0 && own.count === 0)
        own.add({ file, line: null, message: 'no record was found in this file' });
    } catch (error) {
      // This file cannot be read on; the others still can, and their problems belong to the same message.
      if (!(error instanceof InputError)) throw error;
      for (const problem of error.problems) own.add(problem);
    } finally {
      await bytes.return(undefined);
    }
  }

  function openRows(chunks: AsyncIterable<Buffer>, start: string): AsyncIterable<Row[]> {
    const lineOptions: LineOptions = { file, problems: own, maxBytes: options.maxRecordMiB * 1048576 };
    if (format?.kind === 'text') return format.read(readLines(chunks, lineOptions), context);
    if (format?.kind === 'bytes') return format.read(chunks, context);
    const records = isOneValue(start, file) ? readJsonValues(chunks, lineOptions) : readLines(chunks, lineOptions);
    return jsonRows(records, format, context, (found) => {
      format = found;
    });
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
    isBroken: () => own.count > 0,
    done: () => ({
      role,
      name: file,
      path: source.path,
      format: format?.name ?? 'unknown',
      ...opened.digest(),
      rows: seen.size,
    }),
  };
}

function isBlank(head: Buffer): boolean {
  return head.length < HEAD_BYTES && head.toString('utf8', byteOrderMarkLength(head)).trim() === '';
}

/** Whether records may go over several lines: an array, a file called .json, or an object laid out over lines. */
function isOneValue(start: string, file: string): boolean {
  return /^\s*\[/.test(start) || /^\s*\{[ \t]*\r?\n/.test(start) || /\.json(?:\.gz)?$/i.test(file);
}
