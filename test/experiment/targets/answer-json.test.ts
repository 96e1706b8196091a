import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import type { JsonSchema } from '../../../src/experiment/json-schema.ts';
import {
  answerCheck,
  namesEveryField,
  parseJson,
  parseModelJson,
} from '../../../src/experiment/targets/answer-json.ts';

describe("JSON in a model's answer", () => {
  it.each([
    ['plain', '{"a": 1}'],
    ['with white space around it', '\n  {"a": 1}\n'],
    ['behind a byte order mark', '\ufeff{"a": 1}'],
    ['in a fence', '```json\n{"a": 1}\n```'],
    ['in a fence without a name, with spaces', ' ```  \r\n{"a": 1}\r\n```\n'],
  ])('is read %s', (_, text) => {
    expect(parseModelJson(text)).toEqual({ value: { a: 1 } });
  });

  it('may have a fence within a text', () => {
    expect(parseModelJson('{"code": "```json\\n1\\n```"}')).toEqual({ value: { code: '```json\n1\n```' } });
    expect(parseModelJson('```json\n{"code": "```"}\n```')).toEqual({ value: { code: '```' } });
  });

  it.each([
    ['prose before it', 'Here it is: {"a": 1}', /not JSON/],
    ['prose after a fence', '```json\n{"a": 1}\n```\nDone.', /not JSON/],
    ['two fences', '```json\n1\n```\n```json\n2\n```', /not JSON/],
    ['an end that is missing', '{"a": [1, 2', /cut off/],
    ['no number', '{"a": NaN}', /found NaN/],
    ['a comma too many', '{"a": 1,}', /not JSON/],
    ['nothing', ' \n', /empty/],
    ['an empty fence', '```json\n```', /empty/],
  ])('is not read with %s', (_, text, fault) => {
    expect(parseModelJson(text).fault).toMatch(fault);
  });

  it('may be 200 levels deep and no more, brackets in texts not counted', () => {
    expect(parseJson(`${'['.repeat(200)}${']'.repeat(200)}`).fault).toBeUndefined();
    expect(parseJson(`${'['.repeat(201)}${']'.repeat(201)}`).fault).toBe('it is nested more than 200 levels deep');
    expect(parseJson(`"${'['.repeat(500)}\\"${'['.repeat(500)}"`).fault).toBeUndefined();
  });
});

const POINT = {
  type: 'object',
  properties: { x: { type: 'number' }, side: { enum: ['left', 'right'] } },
  required: ['x'],
  additionalProperties: false,
};

describe('a schema', () => {
  it('says all that is wrong with a value, and where', () => {
    const check = answerCheck({ type: 'array', items: POINT }, 'schema');
    expect(check([{ x: 1, side: 'left' }])).toEqual([]);
    expect(check([{ x: 1 }, { side: 'up', y: 2 }])).toEqual([
      "/1 must have required property 'x'",
      '/1 must NOT have additional properties (y)',
      '/1/side must be equal to one of the allowed values (left, right)',
    ]);
    expect(check({})).toEqual(['the answer must be array']);
  });

  it('says the first five things, and how many more', () => {
    const check = answerCheck({ type: 'array', items: { type: 'number' } }, 'schema');
    const found = check(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
    expect(found).toHaveLength(6);
    expect(found[0]).toBe('/0 must be number');
    expect(found[5]).toBe('and 2 more');
  });

  it('does not count a million violations', () => {
    const check = answerCheck({ type: 'array', items: { type: 'number' } }, 'schema');
    expect(check(Array.from({ length: 1_000_000 }, () => 'x'))).toEqual(['/0 must be number']);
  });

  it('may be of draft 2020-12 or of draft 7', () => {
    const newer = answerCheck({ type: 'array', prefixItems: [{ type: 'string' }] }, 'schema');
    expect(newer([1])).toEqual(['/0 must be string']);
    const older = answerCheck(
      { $schema: 'http://json-schema.org/draft-07/schema#', type: 'array', items: [{ type: 'string' }] },
      'schema',
    );
    expect(older([1])).toEqual(['/0 must be string']);
  });

  it('that is none, or leads elsewhere, is refused when it is opened', () => {
    expect(() => answerCheck({ type: 'nothing' }, 'schema')).toThrow(UsageError);
    expect(() => answerCheck({ $ref: 'https://example.org/schema.json' }, 'schema')).toThrow(
      /schema: not a JSON Schema/,
    );
  });

  it('may refer to itself', () => {
    const check = answerCheck({ type: 'object', properties: { a: { $ref: '#' } } }, 'schema');
    expect(check({ a: { a: {} } })).toEqual([]);
    expect(check({ a: { a: 3 } })).toEqual(['/a/a must be object']);
  });

  it.each([
    [{ $dynamicRef: '#x', $dynamicAnchor: 'x' }],
    [{ $ref: '#' }],
    [{ anyOf: [{ not: { type: 'array' } }, { $ref: '#' }] }],
    [{ $async: true, type: 'string' }],
  ])('that could check nothing is refused when it is opened: %j', (schema) => {
    expect(() => answerCheck(schema, 'schema')).toThrow(UsageError);
  });

  it('that goes in circles for some values only says so of these', () => {
    const check = answerCheck(
      JSON.parse('{ "if": { "const": "odd" }, "then": { "$ref": "#" } }') as JsonSchema,
      'schema',
    );
    expect(check('even')).toEqual([]);
    expect(check('odd')).toEqual(['the schema refers to itself without end']);
  });

  it('does not let a hostile value print what it likes', () => {
    const check = answerCheck(POINT, 'schema');
    expect(check({ x: 1, '\u001b[2J': 1 })).toEqual(['the answer must NOT have additional properties (\\u001b[2J)']);
  });
});

describe('namesEveryField', () => {
  it('is true where nothing is left open', () => {
    expect(
      namesEveryField({ type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false }),
    ).toBe(true);
    expect(namesEveryField({ type: 'array', items: { type: 'string' } })).toBe(true);
    expect(namesEveryField(null)).toBe(true);
  });

  it('is false where a field may be missing or come in addition, however deep', () => {
    expect(namesEveryField(POINT)).toBe(false);
    expect(namesEveryField({ type: 'array', items: { anyOf: [{ type: ['object', 'null'] }] } })).toBe(false);
    expect(namesEveryField({ $defs: { p: { properties: { a: {} }, required: ['a'] } } })).toBe(false);
  });
});
