import { describe, expect, it } from 'vitest';

import { DEEPEST_JSON, parseJson, valueOfText } from '../../../src/langfuse/server/parse-json.ts';

function nested(depth: number): Buffer {
  return Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`);
}

describe('parseJson', () => {
  it('takes what is nested up to the limit, and no further', () => {
    expect(parseJson(nested(DEEPEST_JSON))).toBeInstanceOf(Array);
    expect(() => parseJson(nested(DEEPEST_JSON + 1))).toThrow('nested deeper');
    const wide = `[${'[],'.repeat(5000)}[]]`;
    expect(parseJson(Buffer.from(wide))).toHaveLength(5001);
  });
});

describe('valueOfText', () => {
  it.each([
    ['{"a":[1]}', { a: [1] }],
    ['[1,2]', [1, 2]],
    ['5', 5],
    ['-0.5', -0.5],
    ['true', true],
    ['null', null],
  ])('%s is the value that was written', (text, value) => {
    expect(valueOfText(text)).toEqual(value);
  });

  it.each([
    '',
    'plain',
    '{not json',
    '"quoted"',
    '007',
    '1e400',
    '12345678901234567890',
    '0.10',
    'nullable',
    ' {"a":1}',
  ])('%s stays a text: reading it would make it another one', (text) => {
    expect(valueOfText(text)).toBe(text);
  });

  it('stays a text where it is nested too deep', () => {
    const text = nested(DEEPEST_JSON + 1).toString();
    expect(valueOfText(text)).toBe(text);
  });
});
