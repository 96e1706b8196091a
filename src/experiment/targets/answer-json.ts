import type { ErrorObject } from 'ajv';

import { FAILED, parseRecord } from '../../data/json-record.ts';
import { Problems, UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { harmless, shorten } from '../../data/visible.ts';
import { compileJsonSchema, type JsonSchema, UnusableSchema } from '../json-schema.ts';

/** The value, or why the text is no JSON. */
export type ParsedJson = { readonly value?: unknown; readonly fault?: string };

/** Far more than any answer needs, far less than what overflows the stack of a recursive reader. */
const DEEPEST = 200;

const FENCED = /^```(?:json|JSON)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/;

/** One JSON value, whatever white space stands around it. NaN is none, nor is anything nested without end. */
export function parseJson(text: string): ParsedJson {
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (bare.trim() === '') return { fault: 'it is empty' };
  const problems = new Problems();
  const value = parseRecord({ text: bare, line: 1 }, 'answer', problems);
  if (value === FAILED) return { fault: problems.entries()[0]?.message ?? 'not JSON' };
  return isDeeper(value, DEEPEST) ? { fault: `it is nested more than ${DEEPEST} levels deep` } : { value };
}

/** The same for a model's answer, which may be in one fence, as many models have it; prose around it is not taken. */
export function parseModelJson(text: string): ParsedJson {
  const bare = (text.startsWith('\ufeff') ? text.slice(1) : text).trim();
  return parseJson(FENCED.exec(bare)?.[1] ?? bare);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

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
  const { allowedValues, additionalProperty }: Readonly<Record<string, unknown>> = params;
  const detail =
    keyword === 'enum' && Array.isArray(allowedValues)
      ? ` (${allowedValues.join(', ')})`
      : keyword === 'additionalProperties'
        ? ` (${String(additionalProperty)})`
        : '';
  return harmless(shorten(`${place} ${message}${detail}`, 160));
}

/** Whether every object in a schema names all its fields and no others, which OpenAI's strict mode asks for. */
export function namesEveryField(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(namesEveryField);
  if (!isRecord(schema)) return true;
  const { type, properties, required, additionalProperties } = schema;
  if ([type].flat().includes('object') || isRecord(properties)) {
    const names = new Set(isRecord(properties) ? Object.keys(properties) : []);
    if (additionalProperties !== false || !names.isSubsetOf(new Set(Array.isArray(required) ? required : [])))
      return false;
  }
  return Object.entries(schema).every(([key, inner]) => key === 'enum' || key === 'const' || namesEveryField(inner));
}
