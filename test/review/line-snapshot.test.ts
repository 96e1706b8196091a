import { describe, expect, test } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { memorySource } from '../../src/data/source.ts';
import { readConsultFiles } from '../../src/formats/consult/consult-reader.ts';
import { planRecipe, type ReviewSection } from '../../src/recipe/plan.ts';
import { agreementFigures } from '../../src/review/agreement-figures.ts';
import { consultReviews } from '../../src/review/consult-reviews.ts';
import { fitLines, snapshotOfLines } from '../../src/review/line-snapshot.ts';
import type { ReviewLine } from '../../src/review/review-lines.ts';

const { review, consult } = await planRecipe('consult/ayurmind');
const form: ReviewSection = review!;

function line(more: Partial<ReviewLine>): ReviewLine {
  return {
    case_id: '1',
    system: null,
    language: null,
    reviewer: 'asha',
    role: 'reviewer',
    field: 'prakriti',
    part: null,
    value: 'vata',
    text: null,
    because: null,
    at: null,
    ...more,
  };
}

/** One class a case and expert; a dash for nothing said. */
function votes(table: Readonly<Record<string, string>>): ReviewLine[] {
  return Object.entries(table).flatMap(([id, said]) =>
    said
      .split(' ')
      .flatMap((value, at) => (value === '-' ? [] : [line({ case_id: id, reviewer: `expert ${at + 1}`, value })])),
  );
}

describe('classes of three experts', () => {
  const TABLE = {
    '1': 'vata vata vata',
    '2': 'pitta pitta kapha',
    '3': 'kapha kapha kapha',
    '4': 'vata pitta kapha',
    '5': 'vata vata pitta',
    '6': 'pitta - -',
  };
  const reviews = consultReviews(snapshotOfLines(votes(TABLE), form), consult!);

  test('two of three decide; three different ones are disputed; one alone is too few', () => {
    expect(
      ['1', '2', '3', '4', '5', '6'].map((id) => [reviews.classOf(id)?.label, reviews.classOf(id)?.disputed]),
    ).toEqual([
      ['vata', false],
      ['pitta', false],
      ['kapha', false],
      [null, true],
      ['vata', false],
      // One of three is too few, and nobody disputes it.
      [null, false],
    ]);
    expect(reviews.classOf('2')?.because).toBe('2 of 3 experts');
    expect(reviews.classOf('6')?.votes).toEqual([{ reviewer: 'expert 1', label: 'pitta' }]);
    expect(reviews.classOf('7')).toBeNull();
  });

  test('Fleiss’ kappa is that of the table', () => {
    const kappa = agreementFigures(snapshotOfLines(votes({ ...TABLE, '6': '- - -' }), form)).find(
      ({ field }) => field === 'prakriti',
    );
    /*
     * Five cases, three experts. Agreement of each: 1, 1/3, 1, 0, 1/3, mean 8/15.
     * Of 15 votes vata has 3+1+2 = 6, pitta 2+1+1 = 4, kapha 1+3+1 = 5: (36 + 16 + 25) / 225 = 77/225.
     * kappa = (120/225 - 77/225) / (148/225) = 43/148.
     */
    expect(kappa).toMatchObject({ coefficient: 'Fleiss’ kappa', n: 5, raters: 3 });
    expect(kappa?.value).toBeCloseTo(43 / 148, 12);
  });

  test('an adjudicator settles what is disputed, with the reason', () => {
    const decided = line({
      case_id: '4',
      reviewer: 'farah',
      role: 'adjudicator',
      value: 'pitta',
      because: 'heat prevails',
    });
    const settled = consultReviews(snapshotOfLines([...votes(TABLE), decided], form), consult!).classOf('4');
    expect(settled).toEqual({
      label: 'pitta',
      disputed: false,
      because: 'adjudicated: heat prevails',
      // A decision is no vote, and takes none away.
      votes: [
        { reviewer: 'expert 1', label: 'vata' },
        { reviewer: 'expert 2', label: 'pitta' },
        { reviewer: 'expert 3', label: 'kapha' },
      ],
    });
  });
});

describe('claims of two annotators', () => {
  const claim = (part: string, reviewer: string, value: string, more: Partial<ReviewLine> = {}): ReviewLine =>
    line({ field: 'claims', system: 's', part, reviewer, value, text: `claim ${part}`, ...more });
  const LABELS = [
    ['c1', 'grounded', 'grounded'],
    ['c2', 'hallucinated', 'hallucinated'],
    ['c3', 'grounded', 'hallucinated'],
    ['c4', 'grounded', 'grounded'],
    ['c5', 'hallucinated', 'hallucinated'],
    ['c6', 'grounded', 'grounded'],
    ['c7', 'grounded', 'grounded'],
    ['c8', 'hallucinated', 'grounded'],
  ] as const;
  const both = LABELS.flatMap(([part, a, b]) => [claim(part, 'dev', a), claim(part, 'esha', b)]);

  test('what both say is settled, what they differ on waits for the adjudicator', () => {
    const found = consultReviews(snapshotOfLines(both, form), consult!).ofAnswer('1', 's', 'en')!.claims;
    expect(Object.fromEntries(found.map(({ part, label }) => [part, label]))).toEqual({
      c1: 'grounded',
      c2: 'hallucinated',
      c3: null,
      c4: 'grounded',
      c5: 'hallucinated',
      c6: 'grounded',
      c7: 'grounded',
      c8: null,
    });
    const decided = claim('c3', 'farah', 'hallucinated', { role: 'adjudicator', because: 'no passage' });
    const after = consultReviews(snapshotOfLines([...both, decided], form), consult!).ofAnswer('1', 's', 'en')!.claims;
    expect(after.find(({ part }) => part === 'c3')).toMatchObject({
      label: 'hallucinated',
      because: 'adjudicated: no passage',
    });
  });

  test('Cohen’s kappa is that of the table', () => {
    const kappa = agreementFigures(snapshotOfLines(both, form)).find(
      ({ field, part }) => field === 'claims' && part === null,
    );
    /*
     * 6 of 8 agree. dev: grounded 5, hallucinated 3; esha: the same. By chance (25 + 9) / 64 = 34/64.
     * kappa = (48/64 - 34/64) / (30/64) = 14/30.
     */
    expect(kappa).toMatchObject({ coefficient: 'Cohen’s kappa', n: 8, raters: 2, target: 0.75, met: null });
    expect(kappa?.value).toBeCloseTo(14 / 30, 12);
  });
});

describe('lines that cannot be placed', () => {
  test('a question that the form does not have', () => {
    expect(() => snapshotOfLines([line({ field: 'prakrti' })], form)).toThrow(UsageError);
  });

  test('an answer of nobody in particular, unless there is one system only', () => {
    const rating = line({ field: 'treatment_relevance', part: 'safety', value: 4 });
    expect(() => snapshotOfLines([rating], form)).toThrow(/whose answer/);
    const { ratings } = consultReviews(snapshotOfLines([rating], form, 'solo'), consult!).ofAnswer('1', 'solo', 'en')!;
    expect(ratings).toEqual([{ question: 'treatment_relevance', dimension: 'safety', value: 4, reviewer: 'asha' }]);
  });
});

const plan = await planRecipe('consult/ayurmind');
const files = await readConsultFiles(
  memorySource('cases.csv', 'id,scenario\n1,I am cold\n2,I am warm\n'),
  [
    { system: 'guided', source: memorySource('g.jsonl', '{"case_id":"1","response":"Eat warm food."}\n') },
    { system: 'plain', source: memorySource('p.jsonl', '{"case_id":"1","response":"See a doctor."}\n') },
  ],
  plan,
);

function fitLine(more: Partial<ReviewLine>): ReviewLine {
  const usual = {
    system: 'guided',
    language: 'en',
    reviewer: 'a',
    role: 'reviewer',
    field: 'safety',
    part: 'harm',
  } as const;
  return { case_id: '1', ...usual, value: 4, text: null, because: null, at: null, ...more };
}

function fit(...lines: ReviewLine[]): { kept: number; notices: readonly string[] } {
  const { lines: kept, notices } = fitLines(lines, plan.review!, files, plan.consult!);
  return { kept: kept.length, notices };
}

describe('lines of reviews', () => {
  test('that are about what is scored are kept, whatever the language is called', () => {
    expect(
      fit(fitLine({}), fitLine({ language: null }), fitLine({ language: 'English' }), fitLine({ language: 'en-GB' })),
    ).toEqual({
      kept: 4,
      notices: [],
    });
    expect(fit(fitLine({ field: 'prakriti', part: null, system: null, value: 'vata' })).kept).toBe(1);
  });

  test('that are about anything else are left out and counted, with what may be meant', () => {
    expect(fit(fitLine({ case_id: '9' }), fitLine({ case_id: '9' })).notices).toEqual([
      '2 lines of the reviews are about cases that the case file does not have and in no figure: "9"',
    ]);
    expect(fit(fitLine({ system: 'Guided' })).notices).toEqual([
      '1 line of the reviews is about systems that are not scored here and in no figure: "Guided"; is "guided" meant?',
    ]);
    expect(fit(fitLine({ language: 'fr' }), fitLine({ case_id: '2' })).notices).toEqual([
      '2 lines of the reviews are about answers that are not there and in no figure: "1 in fr", "2 in en"',
    ]);
    expect(fit(fitLine({ field: 'claims', part: '0-99', value: 'grounded' })).notices).toEqual([
      '1 line of the reviews is about places beyond the end of the answer and in no figure: "1 0-99"',
    ]);
  });

  test('a class of a case that is not there does not make experts the judges of all others', () => {
    expect(fit(fitLine({ case_id: '9', field: 'prakriti', part: null, value: 'vata' })).kept).toBe(0);
  });
});
