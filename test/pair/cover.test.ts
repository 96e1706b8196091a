import { describe, expect, it } from 'vitest';

import { makeItem } from '../../src/data/item.ts';
import { type CoverRule, pairByCover, PLAIN_COVER } from '../../src/pair/cover.ts';

const TEXT = 'Ann Lee, of Rome, met Bo.';
const span = (text: string, label: string, index = 0, from = 0) => {
  const start = TEXT.indexOf(text, from);
  return makeItem({ kind: 'span', index, label, text, start, end: start + text.length });
};
const cover = (
  gold: readonly string[],
  predicted: readonly string[],
  { threshold = 1, ...more }: Partial<CoverRule> & { threshold?: number } = {},
) =>
  pairByCover(
    gold.map((text, at) => span(text, 'X', at)),
    predicted.map((text, at) => span(text, 'Y', at)),
    TEXT,
    { ...PLAIN_COVER, name: 'pair', thresholdFor: () => threshold, pieces: 'whole', ...more },
  );

describe('masking by cover', () => {
  it('counts a span that two predictions cover together, whatever their labels, and names the longer one', () => {
    const { covered, helpers, predicted } = cover(['Ann Lee,'], ['Ann', 'Lee,']);
    expect(covered).toMatchObject([{ gold: { text: 'Ann Lee,' }, predicted: { text: 'Lee,' }, similarity: 1 }]);
    expect(helpers).toMatchObject([
      { item: { text: 'Ann' }, because: 'inside gold "Ann Lee,"' },
      { item: { text: 'Lee,' }, because: 'inside gold "Ann Lee,"' },
    ]);
    expect(predicted).toEqual([]);
  });

  it('asks for letters and digits only, unless the characters are named', () => {
    expect(cover(['Lee, of'], ['Lee', 'of']).covered).toHaveLength(1);
    expect(cover(['Lee, of'], ['Lee', 'of'], { ignoreCharacters: ' ' }).covered).toHaveLength(0);
  });

  it('misses a span of which one letter shows, and says how much was covered', () => {
    // 5 of the 6 letters of "Ann Lee" are inside "Ann Le".
    const { covered, gold } = cover(['Ann Lee'], ['Ann Le']);
    expect(covered).toEqual([]);
    expect(gold[0]?.rejected).toMatchObject({ similarity: 5 / 6, why: 'only 83 % of it is covered' });
    expect(cover(['Ann Lee'], ['Ann Le'], { threshold: 0.8 }).covered).toHaveLength(1);
  });

  it('lets one long prediction cover several spans, and counts it as spurious', () => {
    const { covered, helpers, predicted } = cover(['Ann Lee', 'Rome'], ['Ann Lee, of Rome', 'met']);
    expect(covered).toMatchObject([
      { gold: { text: 'Ann Lee' }, predicted: null, because: 'covered by "Ann Lee, of Rome", which reaches beyond it' },
      { gold: { text: 'Rome' }, predicted: null },
    ]);
    expect(helpers).toEqual([]);
    expect(predicted).toMatchObject([
      {
        item: { text: 'Ann Lee, of Rome' },
        rejected: { item: { text: 'Ann Lee' }, why: 'it reaches beyond this gold' },
      },
      { item: { text: 'met' }, rejected: null },
    ]);
  });

  it('in words, counts each of a span, those in a row with one fate in one piece', () => {
    const { covered, gold, helpers, predicted } = cover(['Ann Lee, of Rome', 'Bo'], ['Lee, of', 'met Bo'], {
      pieces: 'words',
    });
    expect(covered?.map(({ gold: { text }, weight }) => [text, weight])).toEqual([
      ['Lee, of', 2],
      ['Bo', 1],
    ]);
    expect(gold.map(({ item: { text } }) => text)).toEqual(['Ann', 'Rome']);
    expect(helpers?.map(({ item: { text }, weight }) => [text, weight])).toEqual([
      ['Lee, of', 2],
      ['Bo', 1],
    ]);
    expect(predicted.map(({ item: { text } }) => text)).toEqual(['met']);
  });
});
