/** An item of the graph task: a document, and the entities and relationships that it speaks of. */
export const GRAPH_ITEM = {
  input: {
    title: 'input of a graph item',
    type: 'object',
    required: ['document_text'],
    properties: {
      document_text: { type: 'string', minLength: 1 },
      object_schemas: {
        anyOf: [{ type: 'object' }, { type: 'array' }],
        description: 'the types of entities, each with its description',
      },
      relationship_schemas: {
        anyOf: [{ type: 'object' }, { type: 'array' }],
        description: 'the types of relationships',
      },
      allowed_types: { type: 'array', items: { type: 'string' } },
      available_tags: { type: 'array', items: { type: 'string' } },
    },
  },
  expectedOutput: {
    title: 'expected output of a graph item',
    type: 'object',
    required: ['entities', 'relationships'],
    properties: {
      entities: {
        type: 'array',
        items: {
          type: 'object',
          required: ['name', 'type'],
          properties: {
            name: { type: 'string', minLength: 1 },
            type: { type: 'string', minLength: 1 },
            acceptable_types: { type: 'array', items: { type: 'string' }, description: 'types that are right as well' },
            description: { type: 'string' },
            properties: { type: 'object' },
          },
        },
      },
      relationships: {
        type: 'array',
        items: {
          type: 'object',
          required: ['source_name', 'target_name', 'relationship_type'],
          properties: {
            source_name: { type: 'string', minLength: 1 },
            target_name: { type: 'string', minLength: 1 },
            relationship_type: { type: 'string', minLength: 1 },
            description: { type: 'string' },
          },
        },
      },
    },
  },
} as const;
