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
  it('names the coefficient and says why there is no interval, in 80 columns', async () => {
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
      /Agreement\n {2}Fleiss’ kappa\n {4}question +value +interval +n +people +target\n {4}plant +-0\.500 +– +1 +3/,
    );
    expect(text).toMatch(/\n {2}! plant: no interval: \S/);
    expect(text.replaceAll(/\n {4}/g, ' ')).toContain(
      "! plant: Fleiss' kappa needs 3 ratings for every item: 1 of 2 items have another number and leave",
    );
    expect(text).toContain('nobody has committed an answer to it yet (n = 0)');
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
    const text = ok(await run('status', 'pilot')).replaceAll(/\n {2}(?=\S)/g, ' ');
    expect(text).toContain('plant, claims: one person only has answered: nobody to compare with (n = 0)');
    expect(text).toContain('safety, contents: nobody has committed an answer to it yet (n = 0)');
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
    const [, told = ''] = ok(await run('status', 'pilot')).split('Model as a judge, beside the people\n');
    // Both cases as people have them: kappa is 1.
    expect(told).toMatch(/\n {4}plant \(test\/new\) +1\.000 .* 2 /);
    expect(told).toContain('plant (test/old): it has expired: the model has changed (n = 0)');
  });
});
