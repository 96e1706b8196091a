import { expect, it } from 'vitest';

import { isCheapSchema } from '../../src/experiment/json-schema.ts';
import { ITEM_SCHEMAS, ITEM_TASKS } from '../../src/experiment/datasets/item-schemas.ts';

it('the schemas of the tasks, and such as types make, need no watching', () => {
  for (const task of ITEM_TASKS) {
    expect(isCheapSchema(ITEM_SCHEMAS[task].input)).toBe(true);
    expect(isCheapSchema(ITEM_SCHEMAS[task].expectedOutput)).toBe(true);
  }
  const entity = { type: 'object', properties: { name: { type: 'string' }, of: { $ref: '#/$defs/a~1b' } } };
  expect(isCheapSchema({ $defs: { entity, 'a/b': { enum: [1, 2] } }, items: { $ref: '#/$defs/entity' } })).toBe(true);
  expect(isCheapSchema(true)).toBe(true);
});

it.each<[string, unknown]>([
  ['a pattern', { items: { pattern: 'a' } }],
  ['a pattern behind a reference', { $ref: '#/$defs/x', $defs: { x: { pattern: 'a' } } }],
  ['a pattern where only a field has the name of definitions', { properties: { $defs: { pattern: 'a' } } }],
  ['patterns of names', { patternProperties: { a: true } }],
  ['a list without repeats', { uniqueItems: true }],
  ['a reference to itself', { properties: { next: { $ref: '#' } } }],
  ['references in a circle', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }],
  ['a reference by another name', { $ref: '#x', $defs: { x: { $anchor: 'x' } } }],
  ['a reference that is found later', { $dynamicRef: '#x' }],
  ['more parts than are checked in no time', { allOf: Array.from({ length: 6000 }, () => ({ type: 'string' })) }],
  [
    'few parts that refer to each other many times',
    {
      $defs: { a: { enum: Array.from({ length: 100 }, (_, at) => at) } },
      anyOf: Array.from({ length: 100 }, () => ({ $ref: '#/$defs/a' })),
    },
  ],
])('%s is watched', (_, schema) => {
  expect(isCheapSchema(schema)).toBe(false);
});
