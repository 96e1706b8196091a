import { Ajv } from 'ajv';

import { UsageError } from '../data/problems.ts';
import { describe, isRecord } from '../data/record-fields.ts';
import { shorten } from '../data/visible.ts';
import { OutOfTime, workWithin } from '../experiment/json-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Langfuse refuses a longer one, counted as JSON without spaces. */
const MOST_LENGTH = 10_000;
const MOST_MS = 1000;

/**
 * Why Langfuse refuses a schema for the items of a dataset; null if it accepts it. It compiles schemas with Ajv as JSON
 * Schema draft-07 in strict mode: no keyword that draft-07 does not have, no other $schema, no list of types, no type
 * left out beside a keyword that needs it, and every required property among the properties.
 */
export function schemaRefusal(schema: unknown): string | null {
  if (!isRecord(schema)) return `expected an object, found ${describe(schema)}`;
  try {
    const { length } = JSON.stringify(schema);
    if (length > MOST_LENGTH) return `it has ${length} characters as JSON, and Langfuse accepts at most ${MOST_LENGTH}`;
    const ajv = new Ajv({ strict: true, validateFormats: false, logger: false });
    workWithin(() => ajv.compile(schema), MOST_MS);
    return null;
  } catch (error) {
    if (error instanceof OutOfTime) return 'it takes too long to compile: its references branch again and again';
    if (error instanceof RangeError) return 'it is nested too deeply';
    const message = error instanceof Error ? error.message : String(error);
    return shorten(message.replace(/^strict mode: |^schema is invalid: /, ''), 300);
  }
}

/** The schema as Langfuse accepts it, with the same meaning; throws with the reason if impossible. */
export function langfuseSchema(schema: unknown, what: string): unknown {
  if (schema === undefined || schema === null) return schema;
  if (isRecord(schema)) {
    for (const candidate of [withoutNames(schema), converted(withoutNames(schema))])
      if (schemaRefusal(candidate) === null) return candidate;
  }
  const reason = schemaRefusal(isRecord(schema) ? converted(withoutNames(schema)) : schema);
  throw new UsageError(
    `Langfuse does not accept ${what}: ${reason ?? 'it is not a JSON Schema'}`,
    'Langfuse takes JSON Schema draft-07 in the strict mode of Ajv, at most 10,000 characters: write "type" beside every keyword that depends on it, and anyOf instead of a list of types',
  );
}

/** The name of a dialect is refused unless it is draft-07, and two schemas with one $id get in each other's way. */
function withoutNames({ $schema: _, $id, ...rest }: Schema): Schema {
  return $id === undefined || onlyLocalReferences(rest) ? rest : { $id, ...rest };
}

function onlyLocalReferences(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return true;
  return Object.entries(part).every(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? inner.startsWith('#') : onlyLocalReferences(inner),
  );
}

/** Notes of OpenAPI and of other tools, which no validator looks at. */
const REMARK = /^(?:x-.*|example|discriminator|xml|externalDocs)$/;
const ONE = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]);
const MANY = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

function converted(part: Schema): Schema {
  const inner = Object.fromEntries(
    Object.entries(part)
      .filter(([key]) => !REMARK.test(key))
      .map(([key, value]) => [key, convertedWithin(key, value)]),
  );
  return typesAsAnyOf(requiredAsProperties(dependenciesInOne(tuplesAsItems(inner))));
}

function convertedWithin(key: string, value: unknown): unknown {
  const one = (each: unknown): unknown => (isRecord(each) ? converted(each) : each);
  if (ONE.has(key)) return one(value);
  if (key === 'items' || MANY.has(key)) return Array.isArray(value) ? value.map(one) : one(value);
  if (!NAMED.has(key) || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, one(each)]));
}

function tuplesAsItems({ prefixItems, items, ...rest }: Schema): Schema {
  if (prefixItems === undefined) return items === undefined ? rest : { ...rest, items };
  return { ...rest, items: prefixItems, ...(items === undefined ? {} : { additionalItems: items }) };
}

function dependenciesInOne({ dependentRequired, dependentSchemas, ...rest }: Schema): Schema {
  const parts = [dependentRequired, dependentSchemas].filter(isRecord).map((dependencies) => ({ dependencies }));
  if (parts.length === 0) return rest;
  if (parts.length === 1 && rest['dependencies'] === undefined) return { ...rest, ...parts[0] };
  return { ...rest, allOf: [...listOf(rest['allOf']), ...parts] };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Without additionalProperties, a property that may be anything adds nothing. */
function requiredAsProperties(part: Schema): Schema {
  const { required, properties, additionalProperties } = part;
  if (!Array.isArray(required) || (additionalProperties !== undefined && additionalProperties !== true)) return part;
  const known = isRecord(properties) ? properties : {};
  const missing = required.filter((name) => typeof name === 'string' && !Object.hasOwn(known, name));
  if (missing.length === 0) return part;
  return { ...part, properties: { ...known, ...Object.fromEntries(missing.map((name) => [name, {}])) } };
}

const KEYWORDS_OF: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format'],
  array: ['items', 'additionalItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
  object: [
    'properties',
    'patternProperties',
    'additionalProperties',
    'required',
    'minProperties',
    'maxProperties',
    'propertyNames',
    'dependencies',
  ],
};
const TYPED = new Set(Object.values(KEYWORDS_OF).flat());

/** A list of types becomes one schema for each, with the keywords that apply to it; others have no effect on it. */
function typesAsAnyOf(part: Schema): Schema {
  const { type, ...rest } = part;
  const types: readonly unknown[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  const branches = types.map((name) => {
    const keywords = KEYWORDS_OF[name === 'integer' ? 'number' : String(name)] ?? [];
    return { type: name, ...Object.fromEntries(Object.entries(rest).filter(([key]) => keywords.includes(key))) };
  });
  const [first, ...more] = branches;
  if (first === undefined) return part;
  const untyped = Object.fromEntries(Object.entries(rest).filter(([key]) => !TYPED.has(key)));
  if (more.length === 0) return { ...untyped, ...first };
  const { anyOf, allOf, ...others } = untyped;
  if (anyOf === undefined) return { ...others, ...(allOf === undefined ? {} : { allOf }), anyOf: branches };
  return { ...others, allOf: [...listOf(allOf), { anyOf }, { anyOf: branches }] };
}
