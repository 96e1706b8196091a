import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { linesWithin, readLines } from '../../src/data/lines.ts';
import { Problems } from '../../src/data/problems.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function linesOf(text: string, size: number, range?: { from: number; to: number }) {
  const chunks = range === undefined ? inPieces(text, size) : linesWithin(inPieces(text, size), range);
  const problems = new Problems();
  const batches = await Array.fromAsync(readLines(chunks, { file: 'a', problems, maxBytes: 1000 }));
  return batches.flat().map(({ text: line, line: number }) => `${number} ${line}`);
}

describe('linesWithin', () => {
  it('gives a line to the range that has its first byte, under its own number', async () => {
    const text = 'one\ntwo\n\nfour';
    expect(await linesOf(text, 3, { from: 0, to: 4 })).toEqual(['1 one']);
    expect(await linesOf(text, 3, { from: 0, to: 5 })).toEqual(['1 one', '2 two']);
    expect(await linesOf(text, 3, { from: 5, to: Infinity })).toEqual(['4 four']);
    expect(await linesOf(text, 3, { from: 4, to: 4 })).toEqual([]);
  });

  it('gives every line to one of the ranges that follow each other', async () => {
    const texts = fc.array(fc.constantFrom('a', 'bcd', '', 'é', '\r'), { maxLength: 12 });
    const bounds = fc.array(fc.nat(40), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(texts, bounds, fc.integer({ min: 1, max: 9 }), fc.boolean(), async (lines, cuts, size, ends) => {
        const text = lines.join('\n') + (ends ? '\n' : '');
        const places = [0, ...cuts.toSorted((a, b) => a - b), Infinity];
        const parts = places.slice(1).map((to, at) => linesOf(text, size, { from: places[at]!, to }));
        expect((await Promise.all(parts)).flat()).toEqual(await linesOf(text, 100));
      }),
    );
  });
});
