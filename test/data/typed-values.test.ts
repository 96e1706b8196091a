import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { decodeTyped, encodeTyped, TypedValueError } from '../../src/data/typed-values.ts';

const bytesOf = (value: unknown): Buffer => Buffer.concat(encodeTyped(value));

describe('typed values', () => {
  test('come back as they were', () => {
    // oxlint-disable-next-line no-sparse-arrays -- a log of sums has such lists
    const sparse = [[1, 2], , [3]];
    const value = {
      numbers: [1, -0, NaN, 0.1, 2 ** 60],
      mixed: [1, 'a', null, undefined, -0, NaN, -Infinity, true],
      texts: ['a', '\ud800', '\n', '__proto__', ''],
      empty: [[], new Map(), new Set(), {}, new Float64Array(0)],
      map: new Map<unknown, unknown>([
        [null, new Set(['x'])],
        ['y', { z: undefined }],
        [-3, [new Uint8Array([1, 2, 255])]],
      ]),
      byNumber: new Map([
        [1, 'a'],
        [2, 'b'],
      ]),
      arrays: [new Uint16Array([65535]), new Uint32Array([2 ** 32 - 1]), new Int32Array([-1]), new Float64Array([NaN])],
      part: new Float64Array([1, 2, 3]).subarray(1),
      long: Array.from({ length: 10_000 }, (_, at) => `d${at}`),
      sparse,
    };
    const read = decodeTyped(bytesOf(value));
    expect(read).toStrictEqual({ ...value, sparse: [[1, 2], undefined, [3]] });
  });

  test('any data comes back', () => {
    fc.assert(
      fc.property(
        fc.anything({ withMap: true, withSet: true, withTypedArray: false, withNullPrototype: false, maxDepth: 4 }),
        (value) => {
          let first: Buffer;
          try {
            first = bytesOf(value);
          } catch {
            return;
          }
          expect(bytesOf(decodeTyped(first)).equals(first)).toBe(true);
        },
      ),
    );
  });

  test.each([
    ['nothing', ''],
    ['data of v8', '\u00ff\u000fo"\u0001a'],
    ['no line', 'assay typed values 1\n{}'],
    ['no JSON', 'assay typed values 1\n{\n'],
    ['an unknown type', 'assay typed values 1\n["Date",0]\n'],
    ['a type that objects have', 'assay typed values 1\n["constructor",0]\n'],
    ['a list longer than the data', 'assay typed values 1\n["numbers",8]\n1234567'],
    ['a list of no whole number of values', 'assay typed values 1\n["numbers",7]\n1234567'],
    ['a negative size', 'assay typed values 1\n["numbers",-8]\n'],
    ['a size beyond all numbers', 'assay typed values 1\n["Uint8Array",1e400]\n'],
    ['more data than values', 'assay typed values 1\n1\n1'],
    ['texts that are numbers', 'assay typed values 1\n["texts",3]\n[1]'],
    ['a map with too few values', 'assay typed values 1\n["map",["list",1],["list"]]\n'],
    ['a key twice', 'assay typed values 1\n["map",["list",1,1],["list",1,2]]\n'],
    ['deep nesting', `assay typed values 1\n${'["list",'.repeat(50_000)}1${']'.repeat(50_000)}\n`],
  ])('%s is refused', (_, text) => {
    expect(() => decodeTyped(Buffer.from(text, 'latin1'))).toThrow(TypedValueError);
  });
});
