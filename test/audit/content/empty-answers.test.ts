import { describe, expect, test } from 'vitest';

import { type Case, type Logged, makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { emptiedShare, emptyAnswers, emptyRate } from '../../../src/audit/checks/content/answer-sizes.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const answered = (texts: readonly string[], kind: 'answer' | 'summary' = 'answer'): Case[] =>
  texts.map((text, at) => {
    const own: Logged = {
      item: makeItem({ kind, index: 0, label: kind, text }),
      verdict: kind === 'answer' ? 'excused' : 'hit',
      rule: 'logged',
    };
    return makeCase({ id: `c${at}`, logged: [own] });
  });
const texts = (empty: number, all: number, what = ''): string[] =>
  Array.from({ length: all }, (_, at) => (at < empty ? what : `Eat warm meals ${at}.`));
const said = async (cases: readonly Case[], recipe: string | object = 'consult/ayurmind'): Promise<readonly string[]> =>
  (await look(emptyAnswers, recipe, cases)).said;

describe('empty texts', () => {
  test('a tenth of the answers is a warning, half of them an error', async () => {
    expect(await said(answered(texts(3, 30)))).toEqual(['warning: 3 of 30 answers (10 %) are empty']);
    expect(await said(answered(texts(15, 30, ' \n')))).toEqual(['error: 15 of 30 answers (50 %) are empty']);
  });

  test('less, or two of four, is none', async () => {
    expect(await said(answered(texts(3, 31)))).toEqual([]);
    expect(await said(answered(texts(2, 4)))).toEqual([]);
    // Four of six: more than half, but fewer than five.
    expect(await said(answered(texts(4, 6)))).toEqual(['warning: 4 of 6 answers (67 %) are empty']);
  });

  test('dots say no more than nothing, a thumb does', async () => {
    const { said: dots, findings } = await look(emptyAnswers, 'consult/ayurmind', answered(texts(6, 20, '...')));
    expect(dots).toEqual(['warning: 6 of 20 answers (30 %) are empty or have neither a letter nor a digit']);
    expect(findings[0]).toMatchObject({ subjects: ['answers'], cases: { total: 6 }, items: { total: 6 } });
    expect(findings[0]?.items.shown[0]?.note).toBe('no letter and no digit');
    expect(await said(answered(texts(6, 20, '👍')))).toEqual([]);
  });

  test('summaries, but not those that failed', async () => {
    const summaries = answered(texts(20, 20), 'summary');
    expect(await said(summaries, 'stream/exaid')).toEqual(['error: 20 of 20 summaries (100 %) are empty']);
    const failed = summaries.map((one) => ({
      ...one,
      logged: one.logged!.map((own) => ({ ...own, verdict: 'spurious' as const })),
    }));
    expect(await said(failed, 'stream/exaid')).toEqual([]);
  });

  test('a summary that was counted and whose words are not kept is not empty', async () => {
    const counted = (ctu: number): Case[] =>
      answered(texts(20, 20), 'summary').map((one) => ({
        ...one,
        logged: one.logged!.map((own) => ({ ...own, item: { ...own.item, fields: { summary_ctu: ctu } } })),
      }));
    expect(await said(counted(1), 'stream/exaid')).toHaveLength(1);
    expect(await said(counted(62), 'stream/exaid')).toEqual([]);
  });
});

const found = ['A 0', 'A 10', 'A 20'];

describe('empty lists', () => {
  /** Cases of three items, of which some are answered with nothing and the others miss so many. */
  const lists = (empty: number, all: number, missed = 0): Case[] =>
    times(all, (at) => spanCase(`c${at}`, found, at < empty ? [] : found.slice(missed)));

  test('are a note, a warning and an error by their share', async () => {
    const tail = 'at the rate at which the other cases lack predictions';
    // Nothing is missed in 14 cases of three: 1 may be by chance, m is 0.02, and 20 · m³ is far below 1.
    expect(await said(lists(6, 20), STRICT)).toEqual([
      `note: 6 of 20 cases with gold (30 %) were answered with an empty list; ${tail}, 30 % were emptied by something else`,
    ]);
    // A system that misses little is trusted to have found something in 8 of them; one that misses more, in 10.
    expect((await said(lists(7, 20), STRICT))[0]).toContain('note: 7 of 20 cases with gold (35 %)');
    expect((await said(lists(8, 20), STRICT))[0]).toContain('warning: 8 of 20 cases with gold (40 %)');
    expect((await said(lists(90, 200, 1), STRICT))[0]).toContain('note: 90 of 200 cases with gold (45 %)');
    expect((await said(lists(10, 20), STRICT))[0]).toContain('warning: 10 of 20 cases with gold (50 %)');
    expect((await said(lists(90, 100), STRICT))[0]).toContain('error: 90 of 100 cases with gold (90 %)');
    expect(await said(lists(5, 20), STRICT)).toEqual([]);
  });

  test('are found in few cases, if these are long', async () => {
    const many = Array.from({ length: 12 }, (_, at) => `A ${at * 10}`);
    const long = (empty: number, all: number): Case[] =>
      times(all, (at) => spanCase(`c${at}`, many, at < empty ? [] : many.slice(3)));
    expect((await said(long(6, 10), STRICT))[0]).toContain('warning: 6 of 10 cases with gold (60 %)');
    expect((await said(long(8, 10), STRICT))[0]).toContain('warning: 8 of 10 cases with gold (80 %)');
    // One case with predictions proves nothing about the others.
    expect(await said(long(9, 10), STRICT)).toEqual([]);
  });

  test('are what a weak system gives', async () => {
    // Two of three are missed in each of the others: as far as can be told, all could be.
    expect(await said(lists(10, 20, 2), STRICT)).toEqual([]);
    // With one item in each case a miss leaves an empty list.
    const single = (empty: number, all: number): Case[] =>
      times(all, (at) => spanCase(`c${at}`, ['A 0'], at < empty ? [] : ['A 0']));
    expect(await said(single(60, 100), STRICT)).toEqual([]);
    expect(await said(single(90, 100), STRICT)).toEqual([
      'warning: 90 of 100 cases with gold (90 %) were answered with an empty list',
    ]);
  });

  test('are none where other checks tell: all empty, failed, or without a record', async () => {
    expect(await said(lists(20, 20), STRICT)).toEqual([]);
    const without = lists(10, 20).map((one, at) => ({ ...one, answered: at >= 10 }));
    expect(await said(without, STRICT)).toEqual([]);
    const failed = lists(10, 20).map((one, at) => ({ ...one, failed: at < 10 ? 'timeout' : null }));
    expect(await said(failed, STRICT)).toEqual([]);
  });

  test('may be right: where gold has none, or wrong items were given', async () => {
    const nothing = times(20, (at) => spanCase(`n${at}`, [], []));
    expect(await said([...nothing, ...lists(0, 20)], STRICT)).toEqual([]);
    const others = times(20, (at) => spanCase(`c${at}`, found, at < 10 ? ['B 500'] : found));
    expect(await said(others, STRICT)).toEqual([]);
  });
});

describe('lists that something else than misses emptied', () => {
  /** Cases of one to four items, of each of which every second one is missed, before a part of them is emptied. */
  const weak = (emptied: number, all: number): Case[] =>
    times(all, (at) => {
      const gold = found.concat('A 30').slice(0, 1 + (at % 4));
      // Every second item by the bits of a number that goes through all patterns.
      const kept = gold.filter((_, place) => ((Math.floor(at / 4) >> place) & 1) === 1);
      return spanCase(`c${at}`, gold, at < emptied ? [] : kept);
    });

  test.each([0.6, 0.7])('are a warning at %d of the cases of a system that misses half', async (share) => {
    const [first] = await said(weak(share * 320, 320), STRICT);
    expect(first).toMatch(/^warning/);
  });

  test('are none for a system that misses half', async () => {
    expect(await said(weak(0, 320), STRICT)).toEqual([]);
  });

  test('are none if only cases of one item are empty more often than misses explain', async () => {
    // Single items are all missed; of the others one of three is.
    const cases = times(200, (at) => {
      const gold = found.slice(0, at % 2 === 0 ? 1 : 3);
      return spanCase(`c${at}`, gold, at % 2 === 0 ? [] : gold.slice(1));
    });
    expect(await said(cases, STRICT)).toEqual([]);
  });

  test('the rate comes from cases with several gold items and predictions', () => {
    // 3 without one, and √4 more, in 16 cases of 2: 16 · 2m / (1 + m) = 5, so m = 5/27.
    expect(emptyRate(new Map([[2, { cases: 16, without: 3 }]]))).toBeCloseTo(5 / 27, 6);
    // Not from cases of one item, nor from four cases.
    expect(emptyRate(new Map([[1, { cases: 40, without: 0 }]]))).toBeNull();
    expect(emptyRate(new Map([[2, { cases: 4, without: 1 }]]))).toBeNull();
  });

  test('their share leaves out what misses explain', () => {
    // 9 of 100 by chance: (64 − 9) / (100 − 9).
    expect(emptiedShare(new Map([[2, { cases: 100, empty: 64 }]]), 0.3)).toBeCloseTo(55 / 91, 6);
    // Cases of one item alone show nothing.
    expect(emptiedShare(new Map([[1, { cases: 100, empty: 64 }]]), 0.3)).toBe(0);
    expect(emptiedShare(new Map([[2, { cases: 100, empty: 64 }]]), 1)).toBe(0);
  });
});
