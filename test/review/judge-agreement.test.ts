import { describe, expect, it } from 'vitest';

import { judgeFigures } from '../../src/review/judge-agreement.ts';
import { overviewOf } from '../../src/review/overview.ts';
import { ANNOTATORS, CLAIM_DECISIONS, CLAIM_FORM, CLAIM_ITEMS, CLAIM_WORK, claims } from './claim-set.ts';
import { EXPERT_FORM, EXPERT_ITEMS, EXPERT_WORK, EXPERTS } from './expert-set.ts';
import { formOf, madeSnapshot } from './made-snapshot.ts';

const experts = { form: EXPERT_FORM, reviewers: EXPERTS, items: EXPERT_ITEMS, work: EXPERT_WORK };
const annotators = { form: CLAIM_FORM, reviewers: ANNOTATORS, items: CLAIM_ITEMS, work: CLAIM_WORK };
/** A model on the cases K1 to K7. */
const said = (...classes: string[]) => classes.map((value, at) => ({ itemId: `K${at + 1}`, field: 'prakriti', value }));

describe('a model against people', () => {
  it('is compared with what people settled on, and not where they are of different minds', () => {
    // People: v p – k p k –. Model: v p v k v k p: on five cases four the same, po = 4/5.
    // People v 1 p 2 k 2; model v 2 p 1 k 2: pe = (2 + 2 + 4) / 25 = 8/25, kappa = (20 − 8) / (25 − 8) = 12/17.
    const judgements = said('vata', 'pitta', 'vata', 'kapha', 'vata', 'kapha', 'pitta');
    const [figure, ...more] = judgeFigures(madeSnapshot({ ...experts, judgements }));
    expect(more).toEqual([]);
    expect(figure).toMatchObject({
      field: 'prakriti',
      coefficient: 'Cohen’s kappa',
      n: 5,
      model: 'model-a',
      expired: null,
    });
    expect(figure!.value).toBeCloseTo(12 / 17, 12);
    expect(figure!.interval).not.toBeNull();
    expect(figure!.notes.slice(0, 2)).toEqual([
      'on 5 items',
      'of the model’s answers 2 have nothing settled to be compared with, and leave',
    ]);
  });

  it('is compared with the adjudicator where people could not agree', () => {
    const judgements = said('vata', 'pitta', 'vata');
    const decisions = [{ itemId: 'K3', field: 'prakriti', value: 'kapha' }];
    expect(judgeFigures(madeSnapshot({ ...experts, judgements, decisions }))[0]!.n).toBe(3);
  });

  it('counts its last answer to a question', () => {
    const judgements = [...said('kapha', 'kapha'), ...said('vata', 'pitta')];
    expect(judgeFigures(madeSnapshot({ ...experts, judgements }))[0]!.value).toBe(1);
  });

  it('changes no figure about people', () => {
    const judgements = said('tridosha', 'tridosha', 'tridosha');
    const { judge, ...rest } = overviewOf(madeSnapshot({ ...experts, judgements }));
    const { judge: none, ...without } = overviewOf(madeSnapshot(experts));
    expect(rest).toEqual(without);
    expect([judge.length, none.length]).toEqual([1, 0]);
  });

  it('has expired when the prompt or the model has changed', () => {
    const judgements = [
      ...said('vata', 'pitta').map((one) => ({ ...one, judge: 'a1', model: 'a', promptHash: '1' })),
      ...said('vata', 'pitta').map((one) => ({ ...one, judge: 'b2', model: 'b', promptHash: '2' })),
      ...said('vata', 'pitta').map((one) => ({ ...one, judge: 'a2', model: 'a', promptHash: '2' })),
    ];
    const figures = judgeFigures(madeSnapshot({ ...experts, judgements }));
    expect(figures.map(({ model, expired, value }) => [model, expired, value])).toEqual([
      ['a', null, 1],
      ['b', 'the model has changed', null],
      ['a', 'the prompt has changed', null],
    ]);
    expect(figures[2]!.undefined).toBe('it has expired: the prompt has changed');
  });

  it('says why there is nothing to compare', () => {
    const [figure] = judgeFigures(madeSnapshot({ ...experts, work: [], judgements: said('vata') }));
    expect(figure).toMatchObject({
      value: null,
      n: 0,
      undefined: 'people have settled nothing that the model answered',
    });
  });
});

describe('a model on claims', () => {
  it('is compared claim by claim with the final list, by place or by the id of what was proposed', () => {
    // Final: A1 g g p h h, A2 h g h g h. Model on A1 g g g h h; on A2 h g h, and 41-60 which people split: 8 claims, 7 the
    // same. People g 3 p 1 h 4; model g 4 h 4: pe = (12 + 16) / 64 = 28/64, kappa = (56 − 28) / (64 − 28) = 7/9.
    const content = { proposed: { claims: [{ id: 's1', start: 0, end: 20, text: 'One.' }] } };
    const items = [CLAIM_ITEMS[0]!, { ...CLAIM_ITEMS[1]!, content }];
    const judgements = [
      { itemId: 'A1', field: 'claims', value: claims('0-10 g, 11-20 g, 21-30 g, 31-40 h, 41-50 h') },
      { itemId: 'A2', field: 'claims', part: 's1', value: 'hallucinated' },
      { itemId: 'A2', field: 'claims', part: '21-30', value: 'grounded' },
      { itemId: 'A2', field: 'claims', part: '31-40', value: 'hallucinated' },
      { itemId: 'A2', field: 'claims', part: '41-60', value: 'grounded' },
    ];
    const [figure] = judgeFigures(madeSnapshot({ ...annotators, items, decisions: CLAIM_DECISIONS, judgements }));
    expect(figure!.n).toBe(8);
    expect(figure!.value).toBeCloseTo(7 / 9, 12);
    expect(figure!.notes.slice(0, 2)).toEqual([
      'on 2 items',
      'of the model’s answers 1 have nothing settled to be compared with, and leave',
    ]);
  });
});

describe('a model on a scale', () => {
  it('is compared with weights, and what is off the scale is not compared', () => {
    const form = formOf({ fields: { quality: { type: 'scale', title: 'How good?' } } });
    const ratings = [1, 5, 3, 3];
    const items = ratings.map((_, at) => `i${at}`);
    const work = ratings.flatMap((quality, at) =>
      ['a', 'b'].map((person) => ({ person, item: `i${at}`, cells: { quality } })),
    );
    const judgements = [2, 5, 3, 9].map((value, at) => ({ itemId: `i${at}`, field: 'quality', value }));
    const [figure] = judgeFigures(madeSnapshot({ form, reviewers: { a: [], b: [] }, items, work, judgements }));
    // 1 2, 5 5, 3 3: Σ d = 1; all pairs of 1 5 3 with 2 5 3: 1 16 4 + 9 0 4 + 1 4 0 = 39, over 3: 13; 1 − 1/13.
    expect(figure).toMatchObject({ coefficient: 'Cohen’s kappa (quadratic weights)', n: 3 });
    expect(figure!.value).toBeCloseTo(12 / 13, 12);
  });
});
