import type { Fields } from '../../data/item.ts';
import { UsageError } from '../../data/problems.ts';
import { describe, idOf, isRecord, mayKeepAll, wrong } from '../../data/record-fields.ts';
import type { DatasetItemInit } from '../../store/records.ts';
import { nearestNames } from '../../text/nearest.ts';
import { hasExactNumbers } from './exact-records.ts';
import { ITEM_SCHEMAS, type ItemTask } from './item-schemas.ts';
import type { ItemMaker, Reading } from './record-item.ts';

/** Where one part of an item comes from. */
export interface MappedField {
  /** The name under which the value is put; null: the value is the part itself. */
  readonly field: string | null;
  /** Of the table, or the field of a JSON record. */
  readonly column: string;
}

/** Which columns of a table (or fields of JSON records) make up an item. */
export interface FieldMap {
  readonly id: string | null;
  readonly input: readonly MappedField[] | null;
  readonly expected: readonly MappedField[] | null;
  /** Null: all columns that nothing else is made of. */
  readonly metadata: readonly MappedField[] | null;
  /** Columns whose text is JSON. */
  readonly json: ReadonlySet<string>;
}

export const NO_FIELD_MAP: FieldMap = { id: null, input: null, expected: null, metadata: null, json: new Set() };

/** The flags of `assay dataset import`, as they were given. */
export interface FieldFlags {
  readonly id?: string | undefined;
  readonly input?: string | undefined;
  readonly expected?: string | undefined;
  readonly metadata?: string | undefined;
  readonly json?: string | undefined;
}

/**
 * `a,b` takes two columns, `field=a` puts column a under another name. One column alone is the part itself; with a name
 * of its own, or beside others, it is a field of an object.
 */
export function fieldMap(flags: FieldFlags): FieldMap {
  const json = flags.json === undefined ? [] : namesOf('--json', flags.json);
  return {
    id: flags.id ?? null,
    input: partFlag('--input', flags.input),
    expected: partFlag('--expected', flags.expected),
    metadata:
      partFlag('--metadata', flags.metadata)?.map(({ field, column }) => ({ field: field ?? column, column })) ?? null,
    json: new Set(json),
  };
}

/** Whether it says how JSON records become items, which otherwise have their own shapes. */
export function mapsParts(map: FieldMap): boolean {
  return map.input !== null || map.expected !== null || map.metadata !== null || map.json.size > 0;
}

function partFlag(flag: string, given: string | undefined): MappedField[] | null {
  if (given === undefined) return null;
  const all = namesOf(flag, given).map((one) => {
    const at = one.indexOf('=');
    return at <= 0
      ? { field: null, column: one }
      : { field: one.slice(0, at).trim(), column: one.slice(at + 1).trim() };
  });
  if (all.length === 1) return all;
  const named = all.map(({ field, column }) => ({ field: field ?? column, column }));
  const repeated = named.find(({ field }, at) => named.findIndex((other) => other.field === field) !== at);
  if (repeated !== undefined) throw new UsageError(`${flag} ${given}: ${repeated.field} is there twice`);
  return named;
}

function namesOf(flag: string, given: string): string[] {
  const names = given.split(',').map((one) => one.trim());
  if (names.some((name) => name === '' || name.endsWith('=') || /(?:^|=)__proto__$|^__proto__=/.test(name)))
    throw new UsageError(`${flag} ${given}: expected names of columns with commas between`);
  return names;
}

const EXPECTED_COLUMNS = ['expected_output', 'expectedOutput', 'expected'];

/** Makes items of one file's records by a map of its columns, or else by those of the task's own tables. */
export function itemMapper(map: FieldMap, task: ItemTask | null, reading: Reading): Required<ItemMaker> {
  const { file, isTable, problems } = reading;
  const columns = task === null ? undefined : ITEM_SCHEMAS[task].columns;
  /** Columns that the map names and that no record had so far. */
  const unseen = new Set([
    ...(map.id === null ? [] : [map.id]),
    ...[map.input, map.expected, map.metadata].flatMap((part) => part?.map(({ column }) => column) ?? []),
    ...map.json,
  ]);
  /** Null where a column is missing that every record would need. */
  let whole: FieldMap | null | undefined;

  const reportUnseen = (names: readonly string[] | null): null => {
    for (const name of unseen) {
      const near = nearestNames(name, names ?? []);
      const message = names === null ? 'no record has a field called' : 'there is no column';
      const next = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `columns: ${names?.join(', ') ?? ''}`;
      const line = names === null ? null : 1;
      problems.add({ file, line, message: `${message} ${describe(name)}`, next: names === null ? undefined : next });
    }
    unseen.clear();
    return null;
  };

  /** Where the map does not say it, columns called as the parts are called. */
  const withUsualNames = (record: Fields): FieldMap | null => {
    const isThere = (name: string): boolean => Object.hasOwn(record, name);
    const itself = (names: readonly string[]): MappedField[] | null => {
      const column = names.find(isThere);
      return column === undefined ? null : [{ field: null, column }];
    };
    const fields = (names: readonly string[] = []): MappedField[] | null =>
      names.length > 0 && names.every(isThere) ? names.map((name) => ({ field: name, column: name })) : null;
    const input = map.input ?? itself(['input']) ?? fields(columns?.input);
    if (input !== null) {
      const expected = map.expected ?? itself(EXPECTED_COLUMNS) ?? fields(columns?.expected);
      return { ...map, id: map.id ?? (isThere('id') ? 'id' : null), input, expected };
    }
    const names = Object.keys(record);
    const missing = columns?.input.filter((name) => !isThere(name)) ?? [];
    for (const name of missing) unseen.add(name);
    if (missing.length > 0) return reportUnseen(names);
    const message = `which columns are the input? There are ${names.join(', ')}`;
    const next = 'name them with --input COLUMN,COLUMN, and what is expected with --expected COLUMN';
    problems.add({ file, line: 1, message, next });
    return null;
  };

  return {
    item(record, line) {
      for (const name of unseen) if (Object.hasOwn(record, name)) unseen.delete(name);
      // All rows of a table have the same columns: what the first lacks, they all lack.
      if (whole === undefined)
        whole = isTable && unseen.size > 0 ? reportUnseen(Object.keys(record)) : withUsualNames(record);
      return whole === null ? null : mappedItem(record, whole, line, reading);
    },
    end: () => void reportUnseen(null),
  };
}

function mappedItem(record: Fields, map: FieldMap, line: number, reading: Reading): DatasetItemInit | null {
  const before = reading.problems.count;
  const values = parsedFields(record, map.json, line, reading);
  if (reading.problems.count > before) return null;
  const id = map.id === null ? undefined : idOf(values, [map.id], line, reading);
  const input = partOf(map.input ?? [], values);
  const expectedOutput = partOf(map.expected ?? [], values);
  const metadata = map.metadata === null ? restOf(values, map) : partOf(map.metadata, values);
  if (id !== null && input === undefined)
    wrong(reading, line, (map.input ?? []).map(({ column }) => column).join(','), 'an input', undefined);
  if (id === null || input === undefined || !mayKeepAll({ input, expectedOutput, metadata }, 'item', line, reading))
    return null;
  return { ...(id === undefined ? {} : { id }), input, expectedOutput, metadata };
}

/** The record with its JSON columns parsed; an empty cell cannot be told from one that was not filled in. */
function parsedFields(record: Fields, json: ReadonlySet<string>, line: number, reading: Reading): Fields {
  const isFilled = (value: unknown): boolean => (value ?? null) !== null && !(reading.isTable && value === '');
  const parsed = ([name, value]: [string, unknown]): [string, unknown] => {
    if (!json.has(name) || typeof value !== 'string') return [name, value];
    try {
      const inner: unknown = JSON.parse(value);
      hasExactNumbers(value, line, reading, name);
      return [name, inner];
    } catch {
      return [name, wrong(reading, line, name, 'JSON, as --json says', value)];
    }
  };
  return Object.fromEntries(
    Object.entries(record)
      .filter(([, value]) => isFilled(value))
      .map(parsed),
  );
}

function partOf(fields: readonly MappedField[], values: Fields): unknown {
  const [only] = fields;
  if (fields.length === 1 && only?.field === null) return values[only.column];
  const found = fields.flatMap(({ field, column }): [string, unknown][] =>
    Object.hasOwn(values, column) ? [[field ?? column, values[column]]] : [],
  );
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** What nothing else is made of; a column called metadata that holds an object is spread out. */
function restOf(values: Fields, { id, input, expected }: FieldMap): unknown {
  const used = new Set([id, ...[...(input ?? []), ...(expected ?? [])].map(({ column }) => column)]);
  const { metadata, ...others } = Object.fromEntries(Object.entries(values).filter(([name]) => !used.has(name)));
  const rest = isRecord(metadata) || metadata === undefined ? { ...metadata, ...others } : { metadata, ...others };
  return Object.keys(rest).length === 0 ? undefined : rest;
}
