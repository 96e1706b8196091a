import type { Fields } from '../../data/item.ts';
import { describe, idOf, isRecord, mayKeepAll, wrong } from '../../data/record-fields.ts';
import type { DatasetItemInit } from '../../store/records.ts';
import { nearestNames } from '../../text/nearest.ts';
import { hasExactNumbers } from './exact-numbers.ts';
import type { FieldMap, MappedField } from './field-map.ts';
import type { TaskColumns } from './item-schemas.ts';
import type { Reading } from './read-records.ts';

const EXPECTED_COLUMNS = ['expected_output', 'expectedOutput', 'expected'];

/** Makes items of one file's records by a map of its columns. */
export class ItemMapper {
  readonly #map: FieldMap;
  readonly #reading: Reading;
  readonly #columns: TaskColumns | null;
  /** Columns that the map names and that no record had so far. */
  readonly #unseen: Set<string>;
  #resolved: FieldMap | null = null;
  #hopeless = false;

  /** `columns` are those of the task's own tables, where the map names none. */
  constructor(map: FieldMap, reading: Reading, columns: TaskColumns | null = null) {
    this.#map = map;
    this.#columns = columns;
    this.#reading = reading;
    this.#unseen = new Set([
      ...(map.id === null ? [] : [map.id]),
      ...[map.input, map.expected, map.metadata].flatMap((part) => part?.map(({ column }) => column) ?? []),
      ...map.json,
    ]);
  }

  item(record: Fields, line: number): DatasetItemInit | null {
    for (const name of this.#unseen) if (Object.hasOwn(record, name)) this.#unseen.delete(name);
    // All rows of a table have the same columns: what the first lacks, they all lack.
    if (this.#hopeless) return null;
    if (this.#reading.isTable && this.#unseen.size > 0) {
      this.#hopeless = true;
      this.#reportUnseen(Object.keys(record));
      return null;
    }
    this.#resolved ??= this.#withUsualNames(record);
    if (this.#resolved === null) return null;
    return this.#made(record, this.#resolved, line);
  }

  /** Once the file has been read. */
  end(): void {
    if (!this.#hopeless && this.#unseen.size > 0) this.#reportUnseen(null);
  }

  #reportUnseen(columns: readonly string[] | null): void {
    const { file, problems } = this.#reading;
    for (const name of this.#unseen) {
      const near = columns === null ? [] : nearestNames(name, columns);
      problems.add({
        file,
        line: columns === null ? null : 1,
        message:
          columns === null ? `no record has a field called ${describe(name)}` : `there is no column ${describe(name)}`,
        ...(columns === null
          ? {}
          : { next: near.length > 0 ? `did you mean ${near.join(' or ')}?` : `columns: ${columns.join(', ')}` }),
      });
    }
    this.#unseen.clear();
  }

  /** Where the map does not say it, columns called as the parts are called. */
  #withUsualNames(record: Fields): FieldMap | null {
    const itself = (names: readonly string[]): MappedField[] | null => {
      const column = names.find((name) => Object.hasOwn(record, name));
      return column === undefined ? null : [{ field: null, column }];
    };
    const fields = (names: readonly string[] = []): MappedField[] | null =>
      names.length > 0 && names.every((name) => Object.hasOwn(record, name))
        ? names.map((name) => ({ field: name, column: name }))
        : null;
    const input = this.#map.input ?? itself(['input']) ?? fields(this.#columns?.input);
    if (input === null) {
      this.#hopeless = true;
      if (this.#columns !== null) {
        for (const name of this.#columns.input) if (!Object.hasOwn(record, name)) this.#unseen.add(name);
        this.#reportUnseen(Object.keys(record));
        return null;
      }
      this.#reading.problems.add({
        file: this.#reading.file,
        line: 1,
        message: `which columns are the input? There are ${Object.keys(record).join(', ')}`,
        next: 'name them with --input COLUMN,COLUMN, and what is expected with --expected COLUMN',
      });
      return null;
    }
    return {
      ...this.#map,
      id: this.#map.id ?? (Object.hasOwn(record, 'id') ? 'id' : null),
      input,
      expected: this.#map.expected ?? itself(EXPECTED_COLUMNS) ?? fields(this.#columns?.expected),
    };
  }

  #made(record: Fields, map: FieldMap, line: number): DatasetItemInit | null {
    const reading = this.#reading;
    const values = this.#parsed(record, line);
    if (values === null) return null;
    const id = map.id === null ? undefined : idOf(values, [map.id], line, reading);
    if (id === null) return null;
    const input = partOf(map.input ?? [], values);
    if (input === undefined)
      return wrong(reading, line, (map.input ?? []).map(({ column }) => column).join(','), 'an input', undefined);
    const expectedOutput = map.expected === null ? undefined : partOf(map.expected, values);
    const metadata = map.metadata === null ? restOf(values, map) : partOf(map.metadata, values);
    if (!mayKeepAll({ input, expectedOutput, metadata }, 'item', line, reading)) return null;
    return {
      ...(id === undefined ? {} : { id }),
      input,
      ...(expectedOutput === undefined ? {} : { expectedOutput }),
      ...(metadata === undefined ? {} : { metadata }),
    };
  }

  /** The record with its JSON columns parsed; an empty cell cannot be told from one that was not filled in. */
  #parsed(record: Fields, line: number): Fields | null {
    const values: [string, unknown][] = [];
    for (const [name, value] of Object.entries(record)) {
      if (value === null || value === undefined || (this.#reading.isTable && value === '')) continue;
      if (!this.#map.json.has(name) || typeof value !== 'string') values.push([name, value]);
      else
        try {
          const parsed: unknown = JSON.parse(value);
          const { file, problems } = this.#reading;
          if (!hasExactNumbers({ text: value, line }, file, problems, name)) return null;
          values.push([name, parsed]);
        } catch {
          return wrong(this.#reading, line, name, 'JSON, as --json says', value);
        }
    }
    return Object.fromEntries(values);
  }
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
function restOf(values: Fields, map: FieldMap): unknown {
  const used = new Set([map.id, ...[...(map.input ?? []), ...(map.expected ?? [])].map(({ column }) => column)]);
  const { metadata, ...others } = Object.fromEntries(Object.entries(values).filter(([name]) => !used.has(name)));
  const rest: Fields = isRecord(metadata)
    ? { ...metadata, ...others }
    : { ...(metadata === undefined ? {} : { metadata }), ...others };
  return Object.keys(rest).length === 0 ? undefined : rest;
}
