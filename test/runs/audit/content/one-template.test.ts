import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../../src/data/case.ts';
import { makeItem } from '../../../../src/data/item.ts';
import { oneTemplate } from '../../../../src/runs/audit/checks/content/one-template.ts';
import { foundBy } from './found-by.ts';
import { Chance, paragraph, sentence, thing } from './made-texts.ts';

function answered(texts: readonly string[], answerOf: (text: string, at: number) => string): Case[] {
  return texts.map((text, at) =>
    makeCase({
      id: `c${at}`,
      text,
      gold: [makeItem({ kind: 'class', index: 0, label: 'Vata', text: 'Vata' })],
      logged: [
        {
          item: makeItem({ kind: 'answer', index: 0, label: 'answer', text: answerOf(text, at) }),
          verdict: 'excused',
          rule: 'logged',
        },
      ],
    }),
  );
}

const chance = new Chance(5);
const TEXTS = Array.from({ length: 20 }, () => paragraph(chance, 3));
const OWN = TEXTS.map((text) => `You tell of this: ${text.slice(0, 25)}. ${paragraph(chance, 5)}`);
const DISCLAIMER =
  'Please note that this is no medical advice; it is always best to ask a doctor about what troubles you.';

const found = (cases: readonly Case[]): ReturnType<typeof foundBy> => foundBy([oneTemplate], 'consult/ayurmind', cases);

describe('one answer for many cases', () => {
  test('the same answer to everybody', async () => {
    const { findings } = await found(answered(TEXTS, () => 'Drink warm water, sleep early and see a doctor.'));
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['error', '20 of 20 answers (100 %) are one template given to 20 cases: they are the same or nearly so'],
    ]);
  });

  test('a template with the case’s own words put in, quoted or not', async () => {
    const quoting = (text: string): string =>
      `I can give some advice. Since you say '${text.slice(0, 30)}...', it may be stress. Please see a doctor.`;
    const { findings } = await found(answered(TEXTS, quoting));
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      [
        'error',
        "20 of 20 answers (100 %) are one template given to 20 cases: they are the same once quotes and the case's own words are taken out",
      ],
    ]);
    const telling = (text: string): string =>
      `Thank you for writing to us. You told us that ${text} This may well be a matter of rest and of food. Sleep early, drink warm water and write to us again in a week.`;
    expect((await found(answered(TEXTS, telling))).said).toEqual(['one-template error']);
  });

  test('a template with words of its own in its slots', async () => {
    const { findings } = await found(
      answered(
        TEXTS,
        (_, at) =>
          `Your type is probably ${'abcdefghijklmnopqrst'[at]!.repeat(4)} and that is nothing to worry about at all. People like you do well with ${thing(chance)} in the morning. Avoid what is cold, sleep early, and write to us again in a week.`,
      ),
    );
    expect(findings.map(({ severity }) => severity)).toEqual(['error']);
    expect(findings[0]?.title).toContain('most of their words stand in half of all answers');
  });

  test('7 of 20 are a warning, 5 are not worth one', async () => {
    const some = (n: number) => (_: string, at: number) =>
      at < n ? 'Drink warm water, sleep early and see a doctor.' : OWN[at]!;
    expect((await found(answered(TEXTS, some(7)))).said).toEqual(['one-template warning']);
    expect((await found(answered(TEXTS, some(5)))).said).toEqual([]);
  });

  test('answers of their own with one disclaimer are fine', async () => {
    expect((await found(answered(TEXTS, (_, at) => `${OWN[at]!} ${DISCLAIMER}`))).said).toEqual([]);
  });

  test('names of classes are no template; one short answer to everything is', async () => {
    const classes = ['Vata.', 'Pitta.', 'Kapha.'];
    expect((await found(answered(TEXTS, (_, at) => classes[at % 3]!))).said).toEqual([]);
    expect((await found(answered(TEXTS, () => 'See a doctor.'))).said).toEqual(['one-template error']);
    // The only short one among answers of their own: what is given after a failed call.
    expect((await found(answered(TEXTS, (_, at) => (at < 8 ? 'See a doctor.' : OWN[at]!)))).said).toEqual([
      'one-template warning',
    ]);
  });

  test('the same question may have the same answer', async () => {
    const asked = Array.from({ length: 20 }, (_, at) => TEXTS[at % 2]!);
    expect((await found(answered(asked, (_, at) => OWN[at % 2]!))).said).toEqual([]);
  });
});

describe('words of a placeholder', () => {
  const withWords = (n: number, words: string) => (_: string, at: number) =>
    at < n ? `${OWN[at]!} ${words}` : OWN[at]!;

  test('are an error from a fifth of the answers on, and a note where there is one', async () => {
    expect((await found(answered(TEXTS, withWords(4, 'TODO: call the model')))).said).toEqual(['one-template error']);
    expect((await found(answered(TEXTS, withWords(1, 'lorem ipsum')))).said).toEqual(['one-template note']);
  });

  test('say nothing where the case speaks of them itself', async () => {
    const texts = TEXTS.map((text) => `${text} My placeholder is gone.`);
    expect((await found(answered(texts, withWords(20, 'A placeholder can be found again.')))).said).toEqual([]);
  });

  test('that an answer is from a model is worth a note where most say so', async () => {
    const words = 'As an AI language model I cannot examine you.';
    expect((await found(answered(TEXTS, withWords(11, words)))).said).toEqual(['one-template note']);
    expect((await found(answered(TEXTS, withWords(9, words)))).said).toEqual([]);
  });
});

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
    const { findings } = await foundBy([oneTemplate], 'journal/ashwam', cases);
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      [
        'warning',
        '5 of 25 cases (20 %) have the same predicted items, which their texts do not hold; for 5 of them gold says something else',
      ],
    ]);
    expect(findings[0]?.cases.shown).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
    const half = extracted(
      13,
      25,
      (at) => texts[at]!,
      () => 'rice and dal',
    );
    expect((await foundBy([oneTemplate], 'journal/ashwam', half)).said).toEqual(['one-template error']);
    const four = extracted(
      4,
      20,
      (at) => texts[at]!,
      () => 'rice and dal',
    );
    expect((await foundBy([oneTemplate], 'journal/ashwam', four)).said).toEqual([]);
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
      (await foundBy([oneTemplate], 'pii/strict', given)).said;

    test('are an error in half of the cases, for one span a warning', async () => {
      const { findings } = await foundBy([oneTemplate], 'pii/strict', marked(texts, [8]));
      expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
        [
          'error',
          '25 of 25 cases (100 %) have the same predicted spans, at the same places of texts that differ; in 25 of them most of these spans are not in gold',
        ],
      ]);
      expect(await look(marked(texts, [8], 13))).toEqual(['one-template error']);
      expect(await look(marked(texts, [8], 12))).toEqual([]);
      expect(await look(marked(texts, [8], 25, 1))).toEqual(['one-template warning']);
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
    expect((await foundBy([oneTemplate], 'journal/ashwam', cases)).said).toEqual([]);
  });
});
