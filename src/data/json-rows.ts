import { formatOfRecord, misfit, unknownRecord } from './detect-format.ts';
import type { Format, JsonFormat, ReadContext, Row } from './format.ts';
import { spans } from './formats/spans.ts';
import type { Fields } from './item.ts';
import { FAILED, parseRecord } from './json-record.ts';
import type { TextRecord } from './lines.ts';
import { Problems } from './problems.ts';
import { describe, failureOf, isRecord } from './record-fields.ts';

/** Rows are handed on in small groups: parsed records that wait for their turn are what garbage collection pays for. */
const GROUP = 16;

/** Parses JSON records into rows; the first record that tells decides the format unless one was named. */
export async function* jsonRows(
  records: AsyncIterable<readonly TextRecord[]>,
  named: JsonFormat | null,
  context: ReadContext,
  onFormat: (format: Format) => void,
): AsyncGenerator<Row[]> {
  let format = named;
  let isFirst = named !== null;
  /** Failures ({id, error}) tell nothing of the format: they wait for a record that does. */
  let failures: { readonly value: Fields; readonly line: number }[] = [];
  const failureRows = (known: JsonFormat): Row[] => {
    const rows = failures.flatMap(({ value, line }) => known.read(value, line, context) ?? []);
    failures = [];
    return rows;
  };
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
        format = formatOfRecord(value);
        if (format === null) {
          if (failureOf(value) === null) throw unknownRecord(value, record.line, context.file);
          failures.push({ value, line: record.line });
          continue;
        }
        onFormat(format);
        group = failureRows(format);
      }
      const row = isFirst ? readFirst(format, value, record.line, context) : format.read(value, record.line, context);
      isFirst = false;
      if (row !== null && 'id' in row) group.push(row);
      else if (row !== null) group = [...group, ...row];
      if (group.length >= GROUP) {
        yield group;
        group = [];
      }
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
  context: ReadContext,
): ReturnType<JsonFormat['read']> {
  const problems = new Problems();
  const row = named.read(first, line, { ...context, problems });
  const other = problems.count === 0 || named.detects(first) ? null : formatOfRecord(first);
  if (other !== null) throw misfit(context.file, line, named, other.name);
  context.problems.addAll(problems);
  return row;
}
