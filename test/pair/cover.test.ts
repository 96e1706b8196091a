import { describe, expect, it } from 'vitest';

import { makeItem } from '../../src/data/item.ts';
import { pairByCover } from '../../src/pair/cover.ts';

const TEXT = 'Ann Lee, of Rome, met Bo.';
const span = (text: string, label: string, index = 0, from = 0) => {
  const start = TEXT.indexOf(text, from);
  return makeItem({ kind: 'span', index, label, text, start, end: start + text.length });
};
const cover = (gold: readonly string[], predicted: readonly string[], threshold = 1) =>
  pairByCover(
    gold.map((text, at) => span(text, 'X', at)),
    predicted.map((text, at) => span(text, 'Y', at)),
    TEXT,
    { name: 'pair', thresholdFor: () => threshold },
  );

describe('masking by cover', () => {
  it('counts a span that two predictions cover together, whatever their labels, and names the longer one', () => {
    const { pairs, helpers, predicted } = cover(['Ann Lee'], ['Ann', 'Lee,']);
    expect(pairs).toMatchObject([{ gold: { text: 'Ann Lee' }, predicted: { text: 'Ann' }, similarity: 1 }]);
    expect(helpers).toMatchObject([{ item: { text: 'Lee,' }, because: 'it covers part of gold "Ann Lee"' }]);
    expect(predicted).toEqual([]);
  });

  it('asks for letters and digits only: the comma and the space may stand', () => {
    expect(cover(['Lee, of'], ['Lee', 'of']).pairs).toHaveLength(1);
  });

  it('misses a span of which one letter shows, and says how much was covered', () => {
    // 5 of the 6 letters of "Ann Lee" are inside "Ann Le".
    const { pairs, gold } = cover(['Ann Lee'], ['Ann Le']);
    expect(pairs).toEqual([]);
    expect(gold[0]?.rejected).toMatchObject({ similarity: 5 / 6, why: 'only 83 % of it is covered' });
    expect(cover(['Ann Lee'], ['Ann Le'], 0.8).pairs).toHaveLength(1);
  });

  it('lets one long prediction cover several spans, and leaves over what touches none', () => {
    const { pairs, helpers, predicted } = cover(['Ann Lee', 'Rome'], ['Ann Lee, of Rome', 'met']);
    expect(pairs.map(({ gold }) => gold.text)).toEqual(['Ann Lee', 'Rome']);
    expect(helpers).toEqual([]);
    expect(predicted.map(({ item }) => item.text)).toEqual(['met']);
  });
});
