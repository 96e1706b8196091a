import type { ErrorObject } from 'ajv';

import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { harmless, shorten } from '../../data/visible.ts';
import { compileJsonSchema, type JsonSchema, UnusableSchema } from '../json-schema.ts';

/** What is wrong with an answer, the first few things; empty where nothing is. */
export type AnswerCheck = (value: unknown) => readonly string[];

const SHOWN = 5;
/** One of each type: a schema that goes in circles does so for values of some type, however small. */
const TRIALS: readonly unknown[] = [null, true, 0, '', [], {}];

/** The check of answers by a schema; one that cannot be used is a UsageError. */
export function answerCheck(schema: JsonSchema, where: string): AnswerCheck {
  const reasonOf = (error: unknown): string => {
    if (error instanceof UnusableSchema) return error.message.replace(/^it /, 'the schema ');
    throw error;
  };
  try {
    const errorsIn = compileJsonSchema(schema);
    for (const trial of TRIALS) errorsIn(trial);
    return (value) => {
      try {
        const found = [...new Set(errorsIn(value).map(violation))];
        return found.length > SHOWN ? [...found.slice(0, SHOWN), `and ${found.length - SHOWN} more`] : found;
      } catch (error) {
        return [reasonOf(error)];
      }
    };
  } catch (error) {
    throw new UsageError(`${where}: not a JSON Schema that can be used (${reasonOf(error)})`);
  }
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
