import { describe, expect, it } from 'vitest';

import { agreementFigures } from '../../src/review/agreement-figures.ts';
import { ANNOTATORS, CLAIM_FORM, CLAIM_ITEMS, CLAIM_WORK, claims } from './claim-set.ts';
import { formOf, madeSnapshot, type MadeWork } from './made-snapshot.ts';

const FORM = formOf({
  people: { expert: { title: 'Experts', raters: 3 } },
  fields: {
    class: {
      type: 'choice',
      of: 'case',
      title: 'Which?',
      by: ['expert'],
      options: { a: 'A', b: 'B' },
    },
  },
});

const REVIEWERS = { A: ['expert'], B: ['expert'], C: ['expert'], D: ['expert'] };

/** `aab-` is what A, B, C and D say of one case; - is nothing. */
function figureOf(form: typeof FORM, ...cases: readonly string[]) {
  const items = cases.map((_, at) => ({ id: `K${at}`, kind: 'case' as const }));
  const work = cases.flatMap((said, at): MadeWork[] =>
    [...said].flatMap((letter, who) =>
      letter === '-' ? [] : [{ person: 'ABCD'[who]!, item: `K${at}`, cells: { class: letter } }],
    ),
  );
  return agreementFigures(madeSnapshot({ form, reviewers: REVIEWERS, items, work }))[0]!;
}

describe('Fleiss’ kappa in a review', () => {
  it('is over the things with as many ratings as the form wants, however few those are', () => {
    // Three wanted: aaa and aab. P = (1 + 1/3) / 2 = 2/3; a 5, b 1 of 6: pe = 26/36 = 13/18; kappa = (12 − 13) / 5.
    const figure = figureOf(FORM, 'aaa-', 'aab-', 'aa--', 'bb--', 'bb--');
    expect([figure.coefficient, figure.n]).toEqual(['Fleiss’ kappa', 2]);
    expect(figure.value).toBeCloseTo(-1 / 5, 12);
    expect(figure.notes).toContainEqual(
      expect.stringContaining(
        "Fleiss' kappa needs 3 ratings for every item: 3 of 5 items have another number and leave",
      ),
    );
  });

  it('is over those with the most ratings where none has as many, and where the form does not say', () => {
    const four = formOf({ ...FORM, people: { expert: { title: 'Experts', raters: 4 } } });
    const silent = formOf({ ...FORM, people: {} });
    // The same two cases as above: three ratings are the most.
    for (const form of [four, silent]) {
      const figure = figureOf(form, 'aaa-', 'aab-', 'aa--', 'bb--', 'bb--');
      expect(figure.n).toBe(2);
      expect(figure.value).toBeCloseTo(-1 / 5, 12);
    }
  });

  it('leaves out what has more ratings than are wanted', () => {
    const figure = figureOf(FORM, 'aaa-', 'aab-', 'bbbb');
    expect(figure.n).toBe(2);
    expect(figure.value).toBeCloseTo(-1 / 5, 12);
  });
});

describe('why there is no agreement', () => {
  it('is told from nobody having answered', () => {
    expect(figureOf(FORM, '----').undefined).toBe('nobody has committed an answer to it yet');
    const one = figureOf(FORM, 'a---', 'b---');
    expect([one.undefined, one.n, one.raters]).toEqual(['one person only has answered: nobody to compare with', 0, 1]);
    const apart = figureOf(FORM, 'a---', '-b--');
    expect([apart.undefined, apart.n, apart.raters]).toEqual(['no item is answered by two people', 0, 2]);
  });

  it('on claims is that one person has labelled, that two have labelled others, or that they cut the text otherwise', () => {
    const figure = (work: readonly MadeWork[]) =>
      agreementFigures(madeSnapshot({ form: CLAIM_FORM, reviewers: ANNOTATORS, items: CLAIM_ITEMS, work }))[0]!;
    expect(figure([])).toMatchObject({ undefined: 'nobody has committed an answer to it yet', raters: 0 });
    expect(figure(CLAIM_WORK.filter(({ person }) => person === 'Dev'))).toMatchObject({
      value: null,
      undefined: 'one person only has answered: nobody to compare with',
      n: 0,
      raters: 1,
    });
    const [dev, , , esha] = CLAIM_WORK;
    expect(figure([dev!, esha!])).toMatchObject({
      value: null,
      undefined: 'no claim is labelled by two people',
      n: 0,
      raters: 2,
    });
    const cut: readonly MadeWork[] = [
      { person: 'Dev', item: 'A1', cells: { claims: claims('0-10 g') } },
      { person: 'Esha', item: 'A1', cells: { claims: claims('0-4 g, 5-10 h') } },
    ];
    const found = figure(cut);
    expect(found.undefined).toBe('no claim is labelled by two people');
    expect(found.notes[0]).toMatch(/^1 of 1 stretches are cut differently/);
  });
});
