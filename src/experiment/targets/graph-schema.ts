import type { JsonSchema } from './answer-schema.ts';
import type { DeclaredType } from './graph-types.ts';

/** Raised whenever the same item would be asked for otherwise. */
export const GRAPH_SCHEMA_VERSION = 1;

const DESCRIPTION = { type: ['string', 'null'] };

/** What the model is held to: the types that the item declares, where it declares some. */
export function graphSchema(entities: readonly DeclaredType[], relationships: readonly DeclaredType[]): JsonSchema {
  const entity = whole({
    temp_id: { type: 'string' },
    name: { type: 'string' },
    type: typeSchema(entities),
    description: DESCRIPTION,
  });
  const hasProperties = entities.some(({ properties }) => properties.length > 0);
  return whole({
    entities: { type: 'array', items: hasProperties ? withProperties(entity) : entity },
    relationships: {
      type: 'array',
      items: whole({
        source_ref: { type: 'string' },
        target_ref: { type: 'string' },
        type: typeSchema(relationships),
        description: DESCRIPTION,
      }),
    },
  });
}

/** What an answer has to be for anybody to judge it. */
export const READABLE_GRAPH: JsonSchema = {
  type: 'object',
  properties: {
    entities: {
      type: 'array',
      items: {
        type: 'object',
        properties: { temp_id: { type: 'string' }, name: { type: 'string' }, type: { type: 'string' } },
        required: ['name', 'type'],
      },
    },
    relationships: {
      type: 'array',
      items: {
        type: 'object',
        properties: { source_ref: { type: 'string' }, target_ref: { type: 'string' }, type: { type: 'string' } },
        required: ['source_ref', 'target_ref', 'type'],
      },
    },
  },
  required: ['entities', 'relationships'],
};

function typeSchema(types: readonly DeclaredType[]): JsonSchema {
  return { type: 'string', ...(types.length === 0 ? {} : { enum: types.map(({ name }) => name) }) };
}

function whole(properties: Readonly<Record<string, unknown>>): ObjectSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Any that the type names, as far as they are stated: a form that leaves fields open. */
function withProperties({ properties, ...rest }: ObjectSchema): JsonSchema {
  return { ...rest, properties: { ...properties, properties: { type: ['object', 'null'] } } };
}
