import { startingWith, takeHead } from '../../data/chunks.ts';
import { refuseForeign } from '../../data/foreign-bytes.ts';
import { csvRecords } from '../../data/formats/csv-records.ts';
import type { Fields } from '../../data/item.ts';
import { FAILED, parseRecord } from '../../data/json-record.ts';
import { readJsonValues } from '../../data/json-values.ts';
import { readLines } from '../../data/lines.ts';
import { InputError, type Problem, Problems } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import { OpenSource, type Source } from '../../data/source.ts';
import { byteOrderMarkLength } from '../../data/utf8.ts';
import { hasExactNumbers } from './exact-numbers.ts';

/** One JSON object or one row of a table. */
export interface SourceRecord {
  readonly kind: 'json' | 'csv';
  readonly line: number;
  readonly values: Fields;
}

export interface RecordReader {
  records(): AsyncGenerator<SourceRecord[]>;
  /** Of what was read, once it has been read to its end. */
  digest(): { readonly sha256: string; readonly bytes: number };
}

const HEAD_BYTES = 65536;
const MAX_RECORD = 64 * 1048576;
/** What Excel writes, and hides, before the header. Which one it is shows in the header as well. */
const SEPARATOR_NOTE = /^"?sep=[,;\t]"?\r?\n/i;

/** The records of a file (JSON lines, a JSON array or a table with a header, packed or not), a few at a time. */
export function recordReader(source: Source, problems: Problems): RecordReader {
  const opened = new OpenSource(source);
  return {
    records: () => {
      const own = new RecordProblems(problems);
      return reportingFaults(records(source.name, opened, own), own);
    },
    digest: () => opened.digest(),
  };
}

/** The readers below know of settings that only scoring has. */
class RecordProblems extends Problems {
  override add(problem: Problem): void {
    const isOther = problem.next?.includes('--set data.') === true;
    super.add(isOther ? { ...problem, next: 'one item a record is expected, and longer ones are not taken' } : problem);
  }
}

/** What ends the reading of one file is a problem of that file: the others are still read. */
async function* reportingFaults(
  batches: AsyncGenerator<SourceRecord[]>,
  problems: Problems,
): AsyncGenerator<SourceRecord[]> {
  try {
    yield* batches;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    for (const problem of error.problems) problems.add(problem);
  }
}

async function* records(file: string, opened: OpenSource, problems: Problems): AsyncGenerator<SourceRecord[]> {
  const bytes = opened.bytes();
  try {
    const head = await takeHead(bytes, HEAD_BYTES);
    const begin = head === null ? 0 : byteOrderMarkLength(head);
    const start = head?.toString('utf8', begin, begin + HEAD_BYTES) ?? '';
    if (head === null || (start.trim() === '' && head.length < HEAD_BYTES)) {
      problems.add({ file, line: null, message: 'the file is empty, expected at least one record' });
      return;
    }
    refuseForeign(head, file);
    const isTable = !isJson(start, file);
    const note = isTable ? (SEPARATOR_NOTE.exec(start)?.[0] ?? '') : '';
    const body = startingWith(head.subarray(begin + note.length), bytes);
    let any = false;
    const before = problems.count;
    for await (const batch of isTable
      ? tableRecords(body, note === '' ? 0 : 1, file, problems)
      : jsonRecords(body, start, file, problems)) {
      any ||= batch.length > 0;
      if (batch.length > 0) yield batch;
    }
    if (!any && problems.count === before)
      problems.add({ file, line: null, message: 'no record was found in this file' });
  } finally {
    await bytes.return(undefined);
  }
}

function isJson(start: string, file: string): boolean {
  return /^\s*[[{]/.test(start) || /\.(?:jsonl?|ndjson)(?:\.gz)?$/i.test(file);
}

async function* jsonRecords(
  chunks: AsyncIterable<Buffer>,
  start: string,
  file: string,
  problems: Problems,
): AsyncGenerator<SourceRecord[]> {
  const isOneValue = /^\s*\[/.test(start) || /^\s*\{[ \t]*\r?\n/.test(start) || /\.json(?:\.gz)?$/i.test(file);
  const options = { file, problems, maxBytes: MAX_RECORD };
  for await (const batch of isOneValue ? readJsonValues(chunks, options) : readLines(chunks, options)) {
    const out: SourceRecord[] = [];
    for (const record of batch) {
      const values = parseRecord(record, file, problems);
      if (values === FAILED || !hasExactNumbers(record, file, problems)) continue;
      if (isRecord(values)) out.push({ kind: 'json', line: record.line, values });
      else problems.add({ file, line: record.line, message: `expected a JSON object, found ${describe(values)}` });
    }
    yield out;
  }
}

async function* tableRecords(
  chunks: AsyncIterable<Buffer>,
  /** Lines before it. */
  skipped: number,
  file: string,
  problems: Problems,
): AsyncGenerator<SourceRecord[]> {
  let columns: readonly string[] | null = null;
  for await (const batch of csvRecords(chunks, file, MAX_RECORD)) {
    const out: SourceRecord[] = [];
    for (const { cells, line: within } of batch) {
      const line = within + skipped;
      if (columns === null) {
        columns = cells.map((cell) => cell.trim());
        const fault = headerFault(columns);
        if (fault === null) continue;
        problems.add({ file, line, field: 'header', ...fault });
        return;
      }
      if (cells.length === columns.length) out.push({ kind: 'csv', line, values: byName(columns, cells) });
      else
        problems.add({
          file,
          line,
          field: 'row',
          message: `expected ${columns.length} cells as in the header, found ${cells.length}`,
        });
    }
    yield out;
  }
}

function headerFault(columns: readonly string[]): { readonly message: string; readonly next: string } | null {
  const repeated = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at);
  if (repeated !== undefined)
    return { message: `expected each column name once, found ${describe(repeated)} again`, next: 'rename one of them' };
  if (columns.includes('__proto__'))
    return { message: 'a column cannot be called __proto__', next: 'rename or remove it' };
  return null;
}

/** Columns without a name are what spreadsheets leave behind. */
function byName(columns: readonly string[], cells: readonly string[]): Fields {
  return Object.fromEntries(
    columns.flatMap((name, at): [string, unknown][] => (name === '' ? [] : [[name, cells[at] ?? '']])),
  );
}
