import type { DataOptions } from './data-options.ts';
import type { Format, ReadContext, Role, Row } from './format.ts';
import { formatNamed, FORMATS } from './formats.ts';
import { FAILED, parseRecord } from './json-record.ts';
import { readJsonValues } from './json-values.ts';
import { type LineOptions, readLines, type TextRecord } from './lines.ts';
import { Problems } from './problems.ts';
import { describe, isRecord } from './record-fields.ts';
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

/** Rows of one file, in its own format, detected unless named. */
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
    const all = startingWith(head.value, bytes);
    const lineOptions: LineOptions = { file: source.name, problems, maxBytes: options.maxRecordMiB * 1048576 };
    const start = head.value.toString('utf8', 0, 65536).replace(/^\uFEFF/, '');
    format ??= detectTextFormat(start, source.name);
    const seen = new Set<string>();
    const batches =
      format === null || format.kind === 'json'
        ? jsonRows(all, start)
        : format.kind === 'text'
          ? format.read(readLines(all, lineOptions), context)
          : format.read(all, context);
    for await (const batch of batches) {
      const fresh = batch.filter((row) => {
        if (seen.has(row.id)) {
          problems.add({
            file: source.name,
            line: row.line,
            message: `the id ${describe(row.id)} was given before in this file`,
            next: 'one record per case is expected',
          });
          return false;
        }
        seen.add(row.id);
        return true;
      });
      count += fresh.length;
      yield fresh;
    }
    if (count === 0 && problems.count === 0)
      problems.add({ file: source.name, line: null, message: 'no record was found in this file' });

    async function* jsonRows(chunks: AsyncIterable<Buffer>, beginning: string): AsyncGenerator<Row[]> {
      const firstCharacter = beginning.trimStart()[0];
      const asValues = firstCharacter === '[' || (firstCharacter === '{' && /\.json(\.gz)?$/i.test(source.name));
      const records: AsyncIterable<TextRecord[]> = asValues
        ? readJsonValues(chunks, lineOptions)
        : readLines(chunks, lineOptions);
      for await (const batch of records) {
        const out: Row[] = [];
        for (const text of batch) {
          const record = parseRecord(text, source.name, problems);
          if (record === FAILED) continue;
          if (!isRecord(record)) {
            problems.add({
              file: source.name,
              line: text.line,
              message: `expected a JSON object, found ${describe(record)}`,
            });
            continue;
          }
          format ??= detectJsonFormat(record);
          if (format === null || format.kind !== 'json') {
            problems.add({
              file: source.name,
              line: text.line,
              message: `cannot tell what this file is: a record with ${Object.keys(record).slice(0, 6).join(', ')}`,
              next: `name its format with --format ${FORMATS.map((known) => known.name).join('|')}; see assay schema`,
            });
            problems.throwIfAny();
            return;
          }
          const row = format.read(record, text.line, context);
          if (row !== null) out.push(row);
        }
        yield out;
      }
    }
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

function detectTextFormat(start: string, name: string): Format | null {
  const plain = name.toLowerCase().replace(/\.gz$/, '');
  const byName = FORMATS.find(
    (format) => format.kind !== 'json' && format.extensions.some((extension) => plain.endsWith(extension)),
  );
  if (byName !== undefined) return byName;
  const character = start.trimStart()[0];
  if (character === '{' || character === '[') return null;
  const lines = start.split(/\r?\n/).slice(0, 20);
  return FORMATS.find((format) => format.kind !== 'json' && format.detects(lines)) ?? null;
}

function detectJsonFormat(record: Readonly<Record<string, unknown>>): Format | null {
  return FORMATS.find((format) => format.kind === 'json' && format.detects(record)) ?? null;
}
