import type { ReadContext } from './data-options.ts';
import type { Fields } from './item.ts';
import { shorten } from './visible.ts';

/** What is kept is written as JSON later, which calls itself for every level and would run out of stack. */
const DEEPEST = 500;

/** Everything but the named fields, for slices and later use. */
export function without(record: Fields, names: ReadonlySet<string>, line: number, context: ReadContext): Fields {
  const rest: Record<string, unknown> = {};
  for (const key in record)
    if (!names.has(key) && mayKeep(key, record[key], key, line, context)) rest[key] = record[key];
  return rest;
}

/** Whether the fields of an item may be kept as they are; if not, why is noted. */
export function mayKeepAll(fields: Fields, where: string, line: number, context: ReadContext): boolean {
  for (const key in fields) if (!mayKeep(key, fields[key], `${where}.${key}`, line, context)) return false;
  return true;
}

function mayKeep(key: string, value: unknown, field: string, line: number, context: ReadContext): boolean {
  const fault = key === '__proto__' ? PROTO : typeof value === 'object' && value !== null ? faultWithin(value) : null;
  if (fault === null) return true;
  context.problems.add({ file: context.file, line, field: shorten(field), ...fault });
  return false;
}

interface Fault {
  readonly message: string;
  readonly next: string;
}

/** JSON makes a plain field of it, but whoever copies that field by assignment gives the copy another prototype. */
const PROTO: Fault = { message: 'the key __proto__ is not allowed in data', next: 'rename or remove it' };
const DEEP: Fault = {
  message: `nested more than ${DEEPEST} levels deep`,
  next: 'leave the field out, or give it as text',
};

/** Level by level, since calling itself would run out of stack here too. */
export function faultWithin(value: object): Fault | null {
  let level: object[] = [value];
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    const below: object[] = [];
    for (const one of level) {
      if (Object.hasOwn(one, '__proto__')) return PROTO;
      const inners: unknown[] = Object.values(one);
      for (const inner of inners) if (typeof inner === 'object' && inner !== null) below.push(inner);
    }
    if (below.length === 0) return null;
    level = below;
  }
  return DEEP;
}
