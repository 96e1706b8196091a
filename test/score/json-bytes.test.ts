import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { JsonBytes } from '../../src/score/json-bytes.ts';

function written(size: number, write: (out: JsonBytes) => void): string {
  const chunks: Buffer[] = [];
  const out = new JsonBytes((bytes) => chunks.push(Buffer.from(bytes)), size);
  write(out);
  out.flush();
  return Buffer.concat(chunks).toString('utf8');
}

describe('JsonBytes', () => {
  it('writes any text as JSON.stringify does, whatever the size of its buffer', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('\ud800', 'a\u2028b', '"\\\u0000', '🙂 नमस्ते'),
    );
    fc.assert(
      fc.property(fc.array(text), fc.integer({ min: 16, max: 200 }), (texts, size) => {
        expect(written(size, (out) => texts.forEach((one) => out.string(one)))).toBe(
          texts.map((one) => JSON.stringify(one)).join(''),
        );
      }),
      { seed: 42, numRuns: 1000 },
    );
  });

  it('writes numbers as JSON.stringify does', () => {
    const numbers = [
      0,
      1,
      9,
      10,
      99,
      100,
      12345,
      2147483647,
      2147483648,
      1e9,
      4294967296,
      -1,
      -0.5,
      0.1 + 0.2,
      1 / 3,
      1e21,
      5e-324,
    ];
    for (const value of numbers) expect(written(64, (out) => out.number(value))).toBe(JSON.stringify(value));
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })), (value) => {
        expect(Number(written(64, (out) => out.number(value)))).toBe(value === 0 ? 0 : value);
      }),
      { seed: 42, numRuns: 1000 },
    );
  });

  it('refuses NaN and infinities: a ledger with them would be no JSON', () => {
    expect(() => written(64, (out) => out.number(Number.NaN))).toThrow(RangeError);
    expect(() => written(64, (out) => out.number(Number.POSITIVE_INFINITY))).toThrow(RangeError);
  });

  it('writes values longer than its buffer', () => {
    const long = 'é'.repeat(1000);
    expect(written(64, (out) => out.string(long))).toBe(JSON.stringify(long));
    expect(written(64, (out) => out.json({ long }))).toBe(JSON.stringify({ long }));
  });
});
