import { describe, expect, test } from 'vitest';

import type { Case } from '../../../src/data/case.ts';
import { repeatedAnswersCheck } from '../../../src/audit/checks/content/template-answers.ts';
import { answered } from './answered.ts';
import { foundBy } from './found-by.ts';
import { Chance, paragraph, thing } from './made-texts.ts';

const chance = new Chance(5);
const TEXTS = Array.from({ length: 20 }, () => paragraph(chance, 3));
const OWN = TEXTS.map((text) => `You tell of this: ${text.slice(0, 25)}. ${paragraph(chance, 5)}`);
const DISCLAIMER =
  'Please note that this is no medical advice; it is always best to ask a doctor about what troubles you.';

const found = (cases: readonly Case[]): ReturnType<typeof foundBy> =>
  foundBy([repeatedAnswersCheck], 'consult/ayurmind', cases);

describe('one answer for many cases', () => {
  test('the same answer to everybody', async () => {
    const { findings } = await found(answered(TEXTS, () => 'Drink warm water, sleep early and see a doctor.'));
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['error', '20 of 20 answers (100 %) are one template given to 20 cases: they are word for word the same'],
    ]);
  });

  test('a template with the case’s own words put in, quoted or not', async () => {
    const quoting = (text: string): string =>
      `I can give some advice. Since you say '${text.slice(0, 30)}...', it may be stress. Please see a doctor.`;
    const { findings } = await found(answered(TEXTS, quoting));
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      [
        'error',
        "20 of 20 answers (100 %) are one template given to 20 cases: they are the same or nearly so once greetings, quotes and the case's own words are taken out",
      ],
    ]);
    const telling = (text: string): string =>
      `Thank you for writing to us. You told us that ${text} This may well be a matter of rest and of food. Sleep early, drink warm water and write to us again in a week.`;
    expect((await found(answered(TEXTS, telling))).said).toEqual(['repeated-answers error']);
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
    expect(findings[0]?.title).toContain('most of their words are in half of all answers');
  });

  test('7 of 20 are a warning, 5 are not worth one', async () => {
    const some = (n: number) => (_: string, at: number) =>
      at < n ? 'Drink warm water, sleep early and see a doctor.' : OWN[at]!;
    expect((await found(answered(TEXTS, some(7)))).said).toEqual(['repeated-answers warning']);
    expect((await found(answered(TEXTS, some(5)))).said).toEqual([]);
  });

  test('answers of their own with one disclaimer are fine', async () => {
    expect((await found(answered(TEXTS, (_, at) => `${OWN[at]!} ${DISCLAIMER}`))).said).toEqual([]);
  });

  test('names of classes are no template; one short answer to everything is', async () => {
    const classes = ['Vata.', 'Pitta.', 'Kapha.'];
    expect((await found(answered(TEXTS, (_, at) => classes[at % 3]!))).said).toEqual([]);
    expect((await found(answered(TEXTS, () => 'See a doctor.'))).said).toEqual(['repeated-answers error']);
    // The only short one among answers of their own: what is given after a failed call.
    expect((await found(answered(TEXTS, (_, at) => (at < 8 ? 'See a doctor.' : OWN[at]!)))).said).toEqual([
      'repeated-answers warning',
    ]);
  });

  test('the same answer is found though words of it stand in some of the texts', async () => {
    // What is taken out of it are other words in each fourth of the cases, and none in the last.
    const answer = 'Drink warm water at noon, sleep early each night and see a doctor.';
    const held = ['I drink warm water.', 'I sleep early each day.', 'I see a doctor.', ''];
    const texts = TEXTS.map((text, at) => `${text} ${held[at % 4]!}`);
    const { findings } = await found(answered(texts, () => answer));
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['error', '20 of 20 answers (100 %) are one template given to 20 cases: they are word for word the same'],
    ]);
    expect(findings[0]?.items.total).toBe(20);
    // Every text has all of it: nothing is left once that is taken out.
    const copied = await found(
      answered(
        TEXTS.map((text) => `${text} ${answer}`),
        (_, at) => (at < 8 ? answer : OWN[at]!),
      ),
    );
    expect(copied.findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['warning', '8 of 20 answers (40 %) are one template given to 8 cases: they are word for word the same'],
    ]);
  });

  test('a short answer with a name in front, among answers of their own', async () => {
    const names = ['Anna', 'Bruno', 'Mrs Celia Ray', 'Dr. Das', 'Eva', 'Finn', 'Gita', 'Hana'];
    const greeted = (n: number) => (_: string, at: number) =>
      at < n ? `Dear ${names[at]!}, drink warm water, sleep early and see a doctor.` : OWN[at]!;
    expect((await found(answered(TEXTS, greeted(8)))).said).toEqual(['repeated-answers warning']);
    expect((await found(answered(TEXTS, greeted(5)))).said).toEqual([]);
    const only = (_: string, at: number): string => `Dear ${names[at % 8]!}, ${OWN[at]!}`;
    expect((await found(answered(TEXTS, only))).said).toEqual([]);
  });

  test('the same question may have the same answer', async () => {
    const asked = Array.from({ length: 20 }, (_, at) => TEXTS[at % 2]!);
    expect((await found(answered(asked, (_, at) => OWN[at % 2]!))).said).toEqual([]);
  });
});

describe('a few texts for many cases', () => {
  const texts = Array.from({ length: 40 }, () => paragraph(chance, 3));
  const classes = ['vata', 'pitta', 'kapha', 'vata-pitta', 'pitta-kapha', 'tridosha'];
  const advice = [
    'Eat warm soups and cooked grains, oil your skin and go to bed before ten.',
    'Choose cucumber, mint and sweet fruit; rest at noon and leave chillies alone.',
    'Take long walks, season food with ginger and eat nothing after sunset.',
    'Keep fixed hours for meals, cook with ghee and breathe slowly twice daily.',
    'Prefer barley, bitter leaves and honey, while cutting down on cheese or sweets.',
    'Stay with simple fresh dishes and change whatever you do once seasons turn.',
  ];
  /** Case by case, which of the texts: 10 + 9 + 9 + 7 + 4 + 1 = 40, and the last two are given to fewer than 5 cases. */
  const which = [10, 9, 9, 7, 4, 1].flatMap((n, at) => Array.from({ length: n }, () => at));
  const given = (_: string, at: number): string => advice[which[at]!]!;
  const titles = async (cases: readonly Case[]): Promise<readonly (readonly string[])[]> =>
    (await found(cases)).findings.map(({ severity, title }) => [severity, title]);

  // 10 + 9 + 9 + 7 = 35 of 40 are 87.5 %, the commonest is 10 of 40: 25 %, below the 30 % of one template.
  const four =
    '4 texts make up 35 of 40 answers (88 %) to 35 cases; wherever one is given it is word for word the same; the commonest is given in 10 (25 %)';

  test('are not called one: a warning where they do not go by class', async () => {
    expect(await titles(answered(texts, given))).toEqual([['warning', four]]);
    expect(await titles(answered(texts, given, (at) => classes[at % 3]!))).toEqual([['warning', four]]);
    expect(await titles(answered(texts, given, () => 'vata'))).toEqual([['warning', four]]);
  });

  test('five refusals are five texts, and texts with a word changed are not word for word the same', async () => {
    const refusals = [
      "I'm sorry, but I can't help with that.",
      'I cannot provide medical advice. Please see a doctor.',
      'Sorry, I am not able to answer this question.',
      "As an AI, I can't give medical advice.",
      'I am unable to assist with health questions.',
    ];
    expect(await titles(answered(texts, (_, at) => refusals[at % 5]!))).toEqual([
      [
        'warning',
        '5 texts make up 40 of 40 answers (100 %) to 40 cases; wherever one is given it is word for word the same; the commonest is given in 8 (20 %)',
      ],
    ]);
    // One word at the end is one shingle more of 12 or 13.
    const changed = (_: string, at: number): string =>
      at % 5 === 0 ? `${advice[which[at]!]!} Gladly.` : advice[which[at]!]!;
    expect(await titles(answered(texts, changed))).toEqual([
      [
        'warning',
        '4 texts make up 35 of 40 answers (88 %) to 35 cases; wherever one is given it is the same or nearly so; the commonest is given in 10 (25 %)',
      ],
    ]);
  });

  test('one for each predicted class are a note', async () => {
    const { findings } = await found(answered(texts, given, (at) => classes[which[at]!]!));
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['note', `${four}; each goes with one predicted class`],
    ]);
    expect(findings[0]?.cases.total).toBe(35);
    expect(findings[0]?.items.shown.map(({ note }) => note)).toEqual(Array(10).fill('given in 10 answers'));
  });

  test('one of them with half of the cases is judged alone, unless they go by class', async () => {
    // 10, 6 and 4 of 20: the last is given too seldom to be told of.
    const uneven = (at: number): number => (at < 10 ? 0 : at < 16 ? 1 : 2);
    const answer = (_: string, at: number): string => advice[uneven(at)]!;
    expect(await titles(answered(TEXTS, answer, (at) => classes[at % 2]!))).toEqual([
      [
        'error',
        '10 of 20 answers (50 %) are one template given to 10 cases: they are word for word the same; 1 more text is given in 6 others',
      ],
    ]);
    expect(await titles(answered(TEXTS, answer, (at) => classes[uneven(at)]!))).toEqual([
      [
        'note',
        '2 texts make up 16 of 20 answers (80 %) to 16 cases; wherever one is given it is word for word the same; the commonest is given in 10 (50 %); each goes with one predicted class',
      ],
    ]);
  });

  test('a text of one class is a stand-in where other classes have answers of their own', async () => {
    const fallback = (_: string, at: number): string => (at < 8 ? advice[0]! : OWN[at]!);
    const own = answered(TEXTS, fallback, (at) => (at < 8 ? 'vata' : classes[1 + (at % 2)]!));
    expect((await found(own)).said).toEqual(['repeated-answers warning']);
    // And where it comes with no class at all, as what is said after a failed call.
    const none = answered(texts, given, (at) => classes[which[at]!]!).map((one, at) =>
      which[at] === 0 ? { ...one, predicted: [] } : one,
    );
    expect(await titles(none)).toEqual([['warning', four]]);
  });

  describe('with words of the case’s own put in', () => {
    const about = Array.from({ length: 20 }, () => thing(chance));
    const frame = (at: number, text: string): string => `You speak of ${about[at]!}. ${text}`;

    test('a frame for each class is a note, for whatever class an error', async () => {
      const two = (at: number): number => (at < 12 ? 0 : 1);
      const answer = (_: string, at: number): string => frame(at, advice[two(at)]!);
      expect(await titles(answered(TEXTS, answer, (at) => classes[two(at)]!))).toEqual([
        [
          'note',
          '12 of 20 answers (60 %) are one template that goes with one predicted class; other classes have their own',
        ],
      ]);
      expect(await titles(answered(TEXTS, answer, (at) => classes[at % 2]!))).toEqual([
        [
          'error',
          '12 of 20 answers (60 %) are one template given to 12 cases: most of their words are in half of all answers',
        ],
      ]);
    });

    test('two frames of one half each are not one', async () => {
      const answer = (_: string, at: number): string => frame(at, advice[at % 2]!);
      expect((await titles(answered(TEXTS, answer)))[0]).toEqual([
        'error',
        '10 of 20 answers (50 %) are one template given to 10 cases: most of their words are in half of all answers',
      ]);
      expect((await found(answered(TEXTS, answer, (at) => classes[at % 2]!))).said).toEqual(['repeated-answers note']);
    });

    test('a name is no text of its own, though a class goes with it', async () => {
      const names = ['Anna', 'Bruno', 'Celia'];
      const answer = (_: string, at: number): string =>
        `Dear ${names[at % 3]!}, drink warm water, sleep early and see a doctor.`;
      expect(await titles(answered(TEXTS, answer, (at) => classes[at % 3]!))).toEqual([
        [
          'error',
          "20 of 20 answers (100 %) are one template given to 20 cases: they are the same or nearly so once greetings, quotes and the case's own words are taken out",
        ],
      ]);
      // Without a greeting, 11 words are 9 shingles, of which 7 are without the name: two have 7 of 11 in common, 0.64.
      const unmarked = (_: string, at: number): string =>
        `For ${names[at % 3]!}: drink warm water, sleep early and see a doctor.`;
      expect(await titles(answered(TEXTS, unmarked, (at) => classes[at % 3]!))).toEqual([
        [
          'error',
          '20 of 20 answers (100 %) are one template given to 20 cases: most of their words are in half of all answers',
        ],
      ]);
    });
  });
});
