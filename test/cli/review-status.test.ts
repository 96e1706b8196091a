import { describe, expect, it } from 'vitest';

import { agreementFigures } from '../../src/review/agreement-figures.ts';
import { loadSnapshot } from '../../src/review/snapshot.ts';
import { openStore } from '../../src/store/store.ts';
import { gardenReview, type Said } from './garden-review.ts';
import { ok } from './review-files.ts';

const PEOPLE = ['Anna', 'Bora', 'Cleo'].map((name) => ({ name }));

const cases = (...plants: readonly (readonly [string, string, string])[]): Said[] =>
  plants.map(([person, item, plant]) => ({ person, item, cells: { plant } }));

describe('assay review status', () => {
  it('shows the coefficient and the reason for a missing interval, in 80 columns', async () => {
    const { run } = gardenReview(
      PEOPLE,
      cases(
        ['Anna', 'case-1', 'rose'],
        ['Bora', 'case-1', 'rose'],
        ['Cleo', 'case-1', 'fern'],
        ['Anna', 'case-2', 'fern'],
        ['Bora', 'case-2', 'rose'],
      ),
    );
    const text = ok(await run('status', 'pilot'));
    // Of three ratings there is one case: 1/3 of its pairs agree, 2 rose and 1 fern: (1/3 − 5/9) / (4/9) = −1/2.
    expect(text).toMatch(
      /\nAgreement +value +interval +n +raters +target\n {2}plant +kappa +-0\.500 \[1\] +none \[2\] +1 +3 /,
    );
    expect(text.replaceAll(/\n {2}(?=\S)/g, ' ')).toMatch(
      /\[1\] Fleiss' kappa needs 3 ratings for every item: 1 of 2 items have another number and leave.*\[2\] no interval: \S/,
    );
    expect(text).toContain('nobody has committed an answer to it yet');
    expect(text.split('\n').filter((line) => [...line].length > 80)).toEqual([]);
  });

  it('does not say that nobody has answered where one person has', async () => {
    const { run } = gardenReview(PEOPLE, [
      { person: 'Anna', item: 'case-1', cells: { plant: 'rose' } },
      {
        person: 'Bora',
        item: 'answer-1',
        cells: { claims: [{ id: 'c1', start: 0, end: 15, text: 'Water it daily.', label: 'yes', from: ['c1'] }] },
      },
    ]);
    const text = ok(await run('status', 'pilot'));
    const [, alone = '', nobody = ''] =
      /\[(\d)\] one person only has answered: [^[]*\[(\d)\] nobody has committed an answer/s.exec(
        text.slice(text.indexOf('[1] ')),
      )!;
    for (const [question, note] of Object.entries({ plant: alone, claims: alone, safety: nobody, contents: nobody }))
      expect(text).toMatch(new RegExp(`\\n {2}${question} .*undefined \\[${note}\\]`));
  });

  it('has the figures of a report, with all of their resamples', async () => {
    const { run, data } = gardenReview(
      PEOPLE.slice(0, 2),
      [
        ['Anna', 4, 2],
        ['Bora', 5, 2],
      ].flatMap(([person, harm, dose]) =>
        ['answer-1', 'answer-2'].map((item, at) => ({
          person: String(person),
          item,
          cells: { 'safety.harm': Number(harm) - at, 'safety.dose': Number(dose) + at },
        })),
      ),
    );
    const store = openStore(data);
    const figures = agreementFigures(loadSnapshot(store, 'pilot'));
    store.close();
    const { agreement } = JSON.parse(ok(await run('status', 'pilot', '--json'))) as { agreement: unknown };
    expect(agreement).toEqual(JSON.parse(JSON.stringify(figures)));
  });

  it('names the model beside its figures, also one whose figure has expired', async () => {
    const said = ['Anna', 'Bora'].flatMap((person) =>
      ['rose', 'fern'].map((plant, at) => ({ person, item: `case-${at + 1}`, cells: { plant } })),
    );
    const { run, data } = gardenReview(PEOPLE.slice(0, 2), said);
    const store = openStore(data);
    const judgement = (model: string, itemId: string, value: string) => ({
      id: `${model} ${itemId}`,
      itemId,
      field: 'plant',
      part: null,
      value,
      reason: null,
      judge: model,
      model: `test/${model}`,
      promptHash: 'p',
    });
    store.reviews.addJudgements([judgement('old', 'case-1', 'rose'), judgement('old', 'case-2', 'fern')]);
    store.reviews.addJudgements([judgement('new', 'case-1', 'rose'), judgement('new', 'case-2', 'fern')]);
    store.close();
    const [, judged = ''] = ok(await run('status', 'pilot')).split('Model judge, compared with reviewers');
    // Both cases as reviewers have them: kappa is 1.
    expect(judged).toMatch(/\n {2}plant +test\/new +\S.* 1\.000 .* 2 +in force/);
    expect(judged).toMatch(/\n {2}plant +test\/old .* expired: the model has changed/);
  });
});
