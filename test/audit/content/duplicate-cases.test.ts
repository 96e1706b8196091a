import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { duplicateCases, trainingDataInTest } from '../../../src/audit/checks/content/duplicate-cases.ts';
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
      ['warning', 'Gold contradicts itself: 1 text in 2 cases has different gold in different cases'],
      ['note', '1 of 101 cases (1 %) has the text of an earlier case'],
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

  describe('texts that are there again by right are a note', () => {
    const bare = (n: number, texts: readonly string[]): Case[] =>
      Array.from({ length: n }, (_, at) => makeCase({ id: `t${at}`, text: texts[at % texts.length]! }));
    const tiny = (n: number): Case[] =>
      Array.from({ length: n }, (_, at) => journal(`g${at}`, 'I ate two mangoes.', 'mangoes'));
    const titles = async (cases: readonly Case[]): Promise<readonly (readonly string[])[]> =>
      (await found(cases)).findings.map(({ severity, title }) => [severity, title]);

    test('those without gold, however long', async () => {
      expect(await titles([...all, ...bare(30, ['Thank you!', TEXTS[0]!.replaceAll('.', ' indeed.')])])).toEqual([
        ['note', '28 of 130 cases (22 %) have the text of an earlier case; 28 of them without gold'],
      ]);
    });

    test('those of fewer than 8 words with the same gold', async () => {
      expect(await titles([...all, ...tiny(5)])).toEqual([
        ['note', '4 of 105 cases (4 %) have the text of an earlier case; 4 of them of fewer than 8 words'],
      ]);
      const eight = Array.from({ length: 5 }, (_, at) => journal(`g${at}`, 'Today I ate two mangoes with my sister.'));
      expect((await found([...all, ...eight])).said).toEqual(['duplicate-cases warning']);
    });

    test('real ones beside them are counted alone', async () => {
      const again = (n: number): Case[] => TEXTS.slice(0, n).map((text, at) => journal(`d${at}`, text));
      // The first of these texts is there once. 3 of 113 are 2.7 %, 2 of 112 are 1.8 %; of the others 4 each come after a first.
      expect(await titles([...all.slice(1), ...again(4), ...bare(5, ['Nothing to tell.']), ...tiny(5)])).toEqual([
        [
          'warning',
          '11 of 113 cases (10 %) have the text of an earlier case; 4 of them without gold, 4 of fewer than 8 words',
        ],
      ]);
      expect((await found([...all.slice(1), ...again(3), ...bare(5, ['Nothing to tell.']), ...tiny(5)])).said).toEqual([
        'duplicate-cases note',
      ]);
    });

    test('but not where they are half of all cases, have other gold, or nothing has gold', async () => {
      expect((await found([...all.slice(0, 9), ...tiny(12)])).said).toEqual(['duplicate-cases warning']);
      expect((await found([...all.slice(0, 10), ...tiny(11)])).said).toEqual(['duplicate-cases note']);
      const other = journal('o', 'I ate two mangoes.', 'two mangoes');
      // One is a note; that its gold contradicts the first is a warning.
      expect((await found([...all.slice(0, 20), ...tiny(1), other])).said).toEqual([
        'duplicate-cases warning',
        'duplicate-cases note',
      ]);
      expect((await found([...all.slice(0, 20), ...tiny(1), other, { ...other, id: 'p' }])).said).toEqual([
        'duplicate-cases warning',
        'duplicate-cases warning',
      ]);
      expect((await found(bare(20, TEXTS.slice(0, 15)))).said).toEqual(['duplicate-cases warning']);
    });
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
    foundBy([trainingDataInTest], 'journal/ashwam', all, train(texts));

  test('one equal text of a hundred is an error', async () => {
    const { findings } = await leaked([paragraph(chance, 5), TEXTS[7]!, paragraph(chance, 5)]);
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['error', '1 of 100 cases (1 %) has the text of one of 3 training cases'],
    ]);
    expect(findings[0]?.items.shown.map(({ case: id, note }) => [id, note])).toEqual([
      ['c7', 'equal to t1 of train.jsonl'],
    ]);
  });

  test('texts without gold or of a few words are told of and raise no alarm', async () => {
    const cases = [
      ...all.slice(0, 17),
      makeCase({ id: 'n', text: 'There is nothing at all to be found in this one.' }),
      makeCase({ id: 'm', text: 'There is nothing whatever in here for anybody to find today.' }),
      journal('t', 'I ate two mangoes.', 'mangoes'),
    ];
    const look = async (texts: readonly string[], given = cases): Promise<readonly (readonly string[])[]> =>
      (await foundBy([trainingDataInTest], 'journal/ashwam', given, train(texts))).findings.map(
        ({ severity, title }) => [severity, title],
      );
    const slight = cases.slice(17).map(({ text }) => text ?? '');
    expect(await look(slight)).toEqual([
      [
        'note',
        '3 of 20 cases (15 %) have the text of one of 3 training cases; 2 of them without gold, 1 of fewer than 8 words',
      ],
    ]);
    expect(await look([...slight, TEXTS[7]!])).toEqual([
      [
        'error',
        '4 of 20 cases (20 %) have the text of one of 4 training cases; 2 of them without gold, 1 of fewer than 8 words',
      ],
    ]);
    // 11 words have 9 shingles, with one word more there are 10: 9 of 10 in common.
    expect(await look(['There is nothing whatever in here for anybody to find today at'])).toEqual([
      ['note', '1 of 20 cases (5 %) has nearly the text of one of 1 training case; 1 of them without gold'],
    ]);
    // All of a set of tiny texts is no chance.
    const small = ['two mangoes', 'a pear', 'some rice', 'red dal'].map((food, at) => journal(`s${at}`, food, food));
    expect(await look(['two mangoes', 'a pear'], small)).toEqual([
      ['error', '2 of 4 cases (50 %) have the text of one of 2 training cases; 2 of them of fewer than 8 words'],
    ]);
    expect((await look(['two mangoes'], small)).map(([severity]) => severity)).toEqual(['note']);
  });

  test('nearly equal ones are a warning, others nothing', async () => {
    expect((await leaked([changed(TEXTS[7]!)])).said).toEqual(['training-data-in-test warning']);
    expect((await leaked([paragraph(chance, 5)])).said).toEqual([]);
  });
});
