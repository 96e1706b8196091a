import fc from 'fast-check';
import { expect, test } from 'vitest';

import { finiteJson, finiteJsonBytes } from '../../../src/formats/logs/finite-json.ts';

const WRITTEN = '{"a": NaN, "NaN": "-Infinity \\" NaN", "b": [-Infinity, Infinity, -1.5], "c": "\\\\", "d": NaN}';
const PLAIN = { a: null, NaN: '-Infinity " NaN', b: [null, null, -1.5], c: '\\', d: null };

async function* inChunks(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

test('numbers that JSON does not have become null, and strings stay as they are', () => {
  expect(JSON.parse(finiteJsonBytes(Buffer.from(WRITTEN)).toString())).toEqual(PLAIN);
});

test('however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 40 }), async (sizes) => {
      const pieces = await Array.fromAsync(finiteJson(inChunks(Buffer.from(WRITTEN), sizes)));
      expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual(PLAIN);
    }),
    { numRuns: 100, seed: 1 },
  );
});

test('JSON without them is handed on byte by byte', () => {
  const plain = JSON.stringify({ Name: 'Ian', minus: -3, text: 'Infinity' });
  expect(finiteJsonBytes(Buffer.from(plain)).toString()).toBe(plain);
});
