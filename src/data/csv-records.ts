import type { CsvError } from 'csv-parse';

import type { Fields } from './item.ts';
import { type LineOptions, mostBytes } from './lines.ts';
import { InputError } from './problems.ts';
import { describe, isRecord } from './record-fields.ts';
import { startingWith, takeHead } from './source.ts';
import { strictUtf8 } from './utf8.ts';

export interface CsvRecord {
  readonly cells: readonly string[];
  /** The line it begins on; quoted line breaks make records longer than one. */
  readonly line: number;
}

const DELIMITERS = [',', ';', '\t'];
const HEAD_BYTES = 65536;
/** What Excel writes, and hides, before the header; a spreadsheet that does not know it fills it up to a row. */
const SEPARATOR_NOTE = /^"?sep=[,;\t]"?[,;\t]*(?=[\r\n])/i;
const NEWLINES = /\r\n|\n|\r/g;

/** The records of a table that are not blank, each with its line, a batch a chunk. What is not CSV ends the reading. */
export async function* csvRecords(
  chunks: AsyncIterable<Buffer>,
  options: Omit<LineOptions, 'problems'>,
): AsyncGenerator<CsvRecord[]> {
  // Most files are JSON.
  const { CsvError, parse } = await import('csv-parse');
  const { file } = options;
  const maxBytes = mostBytes(options);
  const bytes = strictUtf8(chunks, file);
  const begin = await takeHead(bytes, HEAD_BYTES);
  if (begin === null) return;
  // Without Excel's note, a blank line is left in its place, which keeps the count of lines.
  const head = begin.subarray(SEPARATOR_NOTE.exec(begin.toString('latin1', 0, 64))?.[0].length ?? 0);
  let batch: CsvRecord[] = [];
  let line = 1;
  /** Bytes since the last record: more than one may have are blank lines, which the parser holds too. */
  let idle = 0;
  const parser = parse({
    raw: true,
    // A separate row for a blank line would cost the parser an error that nobody sees.
    skip_empty_lines: true,
    delimiter: delimiterOf(head.toString('utf8', 0, HEAD_BYTES)),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // The parser holds a record twice, in buffers that double at 50 MiB.
    max_record_size: Math.max(1, Math.floor(0.75 * maxBytes)),
    // Taken here and not from the stream, which drops what came before an error.
    on_record(parsed: unknown) {
      if (!isParsed(parsed)) return null;
      const { record: cells, raw } = parsed;
      // It includes the blank lines before it.
      const [before = ''] = /^[\r\n]*/.exec(raw) ?? [];
      line += before.match(NEWLINES)?.length ?? 0;
      if (cells.length > 1 || cells[0]?.trim() !== '') batch.push({ cells, line });
      // The parser counts a quoted CR LF as two lines, so lines are counted here.
      line += raw.slice(before.length).match(NEWLINES)?.length ?? 0;
      return null;
    },
  });
  // It reports an error twice: to the code that awaits a write, and by an event that must have a listener.
  parser.on('error', () => undefined);
  for await (const chunk of withEnd(startingWith(head, bytes))) {
    const error = await new Promise<unknown>((done) => {
      if (chunk === null) parser.end(done);
      else parser.write(chunk, done);
    });
    const isIdle = batch.length === 0;
    yield batch;
    batch = [];
    idle = isIdle ? idle + (chunk?.length ?? 0) : 0;
    if (idle > 2 * maxBytes)
      throw new InputError([{ file, line, message: 'nothing but blank lines from here on', next: 'take them out' }]);
    if (error instanceof CsvError) throw new InputError([{ file, line, ...explain(error, options.tooLong) }]);
    if (error instanceof Error) throw error;
  }
}

async function* withEnd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  yield* chunks;
  yield null;
}

function isParsed(value: unknown): value is { readonly record: readonly string[]; readonly raw: string } {
  return isRecord(value) && Array.isArray(value['record']) && typeof value['raw'] === 'string';
}

/** The delimiter that the header has most of; a comma where it has none. */
function delimiterOf(start: string): string {
  const header = /[^\r\n]+/.exec(start)?.[0].replaceAll(/"[^"]*"/g, '') ?? '';
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

function explain(error: CsvError, tooLong?: string): { message: string; next: string } {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return {
      message: 'not CSV: the record that begins here has a quote that is never closed',
      next: 'close it, or write a quote inside a cell twice',
    };
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return {
      message: 'the record that begins here is too long',
      next: tooLong ?? 'is a quote never closed? If it is meant to be so long: --set data.maxRecordMiB=N',
    };
  return {
    message: `not CSV in the record that begins here: ${error.message.replace(/ at line \d+/, '')}`,
    next: 'put a cell with quotes, delimiters or line breaks in quotes, and double each quote inside it',
  };
}

/** Whether a header cannot name columns; why is among the problems. */
export function hasWrongNames(columns: readonly string[], line: number, { file, problems }: LineOptions): boolean {
  const before = problems.count;
  const wrong = (message: string, next: string): void => problems.add({ file, line, field: 'header', message, next });
  columns.forEach((name, at) => {
    if (name !== '' && columns.indexOf(name) !== at)
      wrong(`expected each column name once, found ${describe(name)} again`, 'rename one of them');
  });
  if (columns.includes('__proto__')) wrong('a column cannot be called __proto__', 'rename or remove it');
  return problems.count > before;
}

/** Of several columns without a name the first counts: an index in front, not what a spreadsheet left behind the table. */
export function valuesByName(columns: readonly string[], cells: readonly string[], nameless: 'first' | 'none'): Fields {
  const values: Record<string, string> = {};
  columns.forEach((name, at) => {
    if (name === '' ? nameless === 'first' && !('' in values) : true) values[name] = cells[at] ?? '';
  });
  return values;
}
