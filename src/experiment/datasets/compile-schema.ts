import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { UsageError } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import { shorten } from '../../data/visible.ts';
import { isCheapSchema } from './cheap-schema.ts';
import { OutOfTime, workWithin } from './work-within.ts';

/** One thing that a value lacks by its schema. */
export interface SchemaFault {
  /** `expected_output.entities[2].name` */
  readonly path: string;
  readonly message: string;
}

/** What a validator found, in the user's terms: where, what was expected and what is there. */
function schemaFault(error: ErrorObject, at: string): SchemaFault {
  const path = `${at}${pathText(error.instancePath)}`;
  const params: Readonly<Record<string, unknown>> = error.params;
  const found = describe(error.data);
  switch (error.keyword) {
    case 'required':
    case 'dependentRequired':
      return { path: `${path}${pathPart(String(params['missingProperty']))}`, message: 'expected, but not there' };
    case 'additionalProperties':
      return { path: `${path}${pathPart(String(params['additionalProperty']))}`, message: 'no such field is expected' };
    case 'unevaluatedProperties':
      return {
        path: `${path}${pathPart(String(params['unevaluatedProperty']))}`,
        message: 'no such field is expected',
      };
    case 'type':
      return { path, message: `expected ${typeNames(params['type'])}, found ${found}` };
    case 'enum':
      return { path, message: `expected one of ${values(params['allowedValues'])}, found ${found}` };
    case 'const':
      return { path, message: `expected ${describe(params['allowedValue'])}, found ${found}` };
    case 'minLength':
      if (params['limit'] === 1) return { path, message: `expected text that is not empty, found ${found}` };
      return { path, message: `expected text of at least ${String(params['limit'])} characters, found ${found}` };
    case 'maxLength':
      return { path, message: `expected text of at most ${String(params['limit'])} characters, found ${found}` };
    case 'minItems':
      return { path, message: `expected a list of at least ${String(params['limit'])}, found ${found}` };
    case 'maxItems':
      return { path, message: `expected a list of at most ${String(params['limit'])}, found ${found}` };
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return { path, message: `expected ${String(params['comparison'])} ${String(params['limit'])}, found ${found}` };
    case 'pattern':
      return { path, message: `expected text like ${shorten(String(params['pattern']), 60)}, found ${found}` };
    case 'uniqueItems':
      return { path, message: `expected a list without repeats, found ${found}` };
    case 'false schema':
      return { path, message: `nothing is expected here, found ${found}` };
    default:
      return { path, message: `${shorten(error.message ?? error.keyword, 100)}, found ${found}` };
  }
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'text',
};

function typeNames(types: unknown): string {
  const all: readonly unknown[] = Array.isArray(types) ? types : [types];
  return all.map((type) => TYPE_NAMES[String(type)] ?? String(type)).join(' or ');
}

function values(allowed: unknown): string {
  const all: readonly unknown[] = Array.isArray(allowed) ? allowed : [];
  return shorten(all.map(plain).join(', '), 120);
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : describe(value);
}

/** `/entities/2/name` as `.entities[2].name` */
function pathText(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => pathPart(part.replaceAll('~1', '/').replaceAll('~0', '~')))
    .join('');
}

function pathPart(name: string): string {
  return /^\d+$/.test(name) ? `[${name}]` : `.${shorten(name)}`;
}

/** What is wrong with a value; `at` is what its path begins with. */
export type SchemaCheck = (value: unknown, at: string) => readonly SchemaFault[];

/** Schemas are written by people or by their types; a bigger one is a mistake or an attack. */
const MOST_LENGTH = 1 << 20;
/** More faults than this of one value tell nobody anything. */
const MOST_FAULTS = 20;
/** Making it and each check by it. A good schema needs a thousandth of this; what needs more may need for ever. */
const MOST_MS = 1000;

const OPTIONS: Options = {
  allErrors: true,
  // Keywords of other tools are no mistake.
  strict: false,
  // `format` is a note for readers: there is no agreement on what its names accept.
  validateFormats: false,
  // What an object inherits is no field of it.
  ownProperties: true,
  verbose: true,
  logger: false,
};
const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const DRAFT_2020 = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/**
 * A schema from outside (a user's file, a server) made ready. Nothing is fetched for it: references lead into the schema
 * itself or are refused. `what` is what messages call it.
 */
export function compileSchema(schema: unknown, what: string): SchemaCheck {
  if (typeof schema !== 'boolean' && !isRecord(schema))
    throw refusal(what, `expected a JSON Schema (an object), found ${describe(schema)}`);
  try {
    if (JSON.stringify(schema).length > MOST_LENGTH) throw refusal(what, 'it is longer than 1 MiB');
    if (isRecord(schema) && '$async' in schema) throw refusal(what, '$async is not JSON Schema');
    const validate = workWithin(() => dialectOf(schema, what).compile(schema), MOST_MS);
    const check = (value: unknown): boolean => isFit(validate, value, what);
    const isRight = isCheapSchema(schema) ? check : inTime(check, what);
    return (value, at) => {
      if (isRight(value)) return [];
      const errors = told(validate.errors ?? []);
      const faults = errors.slice(0, MOST_FAULTS).map((error) => schemaFault(error, at));
      const more = errors.length - faults.length;
      return more > 0 ? [...faults, { path: at, message: `… and ${more} more` }] : faults;
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw refusal(what, reasonOf(error));
  }
}

/** Patterns and references can keep a processor busy for years with a schema of a few lines. */
function inTime(check: (value: unknown) => boolean, what: string): (value: unknown) => boolean {
  return (value) => {
    try {
      return workWithin(() => check(value), MOST_MS);
    } catch (error) {
      if (error instanceof OutOfTime) throw refusal(what, TOO_SLOW);
      throw error;
    }
  };
}

function isFit(validate: (value: unknown) => unknown, value: unknown, what: string): boolean {
  try {
    return validate(value) === true;
  } catch (error) {
    if (error instanceof RangeError) throw refusal(what, 'it refers to itself without end');
    throw error;
  }
}

function dialectOf(schema: unknown, what: string): Ajv | Ajv2020 {
  const named = isRecord(schema) ? schema['$schema'] : undefined;
  // One instance a schema: two that give themselves the same $id would be in each other's way.
  if (named === undefined) return hasItemLists(schema) ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  if (typeof named === 'string' && DRAFT_2020.test(named)) return new Ajv2020(OPTIONS);
  if (typeof named === 'string' && DRAFT_7.test(named)) return new Ajv(OPTIONS);
  throw refusal(what, `its $schema is ${describe(named)}, expected JSON Schema 2020-12 or draft-07`);
}

/** Only draft-07 has lists under `items`. Langfuse takes that dialect for granted and refuses the name of another. */
function hasItemLists(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  return Object.entries(part).some(([key, inner]) => (key === 'items' && Array.isArray(inner)) || hasItemLists(inner));
}

/** Where one of several schemas had to fit, or a condition did not, what is wrong inside says it all. */
function told(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const inner = errors.filter(({ keyword }) => keyword !== 'if' && keyword !== 'not');
  return inner.length > 0 ? unionsAsOne(inner) : errors;
}

/** A value that is of none of several types, by an anyOf with a schema for each, is wrong once and not once for each. */
function unionsAsOne(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  return errors.flatMap((error) => {
    const inside = (one: ErrorObject, all: ErrorObject): boolean =>
      one.schemaPath.startsWith(`${all.schemaPath}/`) && `${one.instancePath}/`.startsWith(`${all.instancePath}/`);
    const union = errors.find((all) => all.keyword === 'anyOf' && inside(error, all)) ?? error;
    if (union.keyword !== 'anyOf') return [error];
    const parts = errors.filter((one) => inside(one, union));
    if (!parts.every(({ keyword, instancePath }) => keyword === 'type' && instancePath === union.instancePath))
      return [error];
    if (error !== union) return [];
    return [{ ...union, keyword: 'type', params: { type: parts.flatMap(({ params }): unknown => params['type']) } }];
  });
}

const TOO_SLOW = `checking by it takes longer than ${MOST_MS / 1000} s; look at its patterns, such as (a+)+, and at references that branch`;

function reasonOf(error: unknown): string {
  if (error instanceof OutOfTime) return TOO_SLOW;
  if (error instanceof RangeError) return 'it is nested too deeply';
  const message = error instanceof Error ? error.message : String(error);
  const [, reference] = /^can't resolve reference (\S+)/.exec(message) ?? [];
  if (reference !== undefined)
    return `it refers to ${shorten(reference, 100)}, which is not in it; only references such as #/$defs/name are followed`;
  return shorten(message.replace(/^schema is invalid: /, ''), 200);
}

function refusal(what: string, reason: string): UsageError {
  return new UsageError(`${what} cannot be used: ${reason}`);
}
