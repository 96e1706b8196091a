import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readJsonValues } from '../../src/data/json-values.ts';
import { InputError, Problems } from '../../src/data/problems.ts';
import { runs } from '../text/arbitraries.ts';
import { cutAt } from './reading.ts';

/** `line: text` of each value, then what was wrong. */
async function values(text: string, places: readonly number[] = [], maxBytes = 1000): Promise<string[]> {
  const problems = new Problems();
  const out: string[] = [];
  try {
    for await (const batch of readJsonValues(cutAt(Buffer.from(text), places), { file: 'f', problems, maxBytes }))
      out.push(...batch.map((record) => `${record.line}: ${record.text}`));
    problems.throwIfAny();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    out.push(error.message);
  }
  return out;
}

describe('readJsonValues', () => {
  it('gives the elements of an array with the lines they begin on', async () => {
    expect(await values('[\n {"a": [1, {"b": "]}"}]},\n\n "x", 5,\n null]\n')).toEqual([
      '2: {"a": [1, {"b": "]}"}]}',
      '4: "x"',
      '4: 5',
      '5: null',
    ]);
  });

  it('gives the values of a file of values, one a line or laid out over lines', async () => {
    expect(await values('{"a":1}\n{\n  "b": 2\n}{"c":3} true\n7')).toEqual([
      '1: {"a":1}',
      '2: {\n  "b": 2\n}',
      '4: {"c":3}',
      '4: true',
      '5: 7',
    ]);
  });

  it('is not misled by escapes', async () => {
    expect(await values(String.raw`[{"a":"\"]"},{"b":"\\"},{"c":"\\\"[{"}]`)).toEqual([
      String.raw`1: {"a":"\"]"}`,
      String.raw`1: {"b":"\\"}`,
      String.raw`1: {"c":"\\\"[{"}`,
    ]);
  });

  it('knows an empty array', async () => {
    expect(await values(' [ ] ')).toEqual([]);
  });

  it.each([
    ['[{"a":1},\n{"b":2}', '2: {"b":2}', 'f:2: the JSON array is cut off: no closing ]'],
    ['[{"a":1},\n{"b":\n', '1: {"a":1}', 'f:2: the JSON is cut off: the value that begins here never ends'],
    ['[{"a":1},\n{"b":"x', '1: {"a":1}', 'f:2: the JSON is cut off: the value that begins here never ends'],
    ['[{"a":1},\n12', '1: {"a":1}', 'f:2: the JSON is cut off: the value that begins here never ends'],
    ['[{"a":1},', '1: {"a":1}', 'f:1: the JSON array is cut off: no closing ]'],
  ])('says where %j is cut off', async (text, last, message) => {
    const read = await values(text);
    expect(read.at(-2)).toBe(last);
    expect(read.at(-1)).toContain(message);
  });

  it.each([
    ['[1,,2]', 'f:1: not JSON: found , where a value of the array was expected'],
    ['[1,\n]', 'f:2: not JSON: found ] where a value of the array was expected'],
    ['[,1]', 'f:1: not JSON: found , where a value of the array was expected'],
    ['[{}\n{}]', 'f:2: not JSON: expected a comma before the next value of the array'],
    ['[1]\n[2]', 'f:2: something follows the end of the JSON array'],
  ])('refuses %j', async (text, message) => {
    expect((await values(text)).at(-1)).toContain(message);
  });

  it.each([[[]], [[3]], [[3, 6, 9, 12, 15]]])('skips a value that is too long, cut at %j', async (places) => {
    expect(await values('[{"a":"123456789"},\n{"b":1}]', places, 10)).toEqual([
      '2: {"b":1}',
      expect.stringMatching(/^f:1: the record is longer than .* MiB/),
    ]);
  });

  it('gives the same values wherever the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.json({ maxDepth: 2 }),
            fc.constantFrom('[', ']', ',', '\n', ' ', '{', '}', '"', '\\', '🙂', '[{"a":"\\""},', ']'),
          ),
          { maxLength: 10 },
        ),
        fc.array(fc.nat(200), { maxLength: 8 }),
        async (parts, places) => {
          const text = parts.join('');
          expect(await values(text, places, 60)).toEqual(await values(text, [], 60));
        },
      ),
      runs,
    );
  });

  it('gives what JSON.parse gives for the whole array', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 3 })), fc.nat(3), async (list, indent) => {
        const read = await values(JSON.stringify(list, null, indent), [], 1e6);
        expect(read.map((value): unknown => JSON.parse(value.slice(value.indexOf(' '))))).toEqual(
          JSON.parse(JSON.stringify(list)),
        );
      }),
      runs,
    );
  });
});
