import type { z } from 'zod';

import { describe, isRecord } from '../../../data/record-fields.ts';

type Issue = z.core.$ZodIssue;

/** Either the record as its schema describes it, or what is wrong with it, a sentence for each field. */
export type Checked<T> =
  | { readonly record: T; readonly faults: null }
  | { readonly record: null; readonly faults: readonly string[] };

/** More faults than this of one record tell nobody anything. */
const MOST_FAULTS = 10;

/** A fault of one field, with where in the record that is. */
export interface SchemaFault {
  readonly path: readonly string[];
  readonly message: string;
}

/** Either the value as a schema describes it, or what is wrong with it, field by field. */
export function schemaFaults<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { readonly record: T; readonly faults: null } | { readonly record: null; readonly faults: readonly SchemaFault[] } {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { record: parsed.data, faults: null };
  if (!isRecord(value))
    return { record: null, faults: [{ path: [], message: `found ${describe(value)}, expected a JSON object` }] };
  const issues = parsed.error.issues.slice(0, MOST_FAULTS);
  return {
    record: null,
    faults: issues.map((issue) => ({ path: issue.path.map(String), message: fault(issue, value, 'a number') })),
  };
}

export function checkedRecord<T>(schema: z.ZodType<T>, value: unknown, types: readonly string[]): Checked<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { record: parsed.data, faults: null };
  if (!isRecord(value)) return { record: null, faults: [`found ${describe(value)}, expected a JSON object`] };
  const type = value['record_type'];
  if (typeof type !== 'string' || !types.includes(type))
    return { record: null, faults: [`record_type: found ${describe(type)}, expected ${oneOf(types)}`] };
  return {
    record: null,
    faults: parsed.error.issues.slice(0, MOST_FAULTS).map((issue) => fault(issue, value, 'a whole number')),
  };
}

/** `number`: what a field that is a number is called. */
function fault(issue: Issue, value: unknown, number: string): string {
  const field = issue.path.map(String).join('.');
  const found = describe(valueAt(value, issue.path));
  return `${field}: found ${found}, expected ${expected(issue, number)}`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  object: 'an object',
  string: 'text',
};

function expected(issue: Issue, number: string): string {
  if (issue.code === 'invalid_type' && issue.expected === 'number') return number;
  if (issue.code === 'invalid_type') return TYPE_NAMES[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') return oneOf(issue.values.map(String));
  if (issue.code === 'too_small') return `at least ${issue.minimum}`;
  if (issue.code === 'too_big') return `at most ${issue.maximum}`;
  if (issue.code === 'invalid_format') return FORMATS[issue.format] ?? issue.message;
  return issue.message;
}

/** Other formats say in their own message what they expect. */
const FORMATS: Readonly<Record<string, string>> = { datetime: 'a time such as 2000-01-31T12:00:00.000Z' };

function oneOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = Reflect.get(at, part);
  }
  return at;
}
