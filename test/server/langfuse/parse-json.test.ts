import { describe, expect, it } from 'vitest';

import { DEEPEST_JSON, parseJson, valueOfText } from '../../../src/server/parse-json.ts';

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
  it('stays a text where it is nested too deep', () => {
    const text = nested(DEEPEST_JSON + 1).toString();
    expect(valueOfText(text)).toBe(text);
    expect(valueOfText('[42, "a"]')).toEqual([42, 'a']);
  });
});
