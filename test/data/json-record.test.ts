import { describe, expect, it } from 'vitest';

import { FAILED, parseRecord } from '../../src/data/json-record.ts';
import { InputError, Problems } from '../../src/data/problems.ts';

/** The value, or the message. */
function parse(text: string, line = 7): unknown {
  const problems = new Problems();
  const value = parseRecord({ text, line }, 'f', problems);
  if (value !== FAILED) return value;
  try {
    problems.throwIfAny();
  } catch (error) {
    if (error instanceof InputError) return error.message;
  }
  throw new Error('FAILED without a problem');
}

describe('parseRecord', () => {
  it('gives the value', () => {
    expect(parse('{"a": [1, "é"]}')).toEqual({ a: [1, 'é'] });
  });

  it.each(['{"a":1', '{"a":"x', '{"a":', '{"a":tru', '[1,2', '{"a":"\\u12', '{'])('says that %j is cut off', (text) => {
    expect(parse(text)).toBe(
      `f:7: the JSON is cut off after ${text.length} characters, at ${JSON.stringify(text)} (check that the file was written to its end)`,
    );
  });

  it.each([
    ['{"start": NaN}', 'NaN'],
    ['{"start": Infinity, "end": 3}', 'Infinity'],
    ['{"start": -Infinity, "end": 3}', '-Infinity'],
    [`{"text": "${'x'.repeat(200)}", "score": NaN, "y": "${'x'.repeat(200)}"}`, 'NaN'],
  ])('knows what Python writes in %j', (text, found) => {
    expect(parse(text)).toMatch(
      new RegExp(`^f:7: found ${found} near .*, which is not JSON \\(write null, or leave the field out\\)$`),
    );
  });

  it.each([
    ["{'a': 1}", `f:7: not JSON at character 2: expected property name or '}', near "{'a': 1}"`],
    ['{"a": 1,}', 'f:7: not JSON at character 9: expected double-quoted property name, near "{\\"a\\": 1,}"'],
    ['{"a": x}', 'f:7: not JSON: unexpected "x", near "{\\"a\\": x}"'],
    [
      '{"a": "NaN", b: 1}',
      `f:7: not JSON at character 14: expected double-quoted property name, near "{\\"a\\": \\"NaN\\", b: 1}"`,
    ],
    [
      '{"a": "tab\there"}',
      'f:7: not JSON at character 11: bad control character in string literal, near "{\\"a\\": \\"tab\\there\\"}"',
    ],
    [
      '{"a":1}\r{"b":2}',
      'f:7: not JSON at character 9: unexpected non-whitespace character after JSON, near "{\\"a\\":1}\\r{\\"b\\":2}"',
    ],
  ])('says where %j is no JSON', (text, message) => {
    expect(parse(text)).toBe(message);
  });

  it('counts on from the first line of a record that goes over several', () => {
    expect(parse('{\n  "a": 1,\n  b: 2\n}')).toMatch(/^f:9: not JSON at character 15/);
  });

  it('shows control characters of the surroundings, and sends none', () => {
    expect(parse('{"\u001b[2J": x}')).toContain('\\u001b[2J');
  });

  it('gives keys that every object answers to as plain fields', () => {
    expect(Object.getPrototypeOf(parse('{"__proto__": {"admin": true}, "constructor": 1}'))).toBe(Object.prototype);
  });

  it('parses a hundred thousand levels without running out of stack', () => {
    expect(parse(`{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toBeTypeOf('object');
    expect(parse('['.repeat(100_000))).toContain('the JSON is cut off after 100000 characters');
  });
});
