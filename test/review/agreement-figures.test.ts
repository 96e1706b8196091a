import { describe, expect, it } from 'vitest';

import { agreementFigures } from '../../src/review/agreement-figures.ts';
import { cohenKappa } from '../../src/stats/agreement/cohen-kappa.ts';
import { ANNOTATORS, CLAIM_DECISIONS, CLAIM_FORM, CLAIM_ITEMS, CLAIM_KAPPA, CLAIM_WORK, claims } from './claim-set.ts';
import { EXPERT_FORM, EXPERT_ITEMS, EXPERT_KAPPA, EXPERT_WORK, EXPERTS } from './expert-set.ts';
import { formOf, madeSnapshot, type MadeWork } from './made-snapshot.ts';

const experts = { form: EXPERT_FORM, reviewers: EXPERTS, items: EXPERT_ITEMS, work: EXPERT_WORK };
const annotators = { form: CLAIM_FORM, reviewers: ANNOTATORS, items: CLAIM_ITEMS, work: CLAIM_WORK };

describe('agreement on a choice', () => {
  it('is Fleiss’ kappa of three experts on seven cases, as worked out by hand', () => {
    const [figure, ...more] = agreementFigures(madeSnapshot(experts));
    expect(more).toEqual([]);
    expect(figure).toMatchObject({
      field: 'prakriti',
      part: null,
      title: 'Which constitution?',
      coefficient: 'Fleiss’ kappa',
      undefined: null,
      n: 7,
      raters: 3,
      noInterval: null,
      target: null,
      met: null,
    });
    expect(figure!.value).toBeCloseTo(EXPERT_KAPPA, 12);
    expect(figure!.interval!.low).toBeLessThan(EXPERT_KAPPA);
    expect(figure!.interval!.high).toBeGreaterThan(EXPERT_KAPPA);
  });

  it('is Cohen’s kappa of two', () => {
    // Asha and Bina: the same on K1, K2, K4, K5, po = 4/7. Asha: v 3, p 2, k 2; Bina: v 1, p 4, k 2.
    // pe = (3·1 + 2·4 + 2·2) / 49 = 15/49, kappa = (28 − 15) / (49 − 15) = 13/34.
    const [figure] = agreementFigures(
      madeSnapshot({ ...experts, work: EXPERT_WORK.filter((one) => one.person !== 'Chand') }),
    );
    expect(figure).toMatchObject({ coefficient: 'Cohen’s kappa', raters: 2, n: 7 });
    expect(figure!.value).toBeCloseTo(13 / 34, 12);
  });

  it('grows case by case, the last point being the figure itself', () => {
    // After K1 and K2: pairs (1 + 1/3) / 2 = 2/3, v 4, p 2: pe = 20/36 = 5/9, kappa = (2/3 − 5/9) / (4/9) = 1/4.
    const [figure] = agreementFigures(madeSnapshot(experts));
    expect(figure!.growth.map(({ n }) => n)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(figure!.growth[0]!.value).toBeCloseTo(1 / 4, 12);
    expect(figure!.growth.at(-1)).toEqual({
      n: 7,
      value: figure!.value,
      low: figure!.interval!.low,
      high: figure!.interval!.high,
    });
  });

  it('grows in the order in which items were done by all, not in that of their names', () => {
    const late = EXPERT_WORK.map((one) => (one.item === 'K1' ? { ...one, at: '2027-01-01T00:00:00.000Z' } : one));
    const [figure] = agreementFigures(madeSnapshot({ ...experts, work: late }));
    // After K2 and K3: pairs (1/3 + 0) / 2 = 1/6, v 2, p 3, k 1: pe = 14/36 = 7/18, kappa = (3 − 7) / 11 = −4/11.
    expect(figure!.growth.find(({ n }) => n === 2)!.value).toBeCloseTo(-4 / 11, 12);
  });

  it.each([
    ['in a report', false, 12],
    ['on a page that somebody waits for', true, 8],
  ])('has few points of growth %s, each with its interval, which closes', (_, quick, most) => {
    const work = Array.from({ length: 50 }, (__, at): MadeWork[] =>
      ['Asha', 'Bina'].map((person, who) => ({
        person,
        item: `K${at}`,
        cells: { prakriti: (at + (at % 7 === 0 ? who : 0)) % 2 === 0 ? 'vata' : 'pitta' },
        at: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
      })),
    ).flat();
    const items = Array.from({ length: 50 }, (__, at) => ({ id: `K${at}`, kind: 'case' as const }));
    const [figure] = agreementFigures(madeSnapshot({ ...experts, items, work }), { quick });
    expect(figure!.growth).toHaveLength(most);
    expect(figure!.growth.at(-1)!.n).toBe(50);
    const widths = figure!.growth.map(({ value, low, high }) => {
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
      return high! - low!;
    });
    expect(widths.at(-1)).toBeLessThan(widths[0]!);
  });

  it('says why there is none yet', () => {
    const [nobody] = agreementFigures(madeSnapshot({ ...experts, work: [] }));
    expect(nobody).toMatchObject({
      value: null,
      undefined: 'nobody has committed an answer to it yet',
      n: 0,
      growth: [],
    });
    const [one] = agreementFigures(
      madeSnapshot({ ...experts, work: EXPERT_WORK.filter(({ person }) => person === 'Asha') }),
    );
    expect(one).toMatchObject({
      value: null,
      undefined: 'one person only has answered: nobody to compare with',
      raters: 1,
    });
  });

  it('leaves drafts out, and is not thrown off by a case that one more person rated', () => {
    const reviewers = { ...EXPERTS, Dora: ['expert'] };
    const extra = { person: 'Dora', item: 'K1', cells: { prakriti: 'kapha' } };
    // Without K1, which has four ratings: P = (8/3) / 6 = 4/9; v 3, p 8, k 7 of 18: pe = 122/324 = 61/162.
    const [figure] = agreementFigures(madeSnapshot({ ...experts, reviewers, work: [...EXPERT_WORK, extra] }));
    expect(figure!.n).toBe(6);
    expect(figure!.value).toBeCloseTo((4 / 9 - 61 / 162) / (1 - 61 / 162), 12);
    const [draft] = agreementFigures(
      madeSnapshot({ ...experts, reviewers, work: [...EXPERT_WORK, { ...extra, committed: false }] }),
    );
    expect(draft!.value).toBeCloseTo(EXPERT_KAPPA, 12);
  });

  it('does not ask for questions that nobody is asked', () => {
    expect(agreementFigures(madeSnapshot({ ...experts, reviewers: { Asha: ['visitor'] }, work: [] }))).toEqual([]);
  });
});

describe('agreement on parts', () => {
  const form = formOf({
    fields: {
      quality: { type: 'scale', title: 'How good?', dimensions: { safety: 'Safety', efficacy: 'Efficacy' } },
      has: { type: 'checklist', title: 'Has', items: { diet: 'Diet', herbs: 'Herbs' }, target: 0.9 },
    },
  });
  const rated = (
    person: string,
    item: string,
    safety: number,
    efficacy: number,
    diet: boolean,
    herbs: boolean,
  ): MadeWork => ({
    person,
    item,
    cells: { 'quality.safety': safety, 'quality.efficacy': efficacy, 'has.diet': diet, 'has.herbs': herbs },
  });
  const work = [
    rated('a', 'i1', 1, 2, true, true),
    rated('b', 'i1', 1, 3, true, false),
    rated('a', 'i2', 5, 4, false, false),
    rated('b', 'i2', 5, 4, false, false),
  ];
  const snapshot = madeSnapshot({ form, reviewers: { a: [], b: [] }, items: ['i1', 'i2'], work });

  it('comes as a whole and for each part, by their titles', () => {
    const figures = agreementFigures(snapshot);
    expect(figures.map(({ field, part, title, coefficient, n }) => [field, part, title, coefficient, n])).toEqual([
      ['quality', null, 'How good?', 'Krippendorff’s alpha (ordinal)', 4],
      ['quality', 'safety', 'Safety', 'Krippendorff’s alpha (ordinal)', 2],
      ['quality', 'efficacy', 'Efficacy', 'Krippendorff’s alpha (ordinal)', 2],
      ['has', null, 'Has', 'Cohen’s kappa', 4],
      ['has', 'diet', 'Diet', 'Cohen’s kappa', 2],
      ['has', 'herbs', 'Herbs', 'Cohen’s kappa', 2],
    ]);
  });

  it('is as worked out by hand', () => {
    const [, safety, efficacy, ticks, diet, herbs] = agreementFigures(snapshot);
    expect([safety!.value, diet!.value]).toEqual([1, 1]);
    // Efficacy: ratings 2 3 4 4, middle ranks 0.5, 1.5, 3, 3. Do = 2·1² / 4 = 0.5; the mean rank is 2, the squares from it
    // 2.25 + 0.25 + 1 + 1 = 4.5, De = 2·4·4.5 / (4·3) = 3; alpha = 1 − 0.5 / 3 = 5/6.
    expect(efficacy!.value).toBeCloseTo(5 / 6, 12);
    // Herbs: yes no, no no: po = 1/2, pe = 0·1/2 + 1·1/2 = 1/2.
    expect(herbs!.value).toBe(0);
    // All ticks: y y, y n, n n, n n: po = 3/4; a: y 2 n 2, b: y 1 n 3: pe = (2 + 6) / 16 = 1/2.
    expect(ticks!.value).toBeCloseTo(1 / 2, 12);
  });
});

describe('agreement on claims', () => {
  it('is Cohen’s kappa of two annotators on claims at the same place, as worked out by hand', () => {
    const [figure] = agreementFigures(madeSnapshot(annotators));
    expect(figure).toMatchObject({
      field: 'claims',
      part: null,
      coefficient: 'Cohen’s kappa',
      n: 8,
      raters: 2,
      target: 0.75,
    });
    expect(figure!.value).toBeCloseTo(CLAIM_KAPPA, 12);
    expect(figure!.notes[0]).toBe(
      '1 of 9 stretches are cut differently by different people, or not seen by all: they cannot be compared and leave',
    );
  });

  it('is of what annotators said before anybody decided', () => {
    const [before] = agreementFigures(madeSnapshot(annotators));
    const [after] = agreementFigures(madeSnapshot({ ...annotators, decisions: CLAIM_DECISIONS }));
    expect(after).toEqual(before);
  });

  it('has an interval from whole answers, wider than one from single claims', () => {
    const right = '0-10 g, 11-20 h, 21-30 p, 31-40 g';
    const wrong = '0-10 h, 11-20 g, 21-30 g, 31-40 p';
    const items = Array.from({ length: 30 }, (_, at) => `A${at}`);
    const work = items.flatMap((item, at): MadeWork[] => [
      { person: 'Dev', item, cells: { claims: claims(right) } },
      { person: 'Esha', item, cells: { claims: claims(at % 5 === 0 ? wrong : right) } },
    ]);
    const [figure] = agreementFigures(madeSnapshot({ ...annotators, items, work }));
    const rows = items.flatMap((_, at) => {
      const other = claims(at % 5 === 0 ? wrong : right);
      return claims(right).map(({ label }, place) => [label, other[place]!.label]);
    });
    const single = cohenKappa(rows, { resamples: 1000 }).interval!;
    expect(figure!.value).toBeCloseTo(cohenKappa(rows, { interval: false }).value!, 12);
    expect(figure!.interval!.high - figure!.interval!.low).toBeGreaterThan(1.5 * (single.high - single.low));
  });

  it('meets its target only where all of the interval lies above it', () => {
    const items = Array.from({ length: 20 }, (_, at) => `A${at}`);
    const both = (other: (at: number) => string): MadeWork[] =>
      items.flatMap((item, at) => [
        { person: 'Dev', item, cells: { claims: claims('0-10 g, 11-20 h') } },
        { person: 'Esha', item, cells: { claims: claims(other(at)) } },
      ]);
    const met = (other: (at: number) => string) =>
      agreementFigures(madeSnapshot({ ...annotators, items, work: both(other) }))[0]!.met;
    expect(met((at) => (at === 0 ? '0-10 g, 11-20 g' : '0-10 g, 11-20 h'))).toBe(true);
    expect(met((at) => (at % 2 === 0 ? '0-10 h, 11-20 g' : '0-10 g, 11-20 h'))).toBe(false);
    expect(met((at) => (at % 7 === 0 ? '0-10 g, 11-20 g' : '0-10 g, 11-20 h'))).toBeNull();
  });
});

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
