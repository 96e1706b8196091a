import type { ReadContext, Row, TextFormat } from '../format.ts';
import { type Fields, type Item, makeItem } from '../item.ts';
import { wrong } from '../record-fields.ts';
import { columnName, type Columns, columnsOf, type Part } from './csv-columns.ts';
import type { CsvRecord } from '../csv-records.ts';
import { UNGIVEN } from './span-items.ts';

/** CSV (or TSV, or ; as spreadsheets write it): one span per row on a side, one case per row in a case file. */
export const csv: TextFormat = {
  kind: 'text',
  name: 'csv',
  about:
    'a table with a header; columns id,start,end,label[,text] for spans, id,text for cases; other names by data.columns',
  example: 'document,from,to,category   with --columns id=document,start=from,end=to,label=category',
  extensions: ['.csv', '.tsv'],
  detects: ([header = '']) => /^[^[\]\s,;]+[,;\t]/.test(header) && !/[{}]/.test(header),
  async *read(records, context) {
    const table = new Table(context);
    let columns: Columns | null = null;
    for await (const batch of records.rows()) {
      for (const record of batch) {
        if (columns === null) {
          columns = columnsOf(record, context);
          if (columns === null) return;
        } else table.take(record, columns);
      }
    }
    yield table.rows();
  },
};

/** Rows by case. All of them are held, since the spans of a case may stand anywhere in a table. */
class Table {
  readonly #context: ReadContext;
  readonly #rows: Row[] = [];
  readonly #items = new Map<string, Item[]>();

  constructor(context: ReadContext) {
    this.#context = context;
  }

  rows(): Row[] {
    return this.#rows;
  }

  take(record: CsvRecord, columns: Columns): void {
    const context = this.#context;
    const { cells, line } = record;
    if (cells.length !== columns.names.length) {
      wrong(context, line, 'row', `${columns.names.length} cells as in the header`, cells.length);
      return;
    }
    const cell = (part: Part): string | null => {
      const at = columns.places.get(part);
      return at === undefined ? null : cells[at]!;
    };
    const id = cell('id');
    if (id === null || id === '') wrong(context, line, columnName('id', context.options), 'a case id', id);
    else if (context.role === 'cases') this.#add(id, line, cell('text'), fieldsOf(record, columns), null);
    else this.#takeSpan(id, cell, record, columns);
  }

  #takeSpan(id: string, cell: (part: Part) => string | null, record: CsvRecord, columns: Columns): void {
    const context = this.#context;
    const { line } = record;
    let items = this.#items.get(id);
    if (items === undefined) {
      items = [];
      this.#items.set(id, items);
      this.#add(id, line, null, {}, items);
    }
    const [start, end, label] = [cell('start')!, cell('end')!, cell('label')!];
    // A case with nothing found may be given as a row of its id and empty cells.
    if (start.trim() === '' && end.trim() === '' && label === '') return;
    const from = wholeNumber(start, 'start', line, context);
    const to = wholeNumber(end, 'end', line, context);
    if (label === '') wrong(context, line, columnName('label', context.options), 'a label', label);
    if (from === null || to === null || label === '') return;
    items.push(
      makeItem({
        kind: 'span',
        index: items.length,
        label,
        // An empty cell cannot be told from one that was not filled in.
        text: cell('text') || UNGIVEN,
        start: from,
        end: to,
        line,
        fields: fieldsOf(record, columns),
        annotator: cell('annotator') || null,
      }),
    );
  }

  #add(id: string, line: number, text: string | null, fields: Fields, items: readonly Item[] | null): void {
    const { role } = this.#context;
    this.#rows.push({
      id,
      line,
      text,
      fields,
      gold: role === 'gold' ? items : null,
      predicted: role === 'predictions' ? items : null,
      failed: null,
    });
  }
}

function wholeNumber(cell: string, part: Part, line: number, context: ReadContext): number | null {
  const text = cell.trim();
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  return wrong(context, line, columnName(part, context.options), 'a whole number of at most 15 digits', cell);
}

function fieldsOf({ cells }: CsvRecord, { others }: Columns): Fields {
  return Object.fromEntries(others.map(({ name, at }) => [name, cells[at]]));
}
