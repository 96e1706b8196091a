import type { ErrorObject } from 'ajv';

import { UsageError } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { shorten } from '../../data/visible.ts';
import type { DatasetItemInit, DatasetRecord } from '../../store/records.ts';
import { compileJsonSchema, OutOfTime, pointerParts, UnusableSchema, workWithin } from '../json-schema.ts';
import { inBatches } from '../limits/side-by-side.ts';

/** JSON Schemas of what an item holds; null or left out where any value will do. */
export type ItemSchemas = Pick<DatasetItemInit, 'input' | 'expectedOutput'>;

export interface SchemaFault {
  /** `expected_output.entities[2].name` */
  readonly path: string;
  readonly message: string;
}

type Content = Pick<DatasetItemInit, 'id' | 'input' | 'expectedOutput'>;

export type ItemValidator = (item: Content) => readonly SchemaFault[];

const NO_OUTPUT: SchemaFault = { path: 'expected_output', message: 'expected an output, found nothing' };

/** What is wrong with an item by its dataset's schemas. Throws UsageError on schemas that are none. */
export function makeItemValidator(schemas: ItemSchemas): ItemValidator {
  const checkInput = compileSchema(schemas.input, 'the input schema');
  const checkExpected = compileSchema(schemas.expectedOutput, 'the schema of expected outputs');
  return ({ input, expectedOutput = null }) => {
    const faults = checkExpected(expectedOutput, 'expected_output');
    return [
      ...checkInput(input ?? null, 'input'),
      ...(expectedOutput === null && faults.length > 0 ? [NO_OUTPUT] : faults),
    ];
  };
}

export function schemasOf(dataset: Pick<DatasetRecord, 'inputSchema' | 'expectedOutputSchema'>): ItemSchemas {
  return { input: dataset.inputSchema, expectedOutput: dataset.expectedOutputSchema };
}

export function hasSchemas({ input, expectedOutput }: ItemSchemas): boolean {
  return isGiven(input) || isGiven(expectedOutput);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Checks that are watched one by one take longer to be watched than to be done. */
const AT_ONCE = 500;
const MOST_MS = 1000;

/** Each of several items, in their order, with what is wrong with it. `contentOf` is what is checked of one. */
export async function* checkEach<T>(validate: ItemValidator, items: AsyncIterable<T>, contentOf: (item: T) => Content) {
  for await (const batch of inBatches(items, AT_ONCE)) {
    const check = () => batch.map((item) => ({ item, faults: validate(contentOf(item)) }));
    try {
      yield* workWithin(check, MOST_MS);
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      // One by one: they are many and large, or one of them is what takes so long, and is then reported.
      yield* check();
    }
  }
}

/** More faults than this of one value tell nobody anything. */
const MOST_FAULTS = 20;

/** The check of values by a schema, if there is one; `what` is what messages call it, `at` what paths begin with. */
function compileSchema(schema: unknown, what: string): (value: unknown, at: string) => readonly SchemaFault[] {
  if (!isGiven(schema)) return () => [];
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

/** If one of several schemas had to fit, or a condition did not, what is wrong inside is enough. */
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

type Params = Readonly<Record<string, unknown>>;

/** Keywords about a field that is not there or should not be: the parameter that names it, and what is wrong. */
const ABOUT_FIELDS: Readonly<Record<string, readonly [parameter: string, message: string]>> = {
  required: ['missingProperty', 'expected, but not there'],
  dependentRequired: ['missingProperty', 'expected, but not there'],
  additionalProperties: ['additionalProperty', 'no such field is expected'],
  unevaluatedProperties: ['unevaluatedProperty', 'no such field is expected'],
};

const compared = ({ comparison, limit }: Params): string => `expected ${String(comparison)} ${String(limit)}`;

const plainText = (value: unknown): string => (typeof value === 'string' ? value : describe(value));

/** What other keywords expect, in the user's terms. */
const EXPECTED: Readonly<Record<string, (params: Params) => string>> = {
  type: ({ type }) => `expected ${listed(type, (name) => TYPE_NAMES[String(name)] ?? String(name), ' or ')}`,
  enum: ({ allowedValues }) => `expected one of ${shorten(listed(allowedValues, plainText, ', '), 120)}`,
  const: ({ allowedValue }) => `expected ${describe(allowedValue)}`,
  minLength: ({ limit }) =>
    `expected text ${limit === 1 ? 'that is not empty' : `of at least ${String(limit)} characters`}`,
  maxLength: ({ limit }) => `expected text of at most ${String(limit)} characters`,
  minItems: ({ limit }) => `expected a list of at least ${String(limit)}`,
  maxItems: ({ limit }) => `expected a list of at most ${String(limit)}`,
  minimum: compared,
  maximum: compared,
  exclusiveMinimum: compared,
  exclusiveMaximum: compared,
  pattern: ({ pattern }) => `expected text like ${shorten(String(pattern), 60)}`,
  uniqueItems: () => 'expected a list without repeats',
  'false schema': () => 'nothing is expected here',
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'text',
};

function schemaFault({ keyword, params, instancePath, message, data }: ErrorObject, at: string): SchemaFault {
  const path = `${at}${pointerParts(instancePath).map(pathPart).join('')}`;
  const [field, wrong] = ABOUT_FIELDS[keyword] ?? [];
  if (field !== undefined && wrong !== undefined)
    return { path: `${path}${pathPart(String(params[field]))}`, message: wrong };
  const expected = EXPECTED[keyword]?.(params) ?? shorten(message ?? keyword, 100);
  return { path, message: `${expected}, found ${describe(data)}` };
}

function listed(values: unknown, nameOf: (value: unknown) => string, between: string): string {
  const all: readonly unknown[] = Array.isArray(values) ? values : [values];
  return all.map(nameOf).join(between);
}

function pathPart(name: string): string {
  return /^\d+$/.test(name) ? `[${name}]` : `.${shorten(name)}`;
}
