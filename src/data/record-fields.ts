import type { ReadContext } from './data-options.ts';
import type { MissingList } from './missing-list.ts';
import { type Fields, type Item, type ItemInit, makeItem } from './item.ts';
import { shorten, visible } from './visible.ts';

/** Checks on the fields of records from outside, each noting what was found and what was expected. */

type Place = Pick<ReadContext, 'file' | 'problems'>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return visible(shorten(value));
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return isRecord(value) ? 'an object' : `a ${typeof value}`;
}

export function wrong(
  context: Place,
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
    next,
  });
  return null;
}

/** An id may be a number in the file; it is text from here on. A record without one is its number in the file. */
export function idOf(
  record: Fields,
  names: readonly string[],
  line: number,
  context: Place & Pick<ReadContext, 'numbering'>,
): string | null {
  const name = names.find((one) => record[one] !== undefined && record[one] !== null) ?? names[0]!;
  const value = record[name];
  if ((value === undefined || value === null) && context.numbering !== undefined) {
    context.numbering.used += 1;
    return String(context.numbering.at);
  }
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number') {
    // Beyond this, different numbers of the file have become one and the same.
    if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
    return wrong(context, line, name, 'a case id that a number can hold exactly', value, 'write it in quotes');
  }
  return wrong(context, line, name, 'a case id (text or number, not empty)', value);
}

/** Text or null when absent; anything else is a problem. */
export function textOf(value: unknown, field: string, line: number, context: Place): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : wrong(context, line, field, 'text', value);
}

/** The text of a record; in a case file it has to be there, unless both sides stand beside it. */
export function caseTextOf(record: Fields, isNeeded: boolean, line: number, context: ReadContext): string | null {
  const text = record['text'];
  if (context.role !== 'cases' || !isNeeded || (text !== undefined && text !== null))
    return textOf(text, 'text', line, context);
  const next = 'give a file of one side with --gold or --predictions';
  return wrong(context, line, 'text', 'the text of the case', text, next);
}

export function listOf(value: unknown, field: string, line: number, context: Place): readonly unknown[] | null {
  return Array.isArray(value) ? value : wrong(context, line, field, 'a list', value);
}

/** A list of annotations, under the name that the record has for it. */
export interface AnnotationList {
  readonly name: string;
  readonly list: readonly unknown[];
  readonly missing: MissingList | null;
}

/** The annotations under one of these names. Tools leave an empty list out or write null; anything else is a problem. */
export function annotationList(
  record: Fields,
  names: readonly string[],
  line: number,
  context: Place,
): AnnotationList | null {
  for (const name of names) {
    const list = record[name];
    if (!Array.isArray(list)) continue;
    const rival = names.find((other) => other !== name && isRival(list, record[other]));
    if (rival === undefined) return { name, list, missing: null };
    const next = `name it: --columns spans=${name} or spans=${rival}; or leave the other out`;
    return wrong(context, line, name, `one list of annotations, without another under ${rival}`, list, next);
  }
  const missing = missingList(record, names);
  if (missing !== null) return { name: names[0]!, list: [], missing };
  const other = names.find((name) => (record[name] ?? null) !== null)!;
  return wrong(context, line, other, 'a list', record[other]);
}

/** Whether another list has other annotations. */
function isRival(list: readonly unknown[], other: unknown): boolean {
  return isAnnotationList(other) && JSON.stringify(other) !== JSON.stringify(list);
}

/** What a record has instead of lists of these names; null if it has something under one of them. */
export function missingList(record: Fields, names: readonly string[]): MissingList | null {
  if (names.some((name) => (record[name] ?? null) !== null)) return null;
  return names.some((name) => name in record) ? 'null' : 'absent';
}

/** Whether a record has a list of one of these names with nothing in it, be it null. */
export function hasEmptyList(record: Fields, names: readonly string[]): boolean {
  return names.some((name) => name in record && isUnfilled(record[name]));
}

/** An empty list, or what tools write in its place: null or nothing. */
export function isUnfilled(value: unknown): boolean {
  return value === undefined || value === null || isEmptyList(value);
}

export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Whether a value is a list of objects or lists, as annotations are. */
export function isAnnotationList(value: unknown): value is readonly unknown[] {
  return unknownList(value).some((raw) => isRecord(raw) || Array.isArray(raw));
}

/** Whether a value is a span as a list: `[start, end, label]`. */
export function isPlaceList(value: unknown): value is readonly [start: number, end: number, label: string] {
  if (!Array.isArray(value)) return false;
  const [start, end, label] = unknownList(value);
  return value.length === 3 && Number.isInteger(start) && Number.isInteger(end) && typeof label === 'string';
}

/** A list whose elements are not known yet; empty for anything else. */
export function unknownList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * One item for each object of a list, which it keeps as its fields. `make` gives null where it has noted what is wrong
 * with a part of one, with `bad`.
 */
export function objectItems(
  list: readonly unknown[],
  where: string,
  expected: string,
  line: number,
  context: ReadContext,
  make: (raw: Fields, bad: (field: string, expected: string, found: unknown) => null) => MadeItem | null,
): Item[] {
  return list.flatMap((raw: unknown, index): Item[] => {
    const at = `${where}[${index}]`;
    if (!isRecord(raw)) {
      wrong(context, line, at, expected, raw);
      return [];
    }
    const made = make(raw, (field, part, found) => wrong(context, line, `${at}.${field}`, part, found));
    if (made === null || !mayKeepAll(raw, at, line, context)) return [];
    return [makeItem({ ...made, index, line, fields: raw })];
  });
}

type MadeItem = Omit<ItemInit, 'index' | 'line' | 'fields'>;

/** Why a system gave no output, from a record's `error`; null if absent. */
export function failureOf(record: Fields): string | null {
  const error = record['error'];
  if (error === undefined || error === null || error === false || error === '') return null;
  if (typeof error === 'string') return error;
  if (Array.isArray(error) && error.length > 0 && error.every((part) => typeof part === 'string'))
    return error.join(' ');
  const message = isRecord(error) ? error['message'] : undefined;
  return typeof message === 'string' ? message : describe(error);
}

/** What is kept is written as JSON later, which calls itself for every level and would run out of stack. */
const DEEPEST = 500;

/** Everything but the named fields, for slices and later use. */
export function without(record: Fields, names: ReadonlySet<string>, line: number, context: Place): Fields {
  const rest: Record<string, unknown> = {};
  for (const key in record)
    if (!names.has(key) && mayKeep(key, record[key], key, line, context)) rest[key] = record[key];
  return rest;
}

/** Whether the fields of an item may be kept as they are; if not, why is noted. */
export function mayKeepAll(fields: Fields, where: string, line: number, context: Place): boolean {
  for (const key in fields) if (!mayKeep(key, fields[key], `${where}.${key}`, line, context)) return false;
  return true;
}

function mayKeep(key: string, value: unknown, field: string, line: number, context: Place): boolean {
  const fault = key === '__proto__' ? PROTO : typeof value === 'object' && value !== null ? faultWithin(value) : null;
  if (fault === null) return true;
  context.problems.add({ file: context.file, line, field: shorten(field), ...fault });
  return false;
}

interface Fault {
  readonly message: string;
  readonly next: string;
}

/** JSON makes a plain field of it, but copying that field by assignment gives the copy another prototype. */
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
