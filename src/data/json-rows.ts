import { isUtf8 } from 'node:buffer';

import { mayScanSpans } from './data-options.ts';
import { claimOf, hasBothSides, plainRecord, recordOfSide } from './dataset-item.ts';
import type { FileContext, Format, JsonFormat, ReadOptions, Row } from './format.ts';
import { formatOfRecord, likelyFormat, misfit, recordFor, shownFormat, shownSide, unknownRecords } from './formats.ts';
import { spans } from './formats/spans.ts';
import { GatheredRows } from './gathered-rows.ts';
import type { Fields } from './item.ts';
import { Problems } from './problems.ts';
import { describe, failureOf } from './record-fields.ts';
import type { Records } from './records.ts';
import { makeSpanCase, type SpanCase } from './span-case.ts';
import { SpanScanner } from './span-scanner.ts';
import { reportUnreadSide } from './unread-side.ts';

/** The settings of a read, for records. */
export type RecordContext = FileContext & { readonly options: ReadOptions };

/** Formats that decide about a file of records. */
export interface RecordFormats {
  /** Custom ones, tried before the built-in ones. */
  readonly custom: readonly Format[];
  /** Those of the files beside it that are known so far. */
  readonly others: () => readonly Format[];
  /** The format of the files that are read as one with it, once one of them shows a format. */
  readonly shared?: () => Promise<JsonFormat | null>;
}

/** A record that shows no format: nothing is annotated in it, or the system failed. */
interface OpenRecord {
  readonly value: Fields;
  readonly line: number;
  readonly number: number;
}

/** Limits of what waits for a record that shows the format: records, and characters of all. */
const MOST_OPEN = 100_000;
const MOST_CHARACTERS = 1 << 24;

/** What every record looks like that the scanner takes. */
const SPAN_RECORD = { id: '', text: '', gold: [], predicted: [] };

/** Rows of JSON records; the first record that holds something decides the format unless one was named. */
export async function* jsonRows(
  records: Pick<Records, 'values'>,
  named: JsonFormat | null,
  context: RecordContext,
  formats: RecordFormats,
  onFormat: (format: Format) => void,
): AsyncGenerator<Row[]> {
  const { file, problems, numbering } = context;
  let format = named;
  // Nobody named a format that the first lines show.
  let isFirst = named !== null && context.options.format !== 'auto';
  let open: OpenRecord[] = [];
  let size = 0;
  const { readers } = context.options;
  const scanner = new SpanScanner(readers?.labels);
  const isScanned = context.role === 'cases' && mayScanSpans(context.options);
  // A first record that is too long to be looked at before shows what the file has.
  let mayBeSpans = named === null && shownFormat(SPAN_RECORD, formats.custom) === spans;
  const scan = (bytes: Buffer, line: number): SpanCase | null => {
    const isWanted = isScanned && (format === spans || mayBeSpans);
    const scanned = isWanted && isUtf8(bytes) ? scanner.scan(bytes) : null;
    if (scanned !== null && format === null) onFormat((format = spans));
    mayBeSpans = false;
    return scanned && makeSpanCase(scanned, line);
  };
  const isSpans = isScanned && format === spans;
  const ofFile = new GatheredRows();
  const gathered = context.gathered ?? ofFile;
  const firstNumber = (numbering?.at ?? 0) + 1;

  function rowsOf(known: JsonFormat, { value: given, line, number }: OpenRecord): readonly Row[] {
    const isCustom = formats.custom.includes(known);
    const value = isCustom || context.role === 'cases' ? given : recordFor(known, recordOfSide(given, context.role));
    const isItem = known.isPerItem?.(value) === true;
    // Items that name no case are all of the same one.
    if (numbering !== undefined) numbering.at = isItem ? firstNumber : number;
    const row = isFirst ? readFirst(known, value, line, context) : known.read(value, line, context);
    isFirst = false;
    // What a custom format reads is up to it.
    const rows = isCustom ? rowsIn(row) : rowsIn(row).map((one) => rowOfItem(one, value, line, known));
    if (!isCustom) for (const one of rows) reportUnreadSide(one, context);
    if (!isItem) return rows;
    for (const one of rows) gathered.add(one);
    return [];
  }

  /** The row of a dataset item: of a case, with what was made of it, in whatever format that is. */
  function rowOfItem(row: Row, value: Fields, line: number, known: JsonFormat): Row {
    if (context.role !== 'cases') {
      const claim = claimOf(value, context.role);
      return claim === undefined ? row : { ...row, claim };
    }
    if (row.predicted !== null || row.failed !== null || !hasBothSides(value)) return row;
    const answer = recordOfSide(value, 'predictions');
    const shown = shownSide(answer, 'predictions', formats.custom);
    // An output that shows no format need not be an answer.
    const apart = shown === null ? new Problems() : null;
    const own = { ...context, role: 'predictions' as const, problems: apart ?? problems };
    const answered = shown ?? known;
    const [made] = rowsIn(answered.read(recordFor(answered, answer), line, own));
    return made === undefined || (apart?.count ?? 0) > 0 ? row : { ...row, predicted: made.predicted };
  }

  function settle(known: JsonFormat): Row[] {
    onFormat((format = known));
    const rows = open.flatMap((one) => rowsOf(known, one));
    open = [];
    return rows;
  }

  for await (const batch of records.values(scan, isSpans ? readers : undefined)) {
    const group: Row[] = [];
    for (const record of batch) {
      if (numbering !== undefined) numbering.at += 1;
      if ('spans' in record) {
        group.push(record);
        continue;
      }
      const { line } = record;
      const value = plainRecord(record.value);
      if (value === null) {
        problems.add({ file, line, message: `expected a JSON object, found ${describe(record.value)}` });
        continue;
      }
      const current = { value, line, number: numbering?.at ?? line };
      if (format === null) {
        const shown = shownSide(value, context.role, formats.custom);
        if (shown !== null) for (const row of settle(shown)) group.push(row);
      }
      if (format !== null) {
        for (const row of rowsOf(format, current)) group.push(row);
        continue;
      }
      open.push(current);
      size += record.text.length;
      const isMuch = open.length >= MOST_OPEN || size > MOST_CHARACTERS;
      if (isMuch && open.some((one) => failureOf(one.value) === null))
        for (const row of await settleOpen()) group.push(row);
    }
    if (group.length > 0) yield group;
  }
  if (open.length > 0) yield await settleOpen();
  // Another file may have further items of the same cases.
  if (ofFile.size > 0) yield ofFile.rows(format?.join);

  /** Nothing shows the format: what could have left nothing but these records decides. */
  async function settleOpen(): Promise<Row[]> {
    const number = numbering?.at;
    const values = open
      .filter(({ value }) => failureOf(value) === null)
      .map((one) => ({ ...one, value: recordOfSide(one.value, context.role) }));
    const likely = (await formats.shared?.()) ?? likelyFormat(values, context, formats.others());
    if (likely === null && values.length > 0) throw unknownRecords(values, context);
    // All formats read failures alike.
    const rows = settle(likely ?? spans);
    if (numbering !== undefined && number !== undefined) numbering.at = number;
    return rows;
  }
}

function rowsIn(row: Row | readonly Row[] | null): readonly Row[] {
  return row === null ? [] : 'id' in row ? [row] : row;
}

/** A named format whose first record is wrong, and is right for another format, is most likely the wrong name. */
function readFirst(
  named: JsonFormat,
  first: Fields,
  line: number,
  context: RecordContext,
): ReturnType<JsonFormat['read']> {
  const problems = new Problems();
  const row = named.read(first, line, { ...context, problems });
  const isSure = problems.count === 0 || named.detects(first) || named.mayBe?.(first) === true;
  const other = isSure ? null : formatOfRecord(first, context.options.formats);
  if (other !== null) throw misfit(context.file, line, named, other.name);
  context.problems.addAll(problems);
  return row;
}
