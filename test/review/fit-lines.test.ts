import { describe, expect, test } from 'vitest';

import type { ReviewLine } from '../../src/review/review-lines.ts';
import { memorySource } from '../../src/data/source.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { fitLines } from '../../src/review/line-snapshot.ts';
import { readConsultFiles } from '../../src/formats/consult/consult-reader.ts';

const plan = await planRecipe('consult/ayurmind');
const files = await readConsultFiles(
  memorySource('cases.csv', 'id,scenario\n1,I am cold\n2,I am warm\n'),
  [
    { system: 'guided', source: memorySource('g.jsonl', '{"case_id":"1","response":"Eat warm food."}\n') },
    { system: 'plain', source: memorySource('p.jsonl', '{"case_id":"1","response":"See a doctor."}\n') },
  ],
  plan,
);

function line(more: Partial<ReviewLine>): ReviewLine {
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
    expect(fit(line({}), line({ language: null }), line({ language: 'English' }), line({ language: 'en-GB' }))).toEqual(
      {
        kept: 4,
        notices: [],
      },
    );
    expect(fit(line({ field: 'prakriti', part: null, system: null, value: 'vata' })).kept).toBe(1);
  });

  test('that are about anything else are left out and counted, with what may be meant', () => {
    expect(fit(line({ case_id: '9' }), line({ case_id: '9' })).notices).toEqual([
      '2 lines of the reviews are about cases that the case file does not have and in no figure: "9"',
    ]);
    expect(fit(line({ system: 'Guided' })).notices).toEqual([
      '1 line of the reviews is about systems that are not scored here and in no figure: "Guided"; is "guided" meant?',
    ]);
    expect(fit(line({ language: 'fr' }), line({ case_id: '2' })).notices).toEqual([
      '2 lines of the reviews are about answers that are not there and in no figure: "1 in fr", "2 in en"',
    ]);
    expect(fit(line({ field: 'claims', part: '0-99', value: 'grounded' })).notices).toEqual([
      '1 line of the reviews is about places beyond the end of the answer and in no figure: "1 0-99"',
    ]);
  });

  test('a class of a case that is not there does not make experts the judges of all others', () => {
    expect(fit(line({ case_id: '9', field: 'prakriti', part: null, value: 'vata' })).kept).toBe(0);
  });
});
