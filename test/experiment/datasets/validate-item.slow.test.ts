import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { ITEM_SCHEMAS, ITEM_TASKS, itemSchema } from '../../../src/experiment/datasets/item-schemas.ts';
import { makeItemValidator } from '../../../src/experiment/datasets/validate-item.ts';
import { example } from '../../cli/run-assay.ts';

const person = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, age: { minimum: 0 } } };

describe('an item is checked against its schemas', () => {
  it('finds nothing wrong without schemas, whatever the item holds', () => {
    expect(makeItemValidator({})({ input: undefined, expectedOutput: [1] })).toEqual([]);
    expect(makeItemValidator({ input: null, expectedOutput: null })({ input: 5 })).toEqual([]);
  });

  it('names the field, what was expected and what is there, all of it at once', () => {
    const validate = makeItemValidator({ input: person, expectedOutput: { type: 'array', items: person } });
    expect(validate({ input: { age: -1 }, expectedOutput: [{ name: 'Ann' }, { name: 3 }, 'Bo'] })).toEqual([
      { path: 'input.name', message: 'expected, but not there' },
      { path: 'input.age', message: 'expected >= 0, found -1' },
      { path: 'expected_output[1].name', message: 'expected text, found 3' },
      { path: 'expected_output[2]', message: 'expected an object, found "Bo"' },
    ]);
  });

  it('takes a missing expected output for a problem where there is a schema for it', () => {
    expect(makeItemValidator({ expectedOutput: { type: 'object' } })({ input: 1 })).toEqual([
      { path: 'expected_output', message: 'expected an output, found nothing' },
    ]);
    const nullable = { anyOf: [{ type: 'object' }, { type: 'null' }] };
    expect(makeItemValidator({ expectedOutput: nullable })({ input: 1 })).toEqual([]);
  });

  it('reports a value that is of none of several types once', () => {
    const anyOf = [{ type: 'string' }, { type: 'number' }];
    const input = { type: 'object', properties: { a: { anyOf }, b: { type: 'array', items: { anyOf } } } };
    expect(makeItemValidator({ input })({ input: { a: true, b: [1, null, {}] } })).toEqual([
      { path: 'input.a', message: 'expected text or a number, found true' },
      { path: 'input.b[1]', message: 'expected text or a number, found null' },
      { path: 'input.b[2]', message: 'expected text or a number, found an object' },
    ]);
  });

  it.each([
    [{ enum: ['a', 'b'] }, 'c', 'expected one of a, b, found "c"'],
    [{ const: 1 }, 2, 'expected 1, found 2'],
    [{ pattern: '^x' }, 'y', 'expected text like ^x, found "y"'],
    [{ minItems: 2 }, [1], 'expected a list of at least 2, found a list of 1'],
    [{ type: ['string', 'null'] }, 1, 'expected text or null, found 1'],
    [{ minLength: 1 }, '', 'expected text that is not empty, found ""'],
    [false, 1, 'nothing is expected here, found 1'],
    [{ uniqueItems: true }, [1, 1], 'expected a list without repeats, found a list of 2'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, 'expected text or a number, found true'],
  ])('says in words what %j expects', (schema, input, message) => {
    expect(makeItemValidator({ input: schema })({ input })[0]).toEqual({ path: 'input', message });
  });

  it('tells of twenty faults of one value and counts the rest', () => {
    const faults = makeItemValidator({ input: { items: { type: 'string' } } })({
      input: Array.from({ length: 30 }, () => 1),
    });
    expect(faults).toHaveLength(21);
    expect(faults.at(-1)).toEqual({ path: 'input', message: '… and 10 more' });
  });

  it('does not take what every object inherits for a field of it', () => {
    const validate = makeItemValidator({ input: { required: ['toString', 'constructor'] } });
    expect(validate({ input: {} }).map(({ path }) => path)).toEqual(['input.toString', 'input.constructor']);
  });

  it('understands draft-07 where a schema says so', () => {
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] };
    expect(makeItemValidator({ input: schema })({ input: [1] })).toEqual([
      { path: 'input[0]', message: 'expected text, found 1' },
    ]);
  });
});

describe('a schema that cannot be used', () => {
  let deep: unknown = {};
  for (let level = 0; level < 20_000; level += 1) deep = { not: deep };

  it.each<[string, unknown, RegExp]>([
    ['is no object', 5, /found 5/],
    ['is a list', [], /found a list of 0/],
    [
      'refers to another address',
      { $ref: 'http://elsewhere.example/x.json' },
      /refers to http:\/\/elsewhere.example\/x.json, which is not in it/,
    ],
    ['refers to a file', { $ref: 'file:///etc/passwd' }, /refers to file:/],
    ['refers to what it does not have', { $ref: '#/$defs/none' }, /refers to #\/\$defs\/none/],
    ['has a type that does not exist', { type: 'text' }, /type/],
    ['has a broken pattern', { pattern: '(' }, /Invalid regular expression/],
    ['is of an unknown dialect', { $schema: 'http://json-schema.org/draft-03/schema#' }, /draft-03/],
    ['is asynchronous', { $async: true }, /\$async/],
    ['is too long', { description: 'x'.repeat(1 << 20) }, /longer than 1 MiB/],
    ['is nested too deeply', deep, /nested too deeply/],
  ])('is refused when it %s', (_, schema, reason) => {
    expect(() => makeItemValidator({ input: schema })).toThrow(UsageError);
    expect(() => makeItemValidator({ input: schema })).toThrow(reason);
  });

  it('is refused when it refers to itself without end', () => {
    const validate = makeItemValidator({ input: { $ref: '#' } });
    expect(() => validate({ input: 1 })).toThrow(/refers to itself without end/);
  });
});

describe('a schema that would take for ever', () => {
  const validate = makeItemValidator({ input: { type: 'string', pattern: '^(a+)+$' } });

  it('is stopped after a second, and said to be the reason', () => {
    expect(() => validate({ input: `${'a'.repeat(50)}!` })).toThrow(
      /^the input schema cannot be used: checking by it takes longer than 1 s/,
    );
  });

  it('still checks what it can check', () => {
    expect(validate({ input: 'a'.repeat(50) })).toEqual([]);
    expect(validate({ input: 'b' })).toEqual([{ path: 'input', message: 'expected text like ^(a+)+$, found "b"' }]);
  });
});

describe('the item schemas of the tasks', () => {
  const lines = (path: string): unknown[] =>
    readFileSync(example(path), 'utf8')
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));

  it('are schemas themselves', () => {
    for (const task of ITEM_TASKS)
      expect(makeItemValidator(ITEM_SCHEMAS[task])({ input: {}, expectedOutput: {} })).not.toEqual([]);
  });

  it('fit the bundled graph items', () => {
    const validate = makeItemValidator(ITEM_SCHEMAS.graph);
    const items = lines('graph/items.jsonl') as { input: unknown; expected_output: unknown }[];
    expect(items).toHaveLength(6);
    for (const item of items) expect(validate({ input: item.input, expectedOutput: item.expected_output })).toEqual([]);
  });

  it('are one schema for a whole record, which is a schema itself', () => {
    for (const task of ITEM_TASKS) {
      const validate = makeItemValidator({ input: itemSchema(task) });
      const missing = ITEM_SCHEMAS[task].expectedOutput === null ? 'input.input.scenario' : 'input.expected_output';
      expect(validate({ input: { input: {} } }).map(({ path }) => path)).toContain(missing);
    }
    const whole = makeItemValidator({ input: itemSchema('graph') });
    for (const item of lines('graph/items.jsonl')) expect(whole({ input: item })).toEqual([]);
  });

  it('refuse a graph whose relationships are those of an extraction', () => {
    const expectedOutput = {
      entities: [{ name: 'Ann', type: 'Person' }],
      relationships: [{ source_ref: 'e1', target_ref: 'e1', type: 'knows' }],
    };
    expect(makeItemValidator(ITEM_SCHEMAS.graph)({ input: { document_text: 'Ann' }, expectedOutput })).toEqual(
      ['source_name', 'target_name', 'relationship_type'].map((name) => ({
        path: `expected_output.relationships[0].${name}`,
        message: 'expected, but not there',
      })),
    );
  });

  it('refuse a journal object with a bucket that does not exist, and welcome fields they do not know', () => {
    const object = { domain: 'food', evidence_span: 'chai', polarity: 'present', meal_type: 'breakfast' };
    const validate = makeItemValidator(ITEM_SCHEMAS.journal);
    const item = (more: object): { input: unknown; expectedOutput: unknown } => ({
      input: { text: 'chai', weather: 'rain' },
      expectedOutput: { items: [{ ...object, ...more }] },
    });
    expect(validate(item({}))).toEqual([]);
    expect(validate(item({ intensity_bucket: 'huge' }))).toEqual([
      {
        path: 'expected_output.items[0].intensity_bucket',
        message: 'expected one of low, medium, high, unknown, found "huge"',
      },
    ]);
  });

  it('refuse a span that begins before the text', () => {
    const item = { input: { text: 'Ann' }, expectedOutput: { spans: [{ start: -1, end: 3, label: 'PERSON' }] } };
    expect(makeItemValidator(ITEM_SCHEMAS.pii)(item)).toEqual([
      { path: 'expected_output.spans[0].start', message: 'expected >= 0, found -1' },
    ]);
  });
});
