import { describe, expect, test } from 'vitest';

import { makeCase } from '../../src/data/case.ts';
import type { Item } from '../../src/data/item.ts';
import type { LeftOver } from '../../src/pair/pairing.ts';
import { cutStretches, pairSegments } from '../../src/pair/segments.ts';
import { scoreWith } from '../recipe/score-with.ts';
import { quoted, span } from './items.ts';

const TEXT = 'Dr. Ann Lee 🙂 lives in Oslo, Norway';
const RULE = { name: 'pair', gate: ['label'], words: 'unicode' } as const;

function weights(list: readonly { readonly weight: number }[]): number {
  return list.reduce((sum, { weight }) => sum + weight, 0);
}

function cut(gold: Item[], predicted: Item[], unit: 'token' | 'character', rule = {}): [number, number, number] {
  const { pairs, predicted: spurious, gold: missed } = pairSegments(gold, predicted, TEXT, unit, { ...RULE, ...rule });
  return [weights(pairs), weights(spurious), weights(missed)];
}

describe('characters', () => {
  test('are code points of the places that spans cover', () => {
    // "Ann Lee 🙂" is 9 characters and 10 UTF-16 units; "Lee 🙂 l" shares "Lee 🙂" with it.
    const gold = [quoted(TEXT, 'Ann Lee 🙂', 'PERSON')];
    expect(cut(gold, gold, 'character')).toEqual([9, 0, 0]);
    expect(cut(gold, [quoted(TEXT, 'Lee 🙂 l', 'PERSON')], 'character')).toEqual([5, 2, 4]);
  });

  test('nested spans of one label count a place once', () => {
    const gold = [quoted(TEXT, 'Ann Lee', 'PERSON'), quoted(TEXT, 'Ann', 'PERSON'), quoted(TEXT, 'n Le', 'PERSON')];
    expect(cut(gold, [quoted(TEXT, 'Ann Lee', 'PERSON')], 'character')).toEqual([7, 0, 0]);
  });

  test('labels are counted apart, unless there is no gate on them', () => {
    const gold = [quoted(TEXT, 'Oslo', 'LOC')];
    const predicted = [quoted(TEXT, 'Oslo', 'ORG')];
    expect(cut(gold, predicted, 'character')).toEqual([0, 4, 4]);
    expect(cut(gold, predicted, 'character', { gate: [] })).toEqual([4, 0, 0]);
  });
});

describe('tokens', () => {
  test('that a span touches belong to it as a whole', () => {
    // Tokens: Dr . Ann Lee 🙂 lives in Oslo , Norway
    expect(cut([quoted(TEXT, 'Ann Lee', 'PERSON')], [quoted(TEXT, 'e', 'PERSON')], 'token')).toEqual([1, 0, 1]);
    expect(cut([quoted(TEXT, 'Oslo, Norway', 'LOC')], [quoted(TEXT, 'in Oslo', 'LOC')], 'token')).toEqual([1, 1, 2]);
    expect(
      cut([quoted(TEXT, 'Oslo, Norway', 'LOC')], [quoted(TEXT, 'in Oslo', 'LOC')], 'token', { words: 'whitespace' }),
    ).toEqual([1, 1, 1]);
  });

  test('are none where a span covers white space only', () => {
    expect(cut([quoted(TEXT, ' ', 'LOC')], [], 'token')).toEqual([0, 0, 0]);
  });

  test('in a row of one fate are one verdict with their weight', () => {
    const { pairs } = pairSegments(
      [quoted(TEXT, 'lives in Oslo', 'X')],
      [quoted(TEXT, 'lives in Oslo', 'X')],
      TEXT,
      'token',
      RULE,
    );
    expect(pairs.map(({ gold, weight }) => [gold.text, weight])).toEqual([['lives in Oslo', 3]]);
  });
});

describe('a prediction without a place', () => {
  const refused = { start: 8, end: 99, because: 'past the end' };
  const lost = { ...span(-1, -1, 'LOC', { text: 'New York' }), refused };
  const spurious = (unit: 'token' | 'character'): LeftOver | undefined =>
    pairSegments([], [lost], TEXT, unit, RULE).predicted[0];

  test('is spurious with the units its own text has', () => {
    expect(spurious('token')).toMatchObject({ weight: 2, item: { text: 'New York' } });
    expect(spurious('character')?.weight).toBe(8);
    expect(pairSegments([], [span(-1, -1)], TEXT, 'token', RULE).predicted[0]?.weight).toBe(1);
  });

  test('is in the ledger of every scheme, with its fault', async () => {
    const scored = await scoreWith('pii/every-scheme', makeCase({ id: 'c', text: TEXT, predicted: [lost] }));
    for (const scheme of ['token', 'character', 'exact'])
      expect(scored.verdicts(scheme)).toMatchObject([
        { verdict: 'spurious', rule: 'bad-span', because: 'past the end' },
      ]);
  });
});

describe('stretches', () => {
  test('cutStretches says which side each piece is in', () => {
    expect(
      cutStretches(
        [{ start: 0, end: 5 }],
        [
          { start: 3, end: 8 },
          { start: 10, end: 11 },
        ],
      ),
    ).toEqual([
      { start: 0, end: 3, inGold: true, inPredicted: false },
      { start: 3, end: 5, inGold: true, inPredicted: true },
      { start: 5, end: 8, inGold: false, inPredicted: true },
      { start: 10, end: 11, inGold: false, inPredicted: true },
    ]);
    expect(cutStretches([], [])).toEqual([]);
  });
});
