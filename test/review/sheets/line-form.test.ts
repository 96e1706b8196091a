import { describe, expect, it } from 'vitest';

import { InputError } from '../../../src/data/problems.ts';
import { readReviewLines } from '../../../src/review/read-review-lines.ts';
import { memorySource } from '../../../src/data/source.ts';
import { reviewSection } from '../../../src/recipe/review-section.ts';
import { lineForm } from '../../../src/review/review-line-layout.ts';
import { FORM } from './sheet-review.ts';

const form = lineForm(FORM);

async function values(csv: string): Promise<unknown[]> {
  const lines = await readReviewLines([memorySource('r.csv', csv)], { form, classField: 'prakriti' });
  return lines.map(({ field, part, value }) => [field, part, value]);
}

async function refused(csv: string): Promise<string[]> {
  const error: unknown = await values(csv).catch((thrown: unknown) => thrown);
  return error instanceof InputError ? error.message.split('\n') : [];
}

describe('review lines read by a form', () => {
  it('have the values of the form', async () => {
    expect(
      await values(
        [
          'case_id,reviewer,field,part,value',
          '1,a,prakriti,,Pitta-Vata',
          '1,a,treatment_relevance,safety,"4,0"',
          '1,a,components,diet,x',
          '1,a,components,herbs,n/a',
          '1,a,claims,0-14,Not a claim',
          '1,a,comment,,4',
          '1,b,comment,,TRUE',
          '2,a,prakriti,,N/A',
        ].join('\n'),
      ),
    ).toEqual([
      ['prakriti', null, 'vata-pitta'],
      ['treatment_relevance', 'safety', 4],
      ['components', 'diet', true],
      ['components', 'herbs', 'na'],
      ['claims', '0-14', 'none'],
      ['comment', null, '4'],
      ['comment', null, 'TRUE'],
    ]);
  });

  it('keep a class that looks like a number as text', async () => {
    const classes = reviewSection.parse({
      show: [{ field: 'text', title: 'Text' }],
      fields: { kind: { type: 'choice', title: 'Which?', options: { 1: 'One', 2: 'Two' } } },
    });
    const csv = 'case_id,expert_1,expert_2\nC1,1,two\n';
    const lines = await readReviewLines([memorySource('r.csv', csv)], { form: lineForm(classes), classField: 'kind' });
    expect(lines.map(({ value }) => value)).toEqual(['1', '2']);
  });

  it('find the question of a column, also by its part alone', async () => {
    expect(
      await values('case_id,reviewer,Treatment_Relevance.Safety,efficacy,diet,prakriti\n1,a,4,5,no,vata\n'),
    ).toEqual([
      ['treatment_relevance', 'safety', 4],
      ['treatment_relevance', 'efficacy', 5],
      ['components', 'diet', false],
      ['prakriti', null, 'vata'],
    ]);
  });

  it('name what the form does not know', async () => {
    expect(await refused('case_id,reviewer,treatment_relevance.safty,comment\n1,a,4,x\n')).toEqual([
      'r.csv:1: column treatment_relevance.safty: the form has no question "treatment_relevance.safty" (did you mean treatment_relevance.safety or treatment_relevance.efficacy?)',
    ]);
    expect(
      await refused(
        'case_id,reviewer,field,part,value\n1,a,prakriti,,wata\n1,a,prakrit,,vata\n1,a,treatment_relevance,,4\n1,a,comment,x,y\n1,a,components,diet,na\n',
      ),
    ).toEqual([
      'r.csv:2: value: expected one of vata, pitta, vata-pitta, unknown, found "wata" (did you mean vata?)',
      'r.csv:3: field: the form has no question "prakrit" (did you mean prakriti?)',
      'r.csv:4: part: expected one of safety, efficacy as its part for treatment_relevance, found nothing',
      'r.csv:5: part: expected no part for comment, found "x"',
      'r.csv:6: value: expected yes or no, found "na"',
    ]);
  });

  it('ask which question is meant where several have such a part', () => {
    const twice = reviewSection.parse({
      ...FORM,
      fields: {
        ...FORM.fields,
        literacy: { type: 'scale', title: 'Clear?', dimensions: { efficacy: 'Efficacy' } },
      },
    });
    expect(lineForm(twice).questionOf('efficacy')).toEqual({
      fault: 'several questions have a part "efficacy"',
      next: 'write treatment_relevance.efficacy or literacy.efficacy',
    });
  });
});
