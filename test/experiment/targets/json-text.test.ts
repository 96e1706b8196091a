import { describe, expect, it } from 'vitest';

import { parseJson, parseModelJson } from '../../../src/experiment/targets/json-text.ts';

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
