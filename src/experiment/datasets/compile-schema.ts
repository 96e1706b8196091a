import type { ErrorObject } from 'ajv';

import { UsageError } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { shorten } from '../../data/visible.ts';
import { compileJsonSchema, pointerParts, UnusableSchema } from '../json-schema.ts';

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
  return pointerParts(pointer).map(pathPart).join('');
}

function pathPart(name: string): string {
  return /^\d+$/.test(name) ? `[${name}]` : `.${shorten(name)}`;
}

/** More faults than this of one value tell nobody anything. */
const MOST_FAULTS = 20;

/** The check of values by a schema; `what` is what messages call it, `at` what paths begin with. */
export function compileSchema(schema: unknown, what: string): (value: unknown, at: string) => readonly SchemaFault[] {
  const usable = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw error instanceof UnusableSchema ? new UsageError(`${what} cannot be used: ${error.message}`) : error;
    }
  };
  const errorsIn = usable(() => compileJsonSchema(schema));
  return (value, at) => {
    const errors = told(usable(() => errorsIn(value)));
    const faults = errors.slice(0, MOST_FAULTS).map((error) => schemaFault(error, at));
    const more = errors.length - faults.length;
    return more > 0 ? [...faults, { path: at, message: `… and ${more} more` }] : faults;
  };
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
