import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { rightPlaces } from '../../../src/audit/checks/content/repeated-items.ts';
import { repeatedAnswersCheck } from '../../../src/audit/checks/content/template-answers.ts';
import { foundBy } from './found-by.ts';
import { Chance, sentence } from './made-texts.ts';

const chance = new Chance(7);

describe('one list of items for many cases', () => {
  function extracted(n: number, of: number, text: (at: number) => string, quote: (at: number) => string): Case[] {
    return Array.from({ length: of }, (_, at) => {
      const own = text(at);
      return makeCase({
        id: `c${at}`,
        text: own,
        gold: [makeItem({ kind: 'object', index: 0, label: 'food', text: own.slice(0, 12) })],
        predicted: [makeItem({ kind: 'object', index: 0, label: 'food', text: at < n ? quote(at) : own.slice(0, 10) })],
      });
    });
  }
  const texts = Array.from({ length: 25 }, () => sentence(chance));

  test('items that the texts do not hold, in a fifth of the cases', async () => {
    const cases = extracted(
      5,
      25,
      (at) => texts[at]!,
      () => 'rice and dal',
    );
    const { findings } = await foundBy([repeatedAnswersCheck], 'journal/ashwam', cases);
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      [
        'warning',
        '5 of 25 cases (20 %) have the same predicted items, which are not in their texts; for 5 of them gold differs',
      ],
    ]);
    expect(findings[0]?.cases.shown).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
    // One item in each of the five, from the first case on.
    expect(findings[0]?.items.total).toBe(5);
    expect(findings[0]?.items.shown.map((item) => item.case)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
    const half = extracted(
      13,
      25,
      (at) => texts[at]!,
      () => 'rice and dal',
    );
    expect((await foundBy([repeatedAnswersCheck], 'journal/ashwam', half)).said).toEqual(['repeated-answers error']);
    const four = extracted(
      4,
      20,
      (at) => texts[at]!,
      () => 'rice and dal',
    );
    expect((await foundBy([repeatedAnswersCheck], 'journal/ashwam', four)).said).toEqual([]);
  });

  describe('the same places of texts that differ', () => {
    const span = (label: string, text: string, start: number, end: number) =>
      makeItem({ kind: 'span', index: start, label, text: text.slice(start, end), start, end });
    const marked = (given: readonly string[], gold: readonly number[], of = given.length, n = 2): Case[] =>
      given.map((text, at) =>
        makeCase({
          id: `c${at}`,
          text,
          gold: gold.map((start) => span('PERSON', text, start, start + 4)),
          predicted: [0, 5].slice(0, n).map((start) => {
            const from = at < of ? start : start + at;
            return span('PERSON', text, from, from + 4);
          }),
        }),
      );
    const look = async (given: readonly Case[]): Promise<readonly string[]> =>
      (await foundBy([repeatedAnswersCheck], 'pii/strict', given)).said;

    test('are an error in half of the cases, for one span a warning', async () => {
      const { findings } = await foundBy([repeatedAnswersCheck], 'pii/strict', marked(texts, [8]));
      expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
        [
          'error',
          '25 of 25 cases (100 %) have the same predicted spans, at the same places of texts that differ; in 25 of them most of these spans are not in gold',
        ],
      ]);
      expect(await look(marked(texts, [8], 13))).toEqual(['repeated-answers error']);
      expect(await look(marked(texts, [8], 12))).toEqual([]);
      expect(await look(marked(texts, [8], 25, 1))).toEqual(['repeated-answers warning']);
    });

    test('are none where gold has them too, or the words are the same', async () => {
      expect(await look(marked(texts, [0, 12]))).toEqual([]);
      expect(
        await look(
          marked(
            texts.map((text) => `Dear Anna, ${text}`),
            [15],
          ),
        ),
      ).toEqual([]);
    });
  });

  test('what stands in the text was found there, however often', async () => {
    const cases = extracted(
      25,
      25,
      (at) => `${texts[at]!} Then rice and dal.`,
      () => 'rice and dal',
    );
    expect((await foundBy([repeatedAnswersCheck], 'journal/ashwam', cases)).said).toEqual([]);
  });
});

test('spans are right where gold has their place and label, however many they are', () => {
  // Every second start is in gold, every third with another label, and those that end later are not.
  const gold = Array.from({ length: 120 }, (_, index) =>
    makeItem({ kind: 'span', index, label: index % 3 === 0 ? 'B' : 'A', start: 2 * index, end: 2 * index + 1 }),
  );
  const spans = (n: number) =>
    Array.from({ length: n }, (_, index) =>
      makeItem({ kind: 'span', index, label: 'A', start: index, end: index + (index % 10 === 0 ? 2 : 1) }),
    );
  // Of 0 to 11: 2, 4, 8 (0 and 10 end later, 6 is B). Of 0 to 239: 120 starts, 80 of them A, 64 of these not ending later.
  expect(rightPlaces(spans(12), gold)).toBe(3);
  expect(rightPlaces(spans(240), gold)).toBe(64);
});
