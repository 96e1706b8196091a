import { UsageError } from '../../data/problems.ts';

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
    input: partOf('--input', flags.input),
    expected: partOf('--expected', flags.expected),
    metadata:
      partOf('--metadata', flags.metadata)?.map(({ field, column }) => ({ field: field ?? column, column })) ?? null,
    json: new Set(json),
  };
}

/** Whether it says how JSON records become items, which otherwise have their own shapes. */
export function mapsParts(map: FieldMap): boolean {
  return map.input !== null || map.expected !== null || map.metadata !== null || map.json.size > 0;
}

function partOf(flag: string, given: string | undefined): MappedField[] | null {
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
