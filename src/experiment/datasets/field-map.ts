import type { Fields } from '../../data/item.ts';
import { UsageError } from '../../data/problems.ts';
import { describe, idOf, isRecord, mayKeepAll, wrong } from '../../data/record-fields.ts';
import { didYouMean } from '../../prepare/setting-error.ts';
import type { DatasetItemInit } from '../../store/records.ts';
import { defined } from '../defined.ts';
import { hasExactNumbers } from './exact-records.ts';
import { ITEM_SCHEMAS, type ItemTask } from './item-schemas.ts';
import type { ItemMaker, Reading } from './record-item.ts';

/** One part of an item: a column that is the part itself, or columns by the names of its fields. */
type Part = string | ReadonlyMap<string, string>;

/** Which columns of a table (or fields of JSON records) make up an item. */
export interface FieldMap {
  readonly id: string | null;
  readonly input: Part | null;
  readonly expected: Part | null;
  /** Null: all columns that nothing else is made of. */
  readonly metadata: Part | null;
  /** Columns whose text is JSON. */
  readonly json: ReadonlySet<string>;
}

export const NO_FIELD_MAP: FieldMap = { id: null, input: null, expected: null, metadata: null, json: new Set() };

/** The flags of `assay dataset import`, as they were given. */
export type FieldFlags = { readonly [Name in keyof FieldMap]?: string | undefined };

/** `a,b` maps two fields and `field=a` renames one; a single column without a name is the part itself. */
export function fieldMap(flags: FieldFlags): FieldMap {
  const metadata = partFlag('--metadata', flags.metadata);
  return {
    id: flags.id ?? null,
    input: partFlag('--input', flags.input),
    expected: partFlag('--expected', flags.expected),
    metadata: typeof metadata === 'string' ? new Map([[metadata, metadata]]) : metadata,
    json: new Set(flags.json === undefined ? [] : namesOf('--json', flags.json)),
  };
}

function partFlag(flag: string, given: string | undefined): Part | null {
  if (given === undefined) return null;
  const names = namesOf(flag, given);
  const [only] = names;
  if (names.length === 1 && only!.indexOf('=') <= 0) return only!;
  const part = new Map<string, string>();
  for (const name of names) {
    const [, field = name, column = name] = /^([^=]+)=(.*)$/s.exec(name) ?? [];
    if (part.has(field.trim())) throw new UsageError(`${flag} ${given}: ${field.trim()} is there twice`);
    part.set(field.trim(), column.trim());
  }
  return part;
}

function namesOf(flag: string, given: string): string[] {
  const names = given.split(',').map((one) => one.trim());
  if (names.some((name) => name === '' || name.endsWith('=') || /(?:^|=)__proto__$|^__proto__=/.test(name)))
    throw new UsageError(`${flag} ${given}: expected names of columns with commas between`);
  return names;
}

function columnsOf(part: Part | null): string[] {
  return part === null ? [] : typeof part === 'string' ? [part] : [...part.values()];
}

const EXPECTED_COLUMNS = ['expected_output', 'expectedOutput', 'expected'];

/** Makes items of one file's records by a map of its columns, or else by those of the task's own tables. */
export function itemMapper(map: FieldMap, task: ItemTask | null, reading: Reading): Required<ItemMaker> {
  const { file, isTable, problems } = reading;
  const columns = task === null ? undefined : ITEM_SCHEMAS[task].columns;
  /** Columns that the map names and that no record had so far. */
  const unseen = new Set([
    ...(map.id === null ? [] : [map.id]),
    ...[map.input, map.expected, map.metadata].flatMap(columnsOf),
    ...map.json,
  ]);
  /** Null if a column is missing that every record would need. */
  let whole: FieldMap | null | undefined;

  const reportUnseen = (names: readonly string[]): null => {
    for (const name of unseen) {
      const next = didYouMean(name, names) ?? `columns: ${names.join(', ')}`;
      problems.add({ file, line: 1, message: `there is no column ${describe(name)}`, next });
    }
    unseen.clear();
    return null;
  };

  /** What the map leaves open is in columns that are called as the parts are called. */
  const withUsualNames = (record: Fields): FieldMap | null => {
    const isThere = (name: string): boolean => Object.hasOwn(record, name);
    const fields = (names: readonly string[] = []): Part | null =>
      names.length > 0 && names.every(isThere) ? new Map(names.map((name) => [name, name])) : null;
    const input = map.input ?? (isThere('input') ? 'input' : fields(columns?.input));
    if (input !== null) {
      const expected = map.expected ?? EXPECTED_COLUMNS.find(isThere) ?? fields(columns?.expected);
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
    end() {
      for (const name of unseen)
        problems.add({ file, line: null, message: `no record has a field called ${describe(name)}` });
    },
  };
}

function mappedItem(record: Fields, map: FieldMap, line: number, reading: Reading): DatasetItemInit | null {
  const before = reading.problems.count;
  const values = parsedFields(record, map.json, line, reading);
  if (reading.problems.count > before) return null;
  const id = map.id === null ? undefined : idOf(values, [map.id], line, reading);
  const input = partOf(map.input, values);
  const expectedOutput = partOf(map.expected, values);
  const metadata = map.metadata === null ? restOf(values, map) : partOf(map.metadata, values);
  if (id === null) return null;
  if (input === undefined) return wrong(reading, line, columnsOf(map.input).join(','), 'an input', undefined);
  if (!mayKeepAll({ input, expectedOutput, metadata }, 'item', line, reading)) return null;
  return defined({ id, input, expectedOutput, metadata });
}

/** The record with its JSON columns parsed; an empty cell cannot be told from one that was not filled in. */
function parsedFields(record: Fields, json: ReadonlySet<string>, line: number, reading: Reading): Fields {
  const parsed = (name: string, value: unknown): unknown => {
    if (!json.has(name) || typeof value !== 'string') return value;
    try {
      const inner: unknown = JSON.parse(value);
      hasExactNumbers(value, line, reading, name);
      return inner;
    } catch {
      return wrong(reading, line, name, 'JSON, because of --json', value);
    }
  };
  const filled = Object.entries(record).filter(([, value]) => value != null && !(reading.isTable && value === ''));
  return Object.fromEntries(filled.map(([name, value]) => [name, parsed(name, value)]));
}

function partOf(part: Part | null, values: Fields): unknown {
  if (part === null || typeof part === 'string') return part === null ? undefined : values[part];
  const found = [...part].filter(([, column]) => Object.hasOwn(values, column));
  return found.length === 0 ? undefined : Object.fromEntries(found.map(([field, column]) => [field, values[column]]));
}

/** What nothing else is made of; a column called metadata that holds an object is spread out. */
function restOf(values: Fields, { id, input, expected }: FieldMap): unknown {
  const used = new Set([id, ...columnsOf(input), ...columnsOf(expected)]);
  const { metadata, ...others } = Object.fromEntries(Object.entries(values).filter(([name]) => !used.has(name)));
  const rest = isRecord(metadata) || metadata === undefined ? { ...metadata, ...others } : { metadata, ...others };
  return Object.keys(rest).length === 0 ? undefined : rest;
}
