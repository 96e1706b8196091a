import { z } from 'zod';

import { Refusal } from '../refusal.ts';
import { problemsOf } from '../request-body.ts';

const condition = z.object({
  type: z.string(),
  column: z.string(),
  operator: z.string(),
  value: z.unknown().optional(),
  key: z.string().optional(),
});
const conditions = z.array(condition).max(50);

/** What a row has under each name that can be asked for. */
export type Columns<T> = Readonly<Record<string, (row: T) => unknown>>;

type Test = (found: unknown, value: unknown) => boolean;

const OPERATORS: Readonly<Record<string, Test>> = {
  '=': isSame,
  '<>': (found, value) => !isSame(found, value),
  contains: (found, value) => textOf(found).includes(textOf(value)),
  'does not contain': (found, value) => !textOf(found).includes(textOf(value)),
  'starts with': (found, value) => textOf(found).startsWith(textOf(value)),
  'ends with': (found, value) => textOf(found).endsWith(textOf(value)),
  'any of': (found, value) => listOf(found).some((one) => listOf(value).includes(one)),
  'none of': (found, value) => !listOf(found).some((one) => listOf(value).includes(one)),
  'all of': (found, value) => listOf(value).every((one) => listOf(found).includes(one)),
  '>': (found, value) => sizeOf(found) > sizeOf(value),
  '<': (found, value) => sizeOf(found) < sizeOf(value),
  '>=': (found, value) => sizeOf(found) >= sizeOf(value),
  '<=': (found, value) => sizeOf(found) <= sizeOf(value),
  'is null': (found) => found === null || found === undefined,
  'is not null': (found) => found !== null && found !== undefined,
};

/** The `filter` of a query, a list of conditions in JSON, as a test of rows; null without one. */
export function rowFilter<T>(text: string | undefined, columns: Columns<T>): ((row: T) => boolean) | null {
  if (text === undefined) return null;
  const tests = conditionsOf(text).map(({ column: name, operator, value, key }) => {
    const column = ownEntry(columns, name);
    if (column === undefined)
      throw new Refusal(
        400,
        `filter: the column ${name} is not known here; there are ${Object.keys(columns).join(', ')}`,
      );
    const test = ownEntry(OPERATORS, operator);
    if (test === undefined) throw new Refusal(400, `filter: the operator ${operator} is not known here`);
    return (row: T) => test(keyed(column(row), key), value);
  });
  return (row) => tests.every((test) => test(row));
}

function conditionsOf(text: string): z.output<typeof conditions> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'filter: expected a list of conditions in JSON');
  }
  const result = conditions.safeParse(value);
  if (!result.success) throw new Refusal(400, `filter: ${problemsOf(conditions, value, result.error)}`);
  return result.data;
}

function ownEntry<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function keyed(value: unknown, key: string | undefined): unknown {
  if (key === undefined) return value;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** A number of a row may be asked for as text, as metadata is. */
function isSame(found: unknown, value: unknown): boolean {
  return found === value || (found !== null && found !== undefined && textOf(found) === value);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Numbers by size; times, and what else is text, by their moment. */
function sizeOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
