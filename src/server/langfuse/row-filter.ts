import { z } from 'zod';

import { Refusal } from '../refusal.ts';
import { problemsOf } from './route.ts';

const condition = z.object({
  type: z.string(),
  column: z.string(),
  operator: z.string(),
  value: z.unknown().optional(),
  key: z.string().optional(),
});
const conditions = z.array(condition).max(50);

type Condition = z.output<typeof condition>;

/** What a row says under each name that can be asked for. */
export type Columns<T> = Readonly<Record<string, (row: T) => unknown>>;

/** The `filter` of a query, which is a list of conditions in JSON, as a test of rows; null where there is none. */
export function rowFilter<T>(text: string | undefined, columns: Columns<T>): ((row: T) => boolean) | null {
  if (text === undefined) return null;
  const tests = conditionsOf(text).map((one) => {
    const column = Object.hasOwn(columns, one.column) ? columns[one.column] : undefined;
    if (column === undefined) {
      throw new Refusal(
        400,
        `filter: the column ${one.column} is not known here; there are ${Object.keys(columns).join(', ')}`,
      );
    }
    return (row: T) => fits(keyed(column(row), one.key), one);
  });
  return (row) => tests.every((test) => test(row));
}

function conditionsOf(text: string): Condition[] {
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

function keyed(value: unknown, key: string | undefined): unknown {
  if (key === undefined) return value;
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function fits(found: unknown, { operator, value }: Condition): boolean {
  const list = Array.isArray(found) ? found : [found];
  const wanted: readonly unknown[] = Array.isArray(value) ? value : [value];
  switch (operator) {
    case '=':
      return same(found, value);
    case '<>':
      return !same(found, value);
    case 'contains':
      return textOf(found).includes(textOf(value));
    case 'does not contain':
      return !textOf(found).includes(textOf(value));
    case 'starts with':
      return textOf(found).startsWith(textOf(value));
    case 'ends with':
      return textOf(found).endsWith(textOf(value));
    case 'any of':
      return list.some((one) => wanted.includes(one));
    case 'none of':
      return !list.some((one) => wanted.includes(one));
    case 'all of':
      return wanted.every((one) => list.includes(one));
    case '>':
    case '<':
    case '>=':
    case '<=':
      return compares(found, value, operator);
    case 'is null':
      return found === null || found === undefined;
    case 'is not null':
      return found !== null && found !== undefined;
    default:
      throw new Refusal(400, `filter: the operator ${operator} is not known here`);
  }
}

/** A number of a row may be asked for as text, as metadata is. */
function same(found: unknown, value: unknown): boolean {
  return found === value || (found !== null && found !== undefined && textOf(found) === value);
}

/** Numbers by size; times, and what else is text, by their moment. */
function compares(found: unknown, value: unknown, operator: '>' | '<' | '>=' | '<='): boolean {
  const left = sizeOf(found);
  const right = sizeOf(value);
  if (operator === '>') return left > right;
  if (operator === '<') return left < right;
  return operator === '>=' ? left >= right : left <= right;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
