import { z } from 'zod';

import { isRecord } from '../../data/record-fields.ts';
import type { JsonSchema } from '../json-schema.ts';
import { answerCheck } from './answer-json.ts';
import BUILT_IN from './built-in-targets.json' with { type: 'json' };
import { answerFormatSetting, modelSettings, modelTarget, optionalFields, readJsonAnswer } from './model-target.ts';
import { promptBody } from './prompt.ts';
import { defineTarget, TargetError } from './target.ts';

/** Raised whenever the same item would be asked for otherwise. */
const SCHEMA_VERSION = 1;

const { relations: TARGET } = BUILT_IN;

const TEXT = { type: 'string' };
const DESCRIPTION = { type: ['string', 'null'] };
type Properties = Readonly<Record<string, unknown>>;

function objects(properties: Properties, required: readonly string[]): JsonSchema {
  return { type: 'array', items: { type: 'object', properties, required } };
}

function whole(properties: Properties): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** What the model is held to: the types that the item declares, where it declares some. */
function answerSchema(entities: readonly DeclaredType[], relationships: readonly DeclaredType[]): JsonSchema {
  const entity = { temp_id: TEXT, name: TEXT, type: typeSchema(entities), description: DESCRIPTION };
  const link = { source_ref: TEXT, target_ref: TEXT, type: typeSchema(relationships), description: DESCRIPTION };
  // Any that the type names, as far as they are stated: a form that leaves fields open.
  const { properties: _, ...rest } = whole(entity);
  const open = { ...rest, properties: { ...entity, properties: { type: ['object', 'null'] } } };
  const hasProperties = entities.some(({ properties }) => properties.length > 0);
  return whole({
    entities: { type: 'array', items: hasProperties ? open : whole(entity) },
    relationships: { type: 'array', items: whole(link) },
  });
}

/** What an answer has to be for anybody to judge it. */
const READABLE: JsonSchema = {
  type: 'object',
  properties: {
    entities: objects({ temp_id: TEXT, name: TEXT, type: TEXT }, ['name', 'type']),
    relationships: objects({ source_ref: TEXT, target_ref: TEXT, type: TEXT }, ['source_ref', 'target_ref', 'type']),
  },
  required: ['entities', 'relationships'],
};

function typeSchema(types: readonly DeclaredType[]): JsonSchema {
  return { ...TEXT, ...(types.length === 0 ? {} : { enum: types.map(({ name }) => name) }) };
}

/** A type that an item wants to be found. */
interface DeclaredType {
  readonly name: string;
  readonly description: string | null;
  readonly properties: readonly string[];
}

/**
 * The types that a dataset item declares: `{Person: {description, properties}}`, `[{name: 'Person', …}]` or
 * `['Person']`. If `allowed` names some, those and no others.
 */
export function declaredTypes(schemas: unknown, allowed: unknown): DeclaredType[] {
  const given: readonly (readonly [unknown, unknown])[] = Array.isArray(schemas)
    ? schemas.map((one: unknown) => [isRecord(one) ? (one['name'] ?? one['type'] ?? one['title']) : one, one])
    : Object.entries(isRecord(schemas) ? schemas : {});
  const declared = new Map(
    given.flatMap(([name, schema]) => (typeof name === 'string' && name !== '' ? [[name, typeOf(name, schema)]] : [])),
  );
  const names = new Set(Array.isArray(allowed) ? allowed.filter((one) => typeof one === 'string') : []);
  return names.size === 0 ? [...declared.values()] : [...names].map((name) => declared.get(name) ?? typeOf(name, null));
}

function typeOf(name: string, schema: unknown): DeclaredType {
  const { description, properties }: Properties = isRecord(schema) ? schema : {};
  return {
    name,
    description: typeof description === 'string' && description !== '' ? description : null,
    properties: isRecord(properties) ? Object.keys(properties) : [],
  };
}

/** One line for each type; `any` where every type is welcome. */
export function typeLines(types: readonly DeclaredType[], any: string): string {
  if (types.length === 0) return `(${any})`;
  return types
    .map(({ name, description, properties }) => {
      const about = description === null ? '' : `: ${description}`;
      return `- ${name}${about}${properties.length === 0 ? '' : ` (properties: ${properties.join(', ')})`}`;
    })
    .join('\n');
}

const ANY_ENTITY = 'any: name the kind of thing, such as Person or Place';
const ANY_RELATIONSHIP = 'any: a verb in lower case with underscores, such as employed_by';
const NO_DOCUMENT = 'the input has no document: expected {document_text} or a text';

/**
 * Entities and relationships of the types that the item names. The model's output is kept as it is, also a type that
 * was not asked for or an end that leads nowhere: scoring judges that.
 */
export const relationTarget = defineTarget(
  z.strictObject({
    use: z.literal(TARGET.use),
    ...modelSettings,
    answerFormat: answerFormatSetting.default('schema'),
  }),
  async (spec, context) => {
    const check = answerCheck(READABLE, 'schema');
    return modelTarget(spec, context, {
      answerFormat: spec.answerFormat,
      schemaName: TARGET.schemaName,
      prompt: await promptBody(spec, context, { type: 'chat', prompt: TARGET.prompt }),
      identity: { rules: SCHEMA_VERSION },
      question({ input }) {
        const fields: Properties = isRecord(input) ? input : { document_text: input };
        const { document_text, object_schemas, allowed_types, relationship_schemas } = fields;
        if (typeof document_text !== 'string') throw new TargetError({ kind: 'request', message: NO_DOCUMENT });
        const entities = declaredTypes(object_schemas, allowed_types);
        const relationships = declaredTypes(relationship_schemas, null);
        const entity_types = typeLines(entities, ANY_ENTITY);
        const relationship_types = typeLines(relationships, ANY_RELATIONSHIP);
        const known = { ...optionalFields(TARGET.optional), ...fields, entity_types, relationship_types };
        return { known, text: document_text, schema: answerSchema(entities, relationships) };
      },
      read: (answer) => readJsonAnswer(answer, check),
    });
  },
  TARGET.promptName,
);
