import { closestNames } from '../../text/closest-names.ts';
import type { CsvRecord } from '../csv-records.ts';
import { roleColumns, type DataOptions, type ReadContext } from '../data-options.ts';
import type { Row, TextFormat, WrittenCase } from '../format.ts';
import { type Fields, type Item, makeItem } from '../item.ts';
import { extraFields, withFields } from '../extra-fields.ts';
import { type Problem, UsageError } from '../problems.ts';
import { describe, wrong } from '../record-fields.ts';
import { harmless } from '../visible.ts';
import { classField, classificationProblem } from './categories.ts';
import { MAPPED_PARTS } from './mapped-records.ts';
import { relationItem } from './mentions.ts';
import { UNGIVEN } from './span-items.ts';
import { TRIPLE_NAMES, tripleRecords } from './triples.ts';

/** What is looked for in a table; a column map gives the file's own names. */
const PARTS = ['id', 'text', 'start', 'end', 'label', 'annotator', 'source', 'type', 'target'] as const;
type Part = (typeof PARTS)[number];
const SPAN_PARTS: readonly Part[] = ['id', 'text', 'start', 'end', 'label', 'annotator'];

/** The column of each part in a table. */
interface Columns {
  readonly width: number;
  readonly places: ReadonlyMap<Part, number>;
  /** The other columns, kept as fields. */
  readonly others: readonly { readonly name: string; readonly at: number }[];
}

/** CSV (or TSV, or ; as spreadsheets write it): one span per row on a side, one case per row in a case file. */
export const csv: TextFormat = {
  kind: 'text',
  name: 'csv',
  about:
    'a table with a header: id,start,end,label[,text] for spans, id,subject,predicate,object for triples, id,text for cases',
  example: 'document,from,to,category   with --columns id=document,start=from,end=to,label=category',
  extensions: ['.csv', '.tsv'],
  detects: ([header = '']) => /^[^[\]\s,;]+[,;\t]/.test(header) && !/[{}]/.test(header),
  async *read(records, context) {
    // All rows are held, since the spans of a case may stand anywhere in a table.
    const rows: Row[] = [];
    const found = new Map<string, Item[]>();
    let columns: Columns | null = null;
    for await (const batch of records.rows())
      for (const record of batch) {
        if (columns !== null) takeRow(record, columns, context, rows, found);
        else {
          columns = columnsOf(record, context);
          if (columns === null) return;
        }
      }
    // Another file may have further rows of the same cases.
    const gathered = context.role !== 'cases' && columns?.places.has('id') === true ? context.gathered : undefined;
    if (gathered === undefined) yield rows;
    else for (const row of rows) gathered.add(row);
  },
  writer: {
    extension: '.csv',
    layout: 'whole',
    holds: ['names', 'pieces'],
    idOf: (id) => id.toWellFormed(),
    whole: tableOf,
  },
};

/** A row for each span or triple, with all fields that any has; a case without any is a row with its id. */
function tableOf(cases: readonly WrittenCase[]): string {
  const isTriples = cases.some(({ items }) => items.some(({ kind }) => kind === 'relationship'));
  const own = isTriples
    ? ['id', 'subject', 'predicate', 'object', 'annotator']
    : ['id', 'start', 'end', 'label', 'text', 'annotator'];
  const rows = cases.flatMap(({ id, text, items }): Fields[] => {
    const characters = text === null ? null : [...text];
    const written = isTriples
      ? tripleRecords({ items }).map(({ item, triple }) => ({ item, record: triple }))
      : items.filter(({ start }) => start >= 0).map((item) => ({ item, record: spanRecord(item, characters) }));
    const some = written.map(({ item, record }) => {
      const { annotator } = item;
      return withFields({ id, ...record, annotator }, extraFields(item), TAKEN);
    });
    return some.length === 0 ? [{ id }] : some;
  });
  const named = new Set(
    rows.flatMap(Object.keys).filter((name) => name.trim() === name && name !== '' && !own.includes(name)),
  );
  const columns = [...own, ...named];
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))];
  return lines.map((cells) => `${cells.map(cellText).join(',')}\n`).join('');
}

/** Names that would make spans of triples; those of spans are taken. */
const TAKEN = new Set(['start', 'end']);

/** A span in pieces is written as one from the first to the last, with all words between. */
function spanRecord({ start, end, label, text, fragments }: Item, characters: readonly string[] | null): Fields {
  const words = fragments === undefined ? text : (characters?.slice(start, end).join('') ?? '');
  return { start, end, label, text: words };
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return /[",\r\n;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function numbered({ numbering }: ReadContext): number {
  if (numbering !== undefined) numbering.used = 1;
  return 1;
}

function takeRow(
  { cells, line }: CsvRecord,
  { width, places, others }: Columns,
  context: ReadContext,
  rows: Row[],
  found: Map<string, Item[]>,
): void {
  const { role } = context;
  const cell = (part: Part): string => cells[places.get(part) ?? -1] ?? '';
  const bad = (part: Part, expected: string): null =>
    wrong(context, line, columnName(part, context.options), expected, cell(part));
  const wholeNumber = (part: Part): number | null =>
    /^\s*-?\d{1,15}\s*$/.test(cell(part)) ? Number(cell(part)) : bad(part, 'a whole number of at most 15 digits');
  if (cells.length !== width) {
    wrong(context, line, 'row', `${width} cells as in the header`, cells.length);
    return;
  }
  // Triples without ids are all of one case.
  const id = places.has('id') ? cell('id') : String(numbered(context));
  if (id === '') {
    bad('id', 'a case id');
    return;
  }
  const fields: Fields = Object.fromEntries(others.map(({ name, at }) => [name, cells[at]]));
  const row = { id, line, text: null, fields: {}, gold: null, predicted: null, failed: null };
  if (role === 'cases') {
    rows.push({ ...row, text: places.has('text') ? cell('text') : null, fields });
    return;
  }
  const items = found.get(id) ?? [];
  if (!found.has(id)) {
    found.set(id, items);
    rows.push({ ...row, [role === 'gold' ? 'gold' : 'predicted']: items });
  }
  if (places.has('source')) {
    const ends = { source: cell('source'), label: cell('type'), target: cell('target') };
    const init = { ...ends, annotator: cell('annotator') || null, fields };
    const isEmpty = [init.source, init.label, init.target].every((one) => one === '');
    const item = isEmpty ? null : relationItem(init, { index: items.length, line, field: '', context });
    if (item !== null) items.push(item);
    return;
  }
  const label = cell('label');
  // A case with nothing found may be given as a row of its id and empty cells.
  if (cell('start').trim() === '' && cell('end').trim() === '' && label === '') return;
  const [start, end] = [wholeNumber('start'), wholeNumber('end')];
  if (label === '') bad('label', 'a label');
  if (start === null || end === null || label === '') return;
  // An empty cell cannot be told from one that was not filled in.
  const [text, annotator] = [cell('text') || UNGIVEN, cell('annotator') || null];
  items.push(makeItem({ kind: 'span', index: items.length, label, text, start, end, line, fields, annotator }));
}

/** What a file calls a part. */
function columnName(part: Part, { columns }: Pick<DataOptions, 'columns'>): string {
  return columns[part] ?? part;
}

/** Names of the ends and the type of triples, if the header has them and no spans. */
function tripleColumns(names: readonly string[], { columns }: Pick<DataOptions, 'columns'>): DataOptions['columns'] {
  if (columns['start'] !== undefined || (names.includes('start') && names.includes('end'))) return {};
  const own = ['source', 'type', 'target'].map((part) => columns[part] ?? '');
  const found = [own, ...TRIPLE_NAMES].find((triple) => triple.every((name) => names.includes(name)));
  const [source, type, target] = found ?? [];
  return source === undefined || type === undefined || target === undefined ? {} : { source, type, target };
}

/** Finds the columns in a header; null, with the problems noted, when one that is needed is not there. */
function columnsOf({ cells, line }: CsvRecord, context: ReadContext): Columns | null {
  const { file, problems } = context;
  const names = cells.map((cell) => cell.trim());
  const given = { columns: roleColumns(context.options.columns, context.role) };
  refuseUnknownParts(given);
  const triple = context.role === 'cases' ? {} : tripleColumns(names, given);
  const options = { columns: { ...given.columns, ...triple } };
  const repeated = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (repeated !== undefined) return wrong(context, line, 'header', 'each column name once', repeated);
  if (names.includes('__proto__'))
    return wrong(context, line, 'header', 'other column names', '__proto__', 'rename or remove this column');

  const isCases = context.role === 'cases';
  const isTriples = 'source' in triple;
  const ofSide: readonly Part[] = isTriples ? ['id', 'source', 'type', 'target', 'annotator'] : SPAN_PARTS;
  const wanted: readonly Part[] = isCases ? ['id', 'text'] : ofSide;
  const needed: readonly Part[] = isCases ? ['id', 'text'] : isTriples ? ['source'] : ['id', 'start', 'end', 'label'];
  const found = names.map((name) => describe(name)).join(', ');
  if (isHeadless(names, wanted, options)) {
    const message = `expected the names of the columns in the first line, found ${found}`;
    const next = `write a line above it that names them, such as ${needed.join(',')}`;
    problems.add({ file, line, field: 'header', message, next });
    return null;
  }
  const places = new Map<Part, number>();
  const missing: Problem[] = [];
  for (const part of wanted) {
    const name = columnName(part, options);
    const at = names.indexOf(name);
    // The map may speak of the spans' files only, where `text` is the surface: a case file may keep the plain names.
    const place = at < 0 && isCases ? names.indexOf(part) : at;
    if (place >= 0) places.set(part, place);
    else if (needed.includes(part) || name !== part) {
      const message = `expected a column for ${part}, found only ${found}`;
      const next = `map it with --columns ${part}=${closestNames(name, names, 1)[0] ?? 'NAME'}`;
      missing.push({ file, line, field: `column ${name}`, message, next });
    }
  }
  if (missing.length > 0) {
    const field = classField(Object.fromEntries(names.map((name) => [name, name])));
    const isClassified = field !== null && !['start', 'end', 'source'].some((name) => names.includes(name));
    for (const one of isClassified ? [classificationProblem(`${field} holds`, file, line)] : missing) problems.add(one);
    return null;
  }
  const used = new Set(places.values());
  const others = names.flatMap((name, at) => (used.has(at) || name === '' ? [] : [{ name, at }]));
  return { width: names.length, places, others };
}

/** A first line with none of the names that are looked for, and a number among its cells, is a row: no map would help. */
function isHeadless(names: readonly string[], wanted: readonly Part[], options: Pick<DataOptions, 'columns'>): boolean {
  return (
    names.some((name) => /^-?\d+(?:\.\d+)?$/.test(name)) &&
    !wanted.some((part) => names.includes(part) || names.includes(columnName(part, options)))
  );
}

function refuseUnknownParts(options: Pick<DataOptions, 'columns'>): void {
  for (const name of Object.keys(options.columns)) {
    if (PARTS.some((part) => part === name) || MAPPED_PARTS.includes(name.replace(/^(?:gold|predicted)\./, '')))
      continue;
    const near = closestNames(name, PARTS, 1);
    throw new UsageError(
      `columns: there is no part called ${harmless(name)}`,
      near.length > 0 ? `did you mean ${near[0]!}?` : `parts: ${PARTS.join(', ')}`,
    );
  }
}
