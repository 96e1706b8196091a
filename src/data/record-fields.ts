import type { ReadContext } from './format.ts';
import type { Fields } from './item.ts';
import { visible } from './json-record.ts';

/** Checks on the fields of records from outside, each noting what was found and what was expected. */

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return visible(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isRecord(value)) return 'an object';
  return String(value);
}

export function wrong(
  context: ReadContext,
  line: number,
  field: string,
  expected: string,
  found: unknown,
  next?: string,
): null {
  context.problems.add({
    file: context.file,
    line,
    field,
    message: `expected ${expected}, found ${describe(found)}`,
    ...(next === undefined ? {} : { next }),
  });
  return null;
}

/** An id may be a number in the file; it is text from here on. */
export function idOf(record: Fields, names: readonly string[], line: number, context: ReadContext): string | null {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
    if (value !== undefined) return wrong(context, line, name, 'a case id (text or number, not empty)', value);
  }
  return wrong(context, line, names[0] ?? 'id', 'a case id', undefined);
}

/** Text or null when absent; anything else is a problem. */
export function textOf(value: unknown, field: string, line: number, context: ReadContext): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : wrong(context, line, field, 'text', value);
}

export function listOf(value: unknown, field: string, line: number, context: ReadContext): readonly unknown[] | null {
  return Array.isArray(value) ? value : wrong(context, line, field, 'a list', value);
}

/** Everything but the named fields, for slices and later use. */
export function without(record: Fields, names: ReadonlySet<string>): Fields {
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(record)) if (!names.has(key)) rest[key] = value;
  return rest;
}
