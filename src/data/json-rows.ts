import type { Format, JsonFormat, ReadContext, Row } from './format.ts';
import { FORMATS } from './formats.ts';
import { FAILED, parseRecord } from './json-record.ts';
import type { TextRecord } from './lines.ts';
import { describe, isRecord } from './record-fields.ts';

/** Rows are handed on in small groups: parsed records that wait for their turn are what garbage collection pays for. */
const GROUP = 16;

/** Parses JSON records into rows; the first record decides the format unless one was named. */
export async function* jsonRows(
  records: AsyncIterable<readonly TextRecord[]>,
  named: Format | null,
  context: ReadContext,
  onFormat: (format: Format) => void,
): AsyncGenerator<Row[]> {
  let format: JsonFormat | null = named?.kind === 'json' ? named : null;
  for await (const batch of records) {
    let group: Row[] = [];
    for (const record of batch) {
      const value = parseRecord(record, context.file, context.problems);
      if (value === FAILED) continue;
      if (!isRecord(value)) {
        context.problems.add({
          file: context.file,
          line: record.line,
          message: `expected a JSON object, found ${describe(value)}`,
        });
        continue;
      }
      if (format === null) {
        format = detect(value, record.line, context);
        onFormat(format);
      }
      const row = format.read(value, record.line, context);
      if (row !== null) group.push(row);
      if (group.length === GROUP) {
        yield group;
        group = [];
      }
    }
    if (group.length > 0) yield group;
  }
}

function detect(record: Readonly<Record<string, unknown>>, line: number, context: ReadContext): JsonFormat {
  for (const format of FORMATS) if (format.kind === 'json' && format.detects(record)) return format;
  context.problems.add({
    file: context.file,
    line,
    message: `cannot tell what this file is: a record with ${Object.keys(record).slice(0, 6).join(', ') || 'no fields'}`,
    next: `name its format with --format ${FORMATS.map((known) => known.name).join('|')}; assay schema shows them`,
  });
  context.problems.throwIfAny();
  throw new Error('unreachable');
}
