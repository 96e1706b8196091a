import { describe, expect, test } from 'vitest';

import type { Case } from '../../../src/data/case.ts';
import { repeatedAnswersCheck } from '../../../src/audit/checks/content/template-answers.ts';
import { answered } from './answered.ts';
import { foundBy } from './found-by.ts';
import { Chance, paragraph } from './made-texts.ts';

const chance = new Chance(6);
const TEXTS = Array.from({ length: 20 }, () => paragraph(chance, 3));
const OWN = TEXTS.map((text) => `You tell of this: ${text.slice(0, 25)}. ${paragraph(chance, 5)}`);

const found = (cases: readonly Case[]): ReturnType<typeof foundBy> =>
  foundBy([repeatedAnswersCheck], 'consult/ayurmind', cases);

describe('words of a placeholder', () => {
  const withWords = (n: number, words: string) => (_: string, at: number) =>
    at < n ? `${OWN[at]!} ${words}` : OWN[at]!;

  test('are an error from a fifth of the answers on, and a note where there is one', async () => {
    expect((await found(answered(TEXTS, withWords(4, 'TODO: call the model')))).said).toEqual([
      'repeated-answers error',
    ]);
    expect((await found(answered(TEXTS, withWords(1, 'lorem ipsum')))).said).toEqual(['repeated-answers note']);
  });

  test('say nothing where the case speaks of them itself', async () => {
    const texts = TEXTS.map((text) => `${text} My placeholder is gone.`);
    expect((await found(answered(texts, withWords(20, 'A placeholder can be found again.')))).said).toEqual([]);
  });

  test('that an answer is from a model is worth a note where most say so', async () => {
    const words = 'As an AI language model I cannot examine you.';
    expect((await found(answered(TEXTS, withWords(11, words)))).said).toEqual(['repeated-answers note']);
    expect((await found(answered(TEXTS, withWords(9, words)))).said).toEqual([]);
  });

  test('are quoted as the answers have them, with the answers behind them', async () => {
    // c0, c6, c12 and c18 of 20 say it in capitals, c6 in small letters as well; c3 says something else, far from its beginning.
    const answer = (_: string, at: number): string =>
      at % 6 === 0
        ? `[INSERT ANSWER HERE] ${at === 6 ? 'or insert answer here' : OWN[at]!}`
        : at === 3
          ? `${'word '.repeat(20)}then a Dummy Text ends it`
          : OWN[at]!;
    const { findings } = await found(answered(TEXTS, answer));
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['error', '5 of 20 answers (25 %) hold words of a placeholder: "INSERT ANSWER HERE" (4), "Dummy Text" (1)'],
    ]);
    expect(findings[0]?.cases).toEqual({ total: 5, shown: ['c0', 'c3', 'c6', 'c12', 'c18'] });
    expect(findings[0]?.items.total).toBe(5);
    expect(findings[0]?.items.shown[2]?.text).toBe('[INSERT ANSWER HERE] or insert answer here');
    // 40 characters before it: "d word word word word word word then a ", cut to whole words.
    expect(findings[0]?.items.shown[1]?.text).toBe('…word word word word word word then a Dummy Text ends it');
  });

  test('that a model says so is shown where it does', async () => {
    const { findings } = await found(answered(TEXTS, withWords(11, 'As an AI language model I cannot examine you.')));
    expect(findings[0]?.cases.total).toBe(11);
    expect(findings[0]?.items.total).toBe(11);
    expect(findings[0]?.items.shown[0]?.text).toContain('As an AI language model');
  });
});

describe('answers that repeat the case', () => {
  const echo =
    (n: number, before = '') =>
    (text: string, at: number) =>
      at < n ? `${before}${text}` : OWN[at]!;
  const titles = async (cases: readonly Case[]): Promise<readonly (readonly string[])[]> =>
    (await found(cases)).findings.map(({ severity, title }) => [severity, title]);

  test('are a warning from 30 % on', async () => {
    expect(await titles(answered(TEXTS, echo(6)))).toEqual([
      ['warning', '6 of 20 answers (30 %) to 6 cases only repeat the text of the case'],
    ]);
    expect(await titles(answered(TEXTS, echo(5)))).toEqual([]);
    const { findings } = await found(answered(TEXTS, echo(20)));
    expect(findings[0]?.cases.total).toBe(20);
    expect(findings[0]?.items.total).toBe(20);
  });

  test('with other letters and marks, or without the last word', async () => {
    expect(await titles(answered(TEXTS, (text) => text.toUpperCase().replaceAll('.', ' !')))).toHaveLength(1);
    expect(await titles(answered(TEXTS, (text) => text.slice(0, text.lastIndexOf(' '))))).toHaveLength(1);
    expect(await titles(answered(TEXTS, (text) => text.slice(0, text.length / 2)))).toEqual([]);
  });

  test('with a few words before it that are always the same', async () => {
    expect(await titles(answered(TEXTS, echo(8, 'You asked: ')))).toEqual([
      [
        'warning',
        '8 of 20 answers (40 %) to 8 cases only repeat the text of the case, with the same 2 words added each time',
      ],
    ]);
    // Words that vary may be the answer.
    const classes = ['Vata', 'Pitta', 'Kapha'];
    expect(await titles(answered(TEXTS, (text, at) => `${text} Answer: ${classes[at % 3]!}.`))).toEqual([]);
    expect(await titles(answered(TEXTS, (text, at) => `${text} ${OWN[at]!}`))).toEqual([]);
  });

  test('are none where the case is but a few words', async () => {
    const few = TEXTS.map((_, at) => `Is number ${at} a good one?`);
    expect(await titles(answered(few, (text) => text))).toEqual([]);
  });
});
