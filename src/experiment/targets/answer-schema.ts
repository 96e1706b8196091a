import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { harmless, shorten } from '../../data/visible.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What is wrong with a value, the first few things; empty where nothing is. */
export type SchemaCheck = (value: unknown) => readonly string[];

const SHOWN = 5;
/** Values with more parts than this are told the first violation only: each would cost an object. */
const MOST_PARTS = 10_000;

/** `format` is not checked: a format says what is meant, and servers differ on them. */
const SETTINGS: Options = { strict: false, logger: false, validateFormats: false };

const ENDLESS = 'the schema refers to itself without end';
/** One of each type: a schema that goes in circles does so for values of some type, however small. */
const TRIALS: readonly unknown[] = [null, true, 0, '', [], {}];

/** Draft 2020-12, or the draft 7 that `$schema` names. References go nowhere but into the schema itself. */
export function schemaCheck(schema: JsonSchema, where: string): SchemaCheck {
  const first = compiled(schema, SETTINGS, where);
  if (TRIALS.some((value) => fits(first, value) === null)) throw refusal(where, ENDLESS);
  let all: ValidateFunction | null = null;
  return (value) => {
    const isFit = fits(first, value);
    if (isFit === null) return [ENDLESS];
    if (isFit) return [];
    if (partsOf(value, MOST_PARTS) >= MOST_PARTS) return (first.errors ?? []).map(violation);
    all ??= compiled(schema, { ...SETTINGS, allErrors: true }, where);
    if (fits(all, value) === null) return [ENDLESS];
    const found = [...new Set((all.errors ?? []).map(violation))];
    return found.length > SHOWN ? [...found.slice(0, SHOWN), `and ${found.length - SHOWN} more`] : found;
  };
}

/** Null where it cannot be told. */
function fits(validate: ValidateFunction, value: unknown): boolean | null {
  try {
    return validate(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function compiled(schema: JsonSchema, settings: Options, where: string): ValidateFunction {
  // Ajv's own word, for checks that answer later: they would pass everything here.
  if (Object.hasOwn(schema, '$async')) throw refusal(where, '$async is not JSON Schema');
  const isDraft7 = /draft-0[67]/.test(String(schema['$schema']));
  const ajv = isDraft7 ? new Ajv(settings) : new Ajv2020(settings);
  try {
    return ajv.compile(schema);
  } catch (error) {
    throw refusal(where, shorten(error instanceof Error ? error.message : String(error), 300));
  }
}

function refusal(where: string, why: string): UsageError {
  return new UsageError(`${where}: not a JSON Schema that can be used (${why})`);
}

/** @example '/items/0/polarity must be equal to one of the allowed values (present, absent)' */
function violation({ instancePath, keyword, message = 'does not fit', params }: ErrorObject): string {
  const place = instancePath === '' ? 'the answer' : instancePath;
  return harmless(shorten(`${place} ${message}${detail(keyword, params)}`, 160));
}

function detail(keyword: string, params: unknown): string {
  if (!isRecord(params)) return '';
  if (keyword === 'enum' && Array.isArray(params['allowedValues'])) return ` (${params['allowedValues'].join(', ')})`;
  if (keyword === 'additionalProperties') return ` (${String(params['additionalProperty'])})`;
  return '';
}

/** How many values stand in a value, counted up to a limit. */
function partsOf(value: unknown, most: number): number {
  let parts = 0;
  const open = [value];
  while (open.length > 0 && parts + open.length < most) {
    const at = open.pop();
    parts += 1;
    if (typeof at === 'object' && at !== null) for (const inner of Object.values(at)) open.push(inner);
  }
  return parts + open.length;
}

/**
 * Whether every object in a schema names all its fields and no others, which OpenAI's strict mode asks for.
 *
 * @example namesEveryField({ type: 'object', properties: { a: {} } }) // false: `a` may be left out
 */
export function namesEveryField(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(namesEveryField);
  if (!isRecord(schema)) return true;
  if ([schema['type']].flat().includes('object') || isRecord(schema['properties'])) {
    const names = isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
    const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
    if (schema['additionalProperties'] !== false || !names.every((name) => required.includes(name))) return false;
  }
  return Object.entries(schema).every(([key, inner]) => key === 'enum' || key === 'const' || namesEveryField(inner));
}
