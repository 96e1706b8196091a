import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { ITEM_SCHEMAS, ITEM_TASKS } from '../../src/experiment/datasets/item-schemas.ts';
import { makeItemValidator } from '../../src/experiment/datasets/validate-item.ts';
import { langfuseSchema, schemaRefusal } from '../../src/langfuse/dataset-schema.ts';
import { quickBackend } from './client/quick-backend.ts';
import { serving } from '../server/langfuse/serving.ts';

const DATASETS = '/api/public/v2/datasets';

describe('what Langfuse accepts', () => {
  test.each(ITEM_TASKS)('the schemas of the task %s are accepted as they are', (task) => {
    const { input, expectedOutput } = ITEM_SCHEMAS[task];
    const schemas = [input, ...(expectedOutput === null ? [] : [expectedOutput])];
    expect(schemas.map(schemaRefusal)).toEqual(schemas.map(() => null));
    expect([langfuseSchema(input, ''), langfuseSchema(expectedOutput, '')]).toEqual([input, expectedOutput]);
    expect(input).not.toHaveProperty('$schema');
  });

  test.each([
    [{ type: ['string', 'number'] }, 'use allowUnionTypes to allow union type keyword at "#" (strictTypes)'],
    [{ properties: { a: {} } }, 'missing type "object" for keyword "properties" at "#" (strictTypes)'],
    [{ type: 'object', required: ['a'] }, 'required property "a" is not defined at "#" (strictRequired)'],
    [{ type: 'array', prefixItems: [{}] }, 'unknown keyword: "prefixItems"'],
    [
      { $schema: 'https://json-schema.org/draft/2020-12/schema' },
      'no schema with key or ref "https://json-schema.org/draft/2020-12/schema"',
    ],
    [[], 'expected an object, found a list'],
    [{ type: 'strin' }, 'data/type must be equal to one of the allowed values'],
  ])('%j is refused', (schema, reason) => {
    expect(schemaRefusal(schema)).toContain(reason);
  });

  it('more than 10,000 characters are refused', () => {
    expect(schemaRefusal({ title: 'x'.repeat(9988) })).toBeNull();
    expect(schemaRefusal({ title: 'x'.repeat(9989) })).toBe(
      'it has 10001 characters as JSON, and Langfuse accepts at most 10000',
    );
  });

  it('a list of two types with null is accepted, as Langfuse accepts it', () => {
    expect(schemaRefusal({ type: ['string', 'null'] })).toBeNull();
  });
});

describe('a schema that is sent', () => {
  test.each([
    [
      { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'https://a.example/b', type: 'object' },
      { type: 'object' },
    ],
    [
      { type: ['string', 'integer'], minLength: 2, minimum: 3, title: 't', 'x-note': 1 },
      {
        title: 't',
        anyOf: [
          { type: 'string', minLength: 2 },
          { type: 'integer', minimum: 3 },
        ],
      },
    ],
    [
      { type: 'object', required: ['a'] },
      { type: 'object', required: ['a'], properties: { a: {} } },
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }], items: false, minItems: 1 },
      { type: 'array', minItems: 1, items: [{ type: 'string' }], additionalItems: false },
    ],
    [
      { type: 'object', dependentRequired: { a: ['b'] } },
      { type: 'object', dependencies: { a: ['b'] } },
    ],
  ])('%j is written so that it is accepted', (schema, sent) => {
    expect(langfuseSchema(schema, 'the input schema')).toEqual(sent);
    expect(schemaRefusal(sent)).toBeNull();
    makeItemValidator({ input: sent });
  });

  it('is refused with the reason if nothing that is accepted means the same', () => {
    expect(() => langfuseSchema({ type: 'object', unevaluatedProperties: false }, 'the input schema')).toThrow(
      'Langfuse does not accept the input schema: unknown keyword: "unevaluatedProperties"',
    );
  });

  it('means what it meant, for any value', () => {
    const names = fc.constantFrom('a', 'b');
    const type = fc.subarray(['string', 'integer', 'object', 'array', 'null', 'boolean'], { minLength: 1 });
    const schemas = fc.letrec<{ part: object }>((tie) => ({
      part: fc.record(
        {
          type,
          minLength: fc.nat(2),
          minimum: fc.nat(2),
          required: fc.uniqueArray(names, { maxLength: 2 }),
          properties: fc.dictionary(names, tie('part'), { maxKeys: 2 }),
          items: tie('part'),
          dependentRequired: fc.constant({ a: ['b'] }),
          example: fc.constant(1),
        },
        { requiredKeys: ['type'] },
      ),
    })).part;
    const values = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, true, 0, 1, 5, '', 'x', 'xyz'),
        fc.dictionary(names, tie('value'), { maxKeys: 2 }),
        fc.array(tie('value'), { maxLength: 2 }),
      ),
    })).value;
    let sent = 0;
    fc.assert(
      fc.property(schemas, fc.array(values, { minLength: 5, maxLength: 10 }), (schema, all) => {
        let accepted: unknown;
        try {
          accepted = langfuseSchema(schema, 'it');
        } catch {
          return;
        }
        sent += 1;
        const before = new Ajv2020({ strict: false }).compile(schema);
        const after = new Ajv({ strict: true }).compile(accepted as object);
        for (const value of all) expect(after(value)).toBe(before(value));
      }),
      { numRuns: 40, seed: 7 },
    );
    expect(sent).toBeGreaterThan(30);
  });
});

describe('the server', () => {
  it('refuses what Langfuse refuses, in its form, and the client shows the reason', async () => {
    const { ask, store, environment } = await serving();
    const answer = await ask('POST', DATASETS, { name: 'd', inputSchema: { type: ['string', 'number'] } });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        message: 'Invalid request data',
        error: [{ code: 'custom', path: ['inputSchema'], message: 'Must be a valid JSON Schema' }],
      },
    });
    expect(store.datasets.get('d')).toBeNull();
    const backend = await quickBackend({ environment });
    await backend.saveDataset({ name: 'd', inputSchema: { type: ['string', 'number'] } });
    expect(store.datasets.get('d')?.inputSchema).toEqual({ anyOf: [{ type: 'string' }, { type: 'number' }] });
    await expect(backend.saveItems('d', [{ id: 'i', input: [] }])).rejects.toThrow(
      'refuses with HTTP 400: Dataset item validation failed: Input validation failed: input: ',
    );
  });

  it('holds archived items to a new schema too, and lets an output be missing if the schema allows null', async () => {
    const { ask, store } = await serving();
    store.datasets.save({ name: 'd' });
    store.datasets.saveItems('d', [{ id: 'i', input: 'text', status: 'ARCHIVED' }]);
    expect(await ask('POST', DATASETS, { name: 'd', inputSchema: { type: 'object' } })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Schema validation failed for 1 item(s). Details: "i": Input') },
    });
    const expectedOutputSchema = { anyOf: [{ type: 'null' }, { type: 'object' }] };
    expect((await ask('POST', DATASETS, { name: 'd', expectedOutputSchema })).status).toBe(200);
  });
});
