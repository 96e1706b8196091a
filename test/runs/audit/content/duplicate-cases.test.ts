import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../../src/data/case.ts';
import { makeItem } from '../../../../src/data/item.ts';
import { duplicateCases } from '../../../../src/runs/audit/checks/content/duplicate-cases.ts';
import { trainInTest } from '../../../../src/runs/audit/checks/content/train-in-test.ts';
import { foundBy } from './found-by.ts';
import { Chance, paragraph } from './made-texts.ts';

const chance = new Chance(11);
const TEXTS = Array.from({ length: 100 }, () => paragraph(chance, 5));

function journal(id: string, text: string, quote = text.slice(0, 10)): Case {
  return makeCase({ id, text, gold: [makeItem({ kind: 'object', index: 0, label: 'food', text: quote })] });
}

/** One word in the middle is another: of some 45 shingles three are others, 42 / 48 = 0.88. */
function changed(text: string): string {
  const words = text.split(' ');
  words[20] = 'elephant';
  return words.join(' ');
}

const all = TEXTS.map((text, at) => journal(`c${at}`, text));
const found = (cases: readonly Case[]): ReturnType<typeof foundBy> =>
  foundBy([duplicateCases], 'journal/ashwam', cases);

describe('cases that are there more than once', () => {
  test('different texts are fine', async () => {
    expect((await found(all)).said).toEqual([]);
  });

  test('two of a hundred are a warning, one is a note; case, punctuation and white space do not count', async () => {
    const again = (at: number): Case => journal(`d${at}`, TEXTS[at]!.toUpperCase().replaceAll('.', ' ;\n'));
    const { findings } = await found([...all.slice(2), again(5), again(6)]);
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['warning', '2 of 100 cases (2 %) have the text of an earlier case'],
    ]);
    expect(findings[0]?.cases).toEqual({ total: 4, shown: ['c5', 'd5', 'c6', 'd6'] });
    expect(findings[0]?.items.shown.map(({ case: id, note }) => [id, note])).toEqual([
      ['d5', 'the same text as c5'],
      ['d6', 'the same text as c6'],
    ]);
    expect((await found([...all.slice(1), again(5)])).said).toEqual(['duplicate-cases note']);
  });

  test('equal texts with other gold have a sentence of their own', async () => {
    const { findings } = await found([...all, journal('d5', TEXTS[5]!, TEXTS[5]!.slice(0, 14))]);
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['note', '1 of 101 cases (1 %) has the text of an earlier case'],
      ['warning', 'Gold contradicts itself: 1 text in 2 cases has different gold in different cases'],
    ]);
  });

  test('nearly equal texts are a note below 5 %, then a warning', async () => {
    const near = (n: number): Case[] => [
      ...all.slice(n),
      ...TEXTS.slice(-n).map((text, at) => journal(`d${at}`, changed(text))),
    ];
    const { findings } = await found(near(4));
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['note', '4 of 100 cases (4 %) have nearly the text of an earlier case'],
    ]);
    expect((await found(near(5))).said).toEqual(['duplicate-cases warning']);
  });

  test('short texts are only compared as a whole', async () => {
    const short = (id: string, text: string): Case => journal(id, text);
    expect(
      (await found([short('a', 'I feel very tired this evening'), short('b', 'I feel very tired this morning')])).said,
    ).toEqual([]);
  });

  test('a word of thanks without gold is there again by right: a note', async () => {
    const thanks = (n: number): Case[] =>
      Array.from({ length: n }, (_, at) => makeCase({ id: `t${at}`, text: at % 2 === 0 ? 'Thank you!' : 'OK' }));
    const { findings } = await found([...all, ...thanks(30)]);
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      [
        'note',
        '28 of 130 cases (22 %) have the text of an earlier case; 28 of them are of fewer than 4 words without gold',
      ],
    ]);
    const withGold = Array.from({ length: 4 }, (_, at) => journal(`g${at}`, 'Two mangoes.', 'mangoes'));
    expect((await found([...all, ...withGold])).said).toEqual(['duplicate-cases warning']);
  });

  test('cases of one origin are expected to be alike', async () => {
    const siblings = all.slice(0, 10).flatMap((own) => [
      { ...own, from: own.id },
      { ...own, id: `${own.id}@b`, from: own.id },
    ]);
    expect((await found(siblings)).said).toEqual([]);
  });
});

describe('training cases among those that are scored', () => {
  const train = (texts: readonly string[]): { id: string; text: string; file: string }[] =>
    texts.map((text, at) => ({ id: `t${at}`, text, file: 'train.jsonl' }));
  const leaked = (texts: readonly string[]): ReturnType<typeof foundBy> =>
    foundBy([trainInTest], 'journal/ashwam', all, train(texts));

  test('one equal text of a hundred is an error', async () => {
    const { findings } = await leaked([paragraph(chance, 5), TEXTS[7]!, paragraph(chance, 5)]);
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['error', '1 of 100 cases (1 %) has the text of one of 3 training cases'],
    ]);
    expect(findings[0]?.items.shown.map(({ case: id, note }) => [id, note])).toEqual([
      ['c7', 'equal to t1 of train.jsonl'],
    ]);
  });

  test('nearly equal ones are a warning, others nothing', async () => {
    expect((await leaked([changed(TEXTS[7]!)])).said).toEqual(['train-in-test warning']);
    expect((await leaked([paragraph(chance, 5)])).said).toEqual([]);
  });
});
