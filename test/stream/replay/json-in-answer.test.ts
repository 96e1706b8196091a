import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { jsonInAnswer } from '../../../src/stream/replay/prompted-model.ts';

describe('jsonInAnswer', () => {
  it.each([
    ['{"a": 1}', { value: { a: 1 }, wrapped: false }],
    [' \n{"a": 1}\n', { value: { a: 1 }, wrapped: false }],
    ['```json\n{"a": 1}\n```', { value: { a: 1 }, wrapped: true }],
    ['Here{"a": {"b": "}"}} as you wished', { value: { a: { b: '}' } }, wrapped: true }],
    ['It says "so": {"a": "a \\"quote\\" and a {"}', { value: { a: 'a "quote" and a {' }, wrapped: true }],
    ['Use {braces} like {"a": 1}', { value: { a: 1 }, wrapped: true }],
    ['An open { and then {"a": 1}', { value: { a: 1 }, wrapped: true }],
    ['[{"a": 1}]', { value: { a: 1 }, wrapped: true }],
    ['', { error: 'the answer is empty' }],
    [' \n ', { error: 'the answer is empty' }],
    ['I cannot say.', { error: 'not JSON' }],
    ['"text"', { error: 'not JSON' }],
    ['{"a": 1', { error: 'not JSON' }],
    ["{'a': 1}", { error: 'not JSON' }],
    ['{"a": 1} or {"a": 2}', { error: '2 JSON objects in one answer' }],
  ])('of %j is %j', (answer, expected) => {
    expect(jsonInAnswer(answer)).toEqual(expected);
  });

  it('finds any object again, in prose that has no brackets', () => {
    const prose = fc.string({ maxLength: 20 }).filter((text) => !/[{}"]/.test(text));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), prose, prose, (value, before, after) => {
        const written = JSON.stringify(value);
        expect(jsonInAnswer(`${before}${written}${after}`).value).toEqual(JSON.parse(written));
      }),
      { seed: 4, numRuns: 200 },
    );
  });
});
