import { Readable } from 'node:stream';

import { CsvError, type Info, parse } from 'csv-parse';

import { nearestNames } from '../../text/nearest.ts';
import type { ByteFormat, ReadContext, Row } from '../format.ts';
import { type Item, makeItem } from '../item.ts';
import { wrong } from '../record-fields.ts';
import { UNGIVEN } from './span-items.ts';

/** What Assay looks for in a table; a column map gives the file's own names. */
const PARTS = ['id', 'text', 'start', 'end', 'label', 'annotator'] as const;
type Part = (typeof PARTS)[number];

/** CSV (or TSV, or ; as spreadsheets write it): one span per row on a side, one case per row in a case file. */
export const csv: ByteFormat = {
  kind: 'bytes',
  name: 'csv',
  about:
    'a table with a header; columns id,start,end,label[,text] for spans, id,text for cases; other names by data.columns',
  example: 'document,from,to,category   with --columns id=document,start=from,end=to,label=category',
  extensions: ['.csv', '.tsv'],
  detects: (lines) =>
    /^[^{}[\]\s]+[,;\t][^{}]*$/.test(lines[0] ?? '') && !/^\S+\s+[BIOESLU](-\S+)?$/.test(lines[0] ?? ''),
  async *read(bytes, context) {
    const rows = new Map<string, { row: Row; items: Item[] }>();
    let columns: ReadonlyMap<Part, number> | null = null;
    let header: readonly string[] = [];
    const parser = Readable.from(bytes).pipe(
      parse({
        bom: true,
        info: true,
        delimiter: [',', ';', '\t'],
        record_delimiter: ['\r\n', '\n', '\r'],
        skip_empty_lines: true,
        relax_column_count: true,
        max_record_size: context.options.maxRecordMiB * 1048576,
      }),
    );
    try {
      for await (const parsed of parser as AsyncIterable<{ info: Info; record: string[] }>) {
        const { record, info } = parsed;
        if (columns === null) {
          header = record;
          columns = columnPlaces(record, context);
          if (columns === null) return;
          continue;
        }
        if (record.length !== header.length) {
          wrong(context, info.lines, 'row', `${header.length} cells as in the header`, record);
          continue;
        }
        takeRow(rows, record, header, columns, info.lines, context);
      }
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
      context.problems.add({
        file: context.file,
        line: Number(error['lines'] ?? 0) || null,
        message: `not CSV: ${error.message}`,
      });
      return;
    }
    yield [...rows.values()].map(({ row, items }) => sided(row, items, context));
  },
};

function columnPlaces(header: readonly string[], context: ReadContext): ReadonlyMap<Part, number> | null {
  const places = new Map<Part, number>();
  const repeated = header.find((name, at) => header.indexOf(name) !== at);
  if (repeated !== undefined) {
    wrong(context, 1, 'header', 'each column name once', repeated);
    return null;
  }
  const needed: readonly Part[] = context.role === 'cases' ? ['id', 'text'] : ['id', 'start', 'end', 'label'];
  for (const part of PARTS) {
    const name = context.options.columns[part] ?? part;
    const at = header.indexOf(name);
    if (at >= 0) places.set(part, at);
    else if (needed.includes(part) || context.options.columns[part] !== undefined) {
      const near = nearestNames(name, header);
      const hint = near.length > 0 ? `map it with --columns ${part}=${near[0]}` : `map it with --columns ${part}=NAME`;
      wrong(context, 1, `column ${name}`, `a column for ${part}`, `only ${header.join(', ')}`, hint);
    }
  }
  return needed.every((part) => places.has(part)) ? places : null;
}

function takeRow(
  rows: Map<string, { row: Row; items: Item[] }>,
  record: readonly string[],
  header: readonly string[],
  columns: ReadonlyMap<Part, number>,
  line: number,
  context: ReadContext,
): void {
  const cell = (part: Part): string | null => {
    const at = columns.get(part);
    return at === undefined ? null : (record[at] ?? null);
  };
  const id = cell('id');
  if (id === null || id === '') {
    wrong(context, line, context.options.columns['id'] ?? 'id', 'a case id', id ?? undefined);
    return;
  }
  if (context.role === 'cases') {
    if (rows.has(id)) {
      wrong(context, line, 'id', 'each case once', id);
      return;
    }
    rows.set(id, {
      row: {
        id,
        line,
        text: cell('text'),
        fields: rest(record, header, columns),
        gold: null,
        predicted: null,
        failed: null,
      },
      items: [],
    });
    return;
  }
  const held = rows.get(id) ?? {
    row: { id, line, text: null, fields: {}, gold: null, predicted: null, failed: null },
    items: [],
  };
  rows.set(id, held);
  const start = wholeNumber(cell('start'), 'start', line, context);
  const end = wholeNumber(cell('end'), 'end', line, context);
  const label = cell('label');
  // A case with nothing found may be given as a row of its id and empty cells.
  if (start === 'empty' && end === 'empty' && (label === null || label === '')) return;
  if (typeof start !== 'number' || typeof end !== 'number') {
    if (start === 'empty' || end === 'empty') wrong(context, line, 'start, end', 'whole numbers', '');
    return;
  }
  if (label === null || label === '') {
    wrong(context, line, context.options.columns['label'] ?? 'label', 'a label', label ?? undefined);
    return;
  }
  held.items.push(
    makeItem({
      kind: 'span',
      index: held.items.length,
      label,
      text: cell('text') ?? UNGIVEN,
      start,
      end,
      line,
      fields: rest(record, header, columns),
      annotator: cell('annotator'),
    }),
  );
}

function wholeNumber(cell: string | null, part: Part, line: number, context: ReadContext): number | 'empty' | null {
  if (cell === null || cell.trim() === '') return 'empty';
  const text = cell.trim();
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  return wrong(context, line, context.options.columns[part] ?? part, 'a whole number', cell);
}

function rest(
  record: readonly string[],
  header: readonly string[],
  columns: ReadonlyMap<Part, number>,
): Record<string, unknown> {
  const used = new Set(columns.values());
  return Object.fromEntries(header.flatMap((name, at) => (used.has(at) ? [] : [[name, record[at]]])));
}

function sided(row: Row, items: readonly Item[], context: ReadContext): Row {
  if (context.role === 'gold') return { ...row, gold: items };
  if (context.role === 'predictions') return { ...row, predicted: items };
  return row;
}
