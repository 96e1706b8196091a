import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { packedText, TextTable } from '../../../../src/stream/concepts/linker/text-table.ts';
import { validText } from '../../../text/arbitraries.ts';

describe('TextTable', () => {
  it('numbers texts in the order in which they first came, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(validText, { maxLength: 60 }), (texts) => {
        const table = new TextTable();
        const distinct = [...new Set(texts)];
        expect(texts.map((text) => table.add(text))).toEqual(texts.map((text) => distinct.indexOf(text)));
        expect(table.count).toBe(distinct.length);
        expect(distinct.map((_, at) => packedText(table, at))).toEqual(distinct);
      }),
      { seed: 20260, numRuns: 200 },
    );
  });

  it('keeps its numbers while it grows to many texts', () => {
    const table = new TextTable();
    const numbers = Array.from({ length: 20_000 }, (_, at) => table.add(`name ${at}`));
    expect(numbers.every((number, at) => number === at)).toBe(true);
    expect(table.find('name 12345')).toBe(12_345);
    expect(table.find('name 20000')).toBeNull();
    expect(table.count).toBe(20_000);
    expect(packedText(table, 19_999)).toBe('name 19999');
  });
});
