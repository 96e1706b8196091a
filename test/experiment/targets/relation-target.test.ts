import { describe, expect, it } from 'vitest';

import { declaredTypes, typeLines } from '../../../src/experiment/targets/relation-target.ts';
import { completion } from '../models/model-server.ts';
import { ask, failure, item, openWithModel, sentTo } from './open-here.ts';

const INPUT = {
  document_text: 'Ann is the mother of Ben.',
  object_schemas: { Person: { description: 'A human being' }, Place: {} },
  relationship_schemas: { parent_of: {} },
};
const GRAPH = {
  entities: [
    { temp_id: 'e1', name: 'Ann', type: 'Person', description: null },
    { temp_id: 'e2', name: 'Ben', type: 'Robot', description: null },
  ],
  relationships: [{ source_ref: 'e1', target_ref: 'e9', type: 'likes', description: null }],
};

interface Sent {
  readonly json_schema: {
    readonly strict: boolean;
    readonly schema: {
      readonly properties: Record<
        string,
        { readonly items: { readonly properties: Record<string, { enum?: string[] }> } }
      >;
    };
  };
}

describe('the graph extractor', () => {
  it('asks for the types that the item declares, in words and by schema', async () => {
    const { target, server } = await openWithModel([completion(JSON.stringify(GRAPH))], { use: 'graph-extractor' });
    await ask(target, item(INPUT));
    expect(sentTo(server)[1]?.content).toBe(
      'Entity types:\n- Person: A human being\n- Place\n\nRelationship types:\n- parent_of\n\nDocument:\n\nAnn is the mother of Ben.',
    );
    const { json_schema } = server.requests[0]!.body['response_format'] as Sent;
    expect(json_schema.strict).toBe(true);
    expect(json_schema.schema.properties['entities']?.items.properties['type']?.enum).toEqual(['Person', 'Place']);
    expect(json_schema.schema.properties['relationships']?.items.properties['type']?.enum).toEqual(['parent_of']);
  });

  it('keeps whatever the model says: a type nobody asked for, an end that leads nowhere', async () => {
    const { target } = await openWithModel([completion(JSON.stringify(GRAPH))], { use: 'graph-extractor' });
    expect((await ask(target, item(INPUT))).output).toEqual(GRAPH);
  });

  it('takes any type where the item declares none, and a bare text for the document', async () => {
    const { target, server } = await openWithModel([completion('{"entities":[],"relationships":[]}')], {
      use: 'graph-extractor',
    });
    await ask(target, item('Ann met Ben.'));
    expect(sentTo(server)[1]?.content).toContain('Entity types:\n(any: name the kind of thing');
    const { json_schema } = server.requests[0]!.body['response_format'] as Sent;
    expect(json_schema.schema.properties['entities']?.items.properties['type']).toEqual({ type: 'string' });
  });

  it('leaves room for properties where a type names some', async () => {
    const { target, server } = await openWithModel([completion('{"entities":[],"relationships":[]}')], {
      use: 'graph-extractor',
    });
    await ask(target, item({ ...INPUT, object_schemas: { Person: { properties: { born: {} } } } }));
    const { json_schema } = server.requests[0]!.body['response_format'] as Sent;
    expect(json_schema.strict).toBe(false);
    expect(json_schema.schema.properties['entities']?.items.properties).toHaveProperty('properties');
    expect(sentTo(server)[1]?.content).toContain('- Person (properties: born)');
  });

  it('lets a stored prompt name fields that the item may not have', async () => {
    const { target, server } = await openWithModel([completion('{"entities":[],"relationships":[]}')], {
      use: 'graph-extractor',
      prompt: 'Tags: {{ available_tags }}\nSchemas: {{ object_schemas }}\n{{ document_text }}',
    });
    await ask(target, item({ document_text: 'Ann.', object_schemas: { Person: {} } }));
    expect(sentTo(server)[0]?.content).toBe('Tags: \nSchemas: {"Person":{}}\nAnn.');
  });

  it('fails where the answer is no graph, or the item has no document', async () => {
    const { target } = await openWithModel([completion('{"entities":[{"name":"Ann"}],"relationships":[]}')], {
      use: 'graph-extractor',
    });
    expect((await failure(ask(target, item(INPUT)))).message).toContain(
      "/entities/0 must have required property 'type'",
    );
    expect(await failure(ask(target, item({ text: 'x' })))).toMatchObject({ kind: 'request' });
  });
});

describe('declared types', () => {
  it('may come as a mapping, as a list of objects, or as names', () => {
    const person = { name: 'Person', description: 'A human', properties: ['born'] };
    expect(declaredTypes({ Person: { description: 'A human', properties: { born: {} } } }, null)).toEqual([person]);
    expect(declaredTypes([{ name: 'Person', description: 'A human', properties: { born: {} } }], [])).toEqual([person]);
    expect(declaredTypes(['Person', 'Person'], undefined).map(({ name }) => name)).toEqual(['Person']);
    expect(declaredTypes(7, 'Person')).toEqual([]);
  });

  it('are those that are allowed, where some are named', () => {
    expect(declaredTypes({ Person: { description: 'A human' }, Place: {} }, ['Event', 'Person', 3])).toEqual([
      { name: 'Event', description: null, properties: [] },
      { name: 'Person', description: 'A human', properties: [] },
    ]);
  });

  it('have one line each', () => {
    expect(typeLines(declaredTypes(['A', 'B'], null), 'any')).toBe('- A\n- B');
    expect(typeLines([], 'any')).toBe('(any)');
  });
});
