import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { type Fields, type Item, makeItem } from '../../../src/data/item.ts';
import { copiedGold } from '../../../src/audit/checks/content/copied-gold.ts';
import { foundBy } from './found-by.ts';

/** Items one after another, each three letters long: "aaa", "bbb", … */
function spans(n: number, change: (index: number) => Partial<Item> = () => ({}), fields: Fields = {}): Item[] {
  return Array.from({ length: n }, (_, index) => ({
    ...makeItem({ kind: 'span', index, label: 'X', start: index * 4, end: index * 4 + 3, fields }),
    text: String.fromCodePoint(97 + index).repeat(3),
    ...change(index),
  }));
}

function textOf(n: number): string {
  return spans(n)
    .map(({ text }) => text)
    .join(' ');
}

function cases(n: number, items: number, predicted: (at: number) => Item[]): Case[] {
  return Array.from({ length: n }, (_, at) =>
    makeCase({ id: `c${at}`, text: textOf(items), gold: spans(items), predicted: predicted(at) }),
  );
}

const said = async (given: readonly Case[]): Promise<readonly string[]> =>
  (await foundBy([copiedGold], 'pii/strict', given)).said;

describe('predictions that are gold', () => {
  test('twenty items that are the same in label and place are a warning: a system may be that good', async () => {
    const { findings } = await foundBy(
      [copiedGold],
      'pii/strict',
      cases(10, 2, () => spans(2)),
    );
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['warning', 'All 10 cases with 20 items have predictions equal to gold in the same order: text, label, place'],
    ]);
    expect(findings[0]?.why).toContain('A system that is right to the letter looks the same');
    expect(findings[0]?.cases).toEqual({ total: 10, shown: Array.from({ length: 10 }, (_, at) => `c${at}`) });
  });

  test('with a field that could be another, or with quotes, they are an error', async () => {
    const own = (fields: Fields): Case[] =>
      cases(10, 2, () => spans(2, undefined, fields)).map((one) => ({ ...one, gold: spans(2, undefined, fields) }));
    expect(await said(own({ sensitivity: 'high' }))).toEqual(['copied-gold error']);
    // The label and the text once more say nothing new.
    expect(await said(own({ entity: 'X' }))).toEqual(['copied-gold warning']);
    const quotes = (n: number): Item[] => spans(n, () => ({ kind: 'object' }));
    const quoted = cases(10, 2, () => quotes(2)).map((one) => ({ ...one, gold: quotes(2) }));
    expect((await foundBy([copiedGold], 'journal/ashwam', quoted)).said).toEqual(['copied-gold error']);
  });

  test('twenty items in ten cases, or with quotes; fewer are too little to tell', async () => {
    expect(await said(cases(20, 1, () => spans(1)))).toEqual(['copied-gold warning']);
    expect(await said(cases(19, 1, () => spans(1)))).toEqual([]);
    expect(await said(cases(9, 3, () => spans(3)))).toEqual([]);
  });

  test('upper and lower case make no difference, and that is told', async () => {
    const loud = cases(10, 2, () => spans(2, (index) => ({ label: 'x', text: index === 0 ? 'AAA' : 'BBB' })));
    const { findings } = await foundBy([copiedGold], 'pii/strict', loud);
    expect(findings.map(({ title }) => title)).toEqual([
      'All 10 cases with 20 items have predictions equal to gold in the same order: text, label, place; but for upper and lower case',
    ]);
  });

  test('one item that differs in place, label or a field that both have is enough to be no copy', async () => {
    const one = (change: Partial<Item>) => (at: number) => spans(3, (index) => (at === 3 && index === 1 ? change : {}));
    expect(await said(cases(9, 3, one({ end: 6, text: 'bb' })))).toEqual([]);
    expect(await said(cases(9, 3, one({ label: 'Y' })))).toEqual([]);
    const given = cases(10, 3, () => spans(3, undefined, { sure: 0.5 }));
    const withField = given.map((own) => ({ ...own, gold: spans(3, undefined, { sure: 0.5, by: 'anna' }) }));
    expect(await said(withField)).toEqual(['copied-gold error']);
    expect(await said(withField.map((own) => ({ ...own, predicted: spans(3, undefined, { sure: 0.6 }) })))).toEqual([]);
  });

  test('the same items in another order are a copy all the same', async () => {
    const turned = spans(3)
      .toReversed()
      .map((item, index) => ({ ...item, index }));
    const { findings } = await foundBy(
      [copiedGold],
      'pii/strict',
      cases(10, 3, () => turned),
    );
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['warning', 'All 10 cases with 30 items have predictions equal to gold: text, label, place'],
    ]);
  });

  test('a perfect classifier is no copy: a label says too little', async () => {
    const item = makeItem({ kind: 'class', index: 0, label: 'Vata', text: 'Vata' });
    const given = Array.from({ length: 40 }, (_, at) =>
      makeCase({ id: `c${at}`, text: `text ${at}`, gold: [item], predicted: [item] }),
    );
    expect((await foundBy([copiedGold], 'consult/ayurmind', given)).said).toEqual([]);
  });
});

describe('nearly all cases', () => {
  const but = (wrong: number, of: number, items: number): Case[] =>
    cases(of, items, (at) =>
      at < wrong ? spans(items, (index) => (index === 0 ? { label: 'Y' } : {})) : spans(items),
    );

  test('all but one of 60 are out of line, nine of ten worth a note', async () => {
    const { findings } = await foundBy([copiedGold], 'pii/strict', but(1, 60, 3));
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['warning', '59 of 60 cases with predictions (98 %) equal gold in all of their 177 items: text, label, place'],
    ]);
    expect(findings[0]?.why).toContain('A system that is right to the letter looks the same');
    // 97 of 100, 96 of 100; 54 of 60 are 90 %.
    expect(await said(but(3, 100, 3))).toEqual(['copied-gold warning']);
    expect(await said(but(4, 100, 3))).toEqual(['copied-gold note']);
    expect(await said(but(6, 60, 3))).toEqual(['copied-gold note']);
    expect(await said(but(7, 60, 3))).toEqual([]);
  });

  test('with quotes, two changed cases of 30 are out of line; three may be a system', async () => {
    const quotes = (change: (index: number) => Partial<Item> = () => ({})): Item[] =>
      spans(3, (index) => ({ kind: 'object', ...change(index) }));
    const given = (wrong: number, of: number): Case[] =>
      cases(of, 3, (at) => quotes((index) => (at < wrong && index === 0 ? { label: 'Y' } : {}))).map((one) => ({
        ...one,
        gold: quotes(),
      }));
    const found = async (all: readonly Case[]): Promise<readonly string[]> =>
      (await foundBy([copiedGold], 'journal/ashwam', all)).said;
    expect(await found(given(2, 30))).toEqual(['copied-gold warning']);
    expect(await found(given(3, 30))).toEqual(['copied-gold note']);
    expect(await found(given(2, 29))).toEqual(['copied-gold note']);
  });

  test('one easy item in each is no sign, nor are few cases', async () => {
    expect(await said(but(1, 60, 1))).toEqual([]);
    expect(await said(but(1, 10, 3))).toEqual([]);
  });

  test('cases that have no answer are left out; an empty one is told', async () => {
    const part = cases(40, 3, (at) => (at < 20 ? spans(3) : []));
    const { findings } = await foundBy([copiedGold], 'pii/strict', part);
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      [
        'warning',
        '20 of 20 cases with predictions (100 %) equal gold in all of their 60 items: text, label, place; 20 cases have gold and an empty answer',
      ],
    ]);
  });
});

describe('a part of the cases that is gold', () => {
  // Of 40 cases with 5 items: some are gold; the rest have one item of five right.
  const mixed = (copies: number): Case[] =>
    cases(40, 5, (at) => (at < copies ? spans(5) : spans(5, (index) => (index === 0 ? {} : { label: 'Y' }))));

  test('12 of 40 among cases that are bad are out of line: items right 44 % of the time would make 1', async () => {
    const { findings } = await foundBy([copiedGold], 'pii/strict', mixed(12));
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      [
        'warning',
        '12 of 40 cases with 3 items or more equal gold in everything; of the items of each other case 20 % do on average',
      ],
    ]);
    // Right: (12 x 5 + 28 x 1) / 200 = 0.44, and 40 x 0.44^5 = 0.66.
    expect(findings[0]?.why).toContain('about 1 such cases');
  });

  test('nine are too few, and a good system has many by right', async () => {
    expect(await said(mixed(9))).toEqual([]);
    // Each wrong case has one wrong item of five: 0.9 right overall, 20 copies where 40 x 0.9^5 = 24 are expected.
    expect(
      await said(cases(40, 5, (at) => (at < 20 ? spans(5) : spans(5, (index) => (index === 0 ? { label: 'Y' } : {}))))),
    ).toEqual([]);
  });

  test('cases without predictions are not the others, and a long one is one case', async () => {
    // Of 5 items 1 is wrong in every second case: 0.9 right, as said above.
    const good = cases(40, 5, (at) => spans(5, (index) => (at < 20 && index === 0 ? { label: 'Y' } : {})));
    const silent = cases(60, 5, () => []).map((own) => ({ ...own, id: `${own.id}s` }));
    expect(await said([...good, ...silent])).toEqual([]);
    const long = makeCase({
      id: 'long',
      text: 'x'.repeat(4000),
      gold: spans(900, () => ({ text: 'xxx' })),
      predicted: spans(900, () => ({ text: 'xxx', label: 'Y' })),
    });
    expect(await said([...good, long])).toEqual([]);
  });

  test('cases with one item are easy: being right there is no sign', async () => {
    expect(
      await said([
        ...cases(20, 1, () => spans(1)),
        ...cases(20, 5, () => []).map((own) => ({ ...own, id: `${own.id}b` })),
      ]),
    ).toEqual([]);
  });
});
