import { describe, expect, it } from 'vitest';

import { claimsOf, outcomeOf } from '../../src/review/outcomes.ts';
import { ANNOTATORS, CLAIM_DECISIONS, CLAIM_FORM, CLAIM_ITEMS, CLAIM_WORK, claims } from './claim-set.ts';
import { EXPERT_FORM, EXPERT_ITEMS, EXPERT_WORK, EXPERTS } from './expert-set.ts';
import { formOf, madeSnapshot, type MadeReview, type MadeWork } from './made-snapshot.ts';

const experts = { form: EXPERT_FORM, reviewers: EXPERTS, items: EXPERT_ITEMS, work: EXPERT_WORK };
const annotators = { form: CLAIM_FORM, reviewers: ANNOTATORS, items: CLAIM_ITEMS, work: CLAIM_WORK };

describe('the outcome of a question', () => {
  it('is what two of three experts say; cases on which all differ are disputed', () => {
    const snapshot = madeSnapshot(experts);
    const found = EXPERT_ITEMS.map(({ id }) => outcomeOf(snapshot, id, 'prakriti', null));
    expect(found.map(({ value }) => value)).toEqual(['vata', 'pitta', null, 'kapha', 'pitta', 'kapha', null]);
    expect(found.map(({ how }) => how)).toEqual([
      'agreed',
      'majority',
      'disputed',
      'agreed',
      'agreed',
      'majority',
      'disputed',
    ]);
    expect(found[1]!.votes).toEqual([
      { value: 'pitta', count: 2 },
      { value: 'vata', count: 1 },
    ]);
    expect(found[2]!.reason).toContain('1 of 3 votes each');
  });

  it('is what the adjudicator decided, with the reason, whatever the vote', () => {
    const decisions = [{ itemId: 'K3', field: 'prakriti', value: 'tridosha' }];
    expect(outcomeOf(madeSnapshot({ ...experts, decisions }), 'K3', 'prakriti', null)).toMatchObject({
      value: 'tridosha',
      how: 'adjudicated',
      reason: 'as the texts have it',
      raters: 3,
    });
  });

  it('waits for a second opinion where the form wants three, whoever was asked', () => {
    const work: MadeWork[] = [{ person: 'Asha', item: 'K1', cells: { prakriti: 'vata' } }];
    const one = { ...experts, work, items: EXPERT_ITEMS.slice(0, 1) };
    expect(outcomeOf(madeSnapshot(one), 'K1', 'prakriti', null)).toMatchObject({
      value: null,
      how: 'undecided',
      reason: '1 of the 2 ratings it takes; 2 of 3 ratings are missing',
    });
    const alone: MadeReview = { ...one, reviewers: { Asha: ['expert'] } };
    expect(outcomeOf(madeSnapshot(alone), 'K1', 'prakriti', null)).toMatchObject({ value: null, how: 'undecided' });
  });

  it('needs two who agree even where the form wants three, and is not made of what is no more than a draft', () => {
    const work = EXPERT_WORK.map((one) => ({ ...one, committed: one.person !== 'Chand' }));
    const snapshot = madeSnapshot({ ...experts, work });
    expect(outcomeOf(snapshot, 'K2', 'prakriti', null)).toMatchObject({ value: 'pitta', how: 'agreed', raters: 2 });
    expect(outcomeOf(snapshot, 'K6', 'prakriti', null)).toMatchObject({ value: null, how: 'disputed', raters: 2 });
  });

  it('leaves out what somebody answered to a question of another group', () => {
    const reviewers = { ...EXPERTS, Chand: ['annotator'] };
    expect(outcomeOf(madeSnapshot({ ...experts, reviewers }), 'K2', 'prakriti', null).votes).toEqual([
      { value: 'pitta', count: 2 },
    ]);
  });

  it('of a scale needs everybody where differences are adjudicated, and a majority elsewhere', () => {
    const form = formOf({
      fields: {
        free: { type: 'scale', title: 'Free' },
        strict: { type: 'scale', title: 'Strict', adjudicate: true },
        comment: { type: 'text', title: 'Comment' },
      },
    });
    const work = ['a', 'b', 'c'].map((person, at) => ({
      person,
      item: 'i',
      cells: { free: at === 0 ? 2 : 4, strict: at === 0 ? 2 : 4, comment: 'x' },
    }));
    const snapshot = madeSnapshot({ form, reviewers: { a: [], b: [], c: [] }, items: ['i'], work });
    expect(outcomeOf(snapshot, 'i', 'free', null)).toMatchObject({ value: 4, how: 'majority' });
    expect(outcomeOf(snapshot, 'i', 'strict', null)).toMatchObject({ value: null, how: 'disputed' });
    expect(outcomeOf(snapshot, 'i', 'comment', null)).toMatchObject({
      value: null,
      reason: 'a comment has no outcome',
    });
    expect(outcomeOf(snapshot, 'i', '__proto__', null).reason).toBe('the review has no such question');
    expect(outcomeOf(snapshot, 'nowhere', 'free', null).reason).toBe('the review has no such question');
  });
});

const brief = (snapshot: ReturnType<typeof madeSnapshot>, item: string): string[] =>
  claimsOf(snapshot, item, 'claims').map(({ part, label, how }) => `${part} ${label ?? '?'} ${how}`);

describe('the final list of claims', () => {
  it('has what both annotators said, and without a label what they differ on', () => {
    const snapshot = madeSnapshot(annotators);
    expect(brief(snapshot, 'A1')).toEqual([
      '0-10 grounded agreed',
      '11-20 grounded agreed',
      '21-30 ? disputed',
      '31-40 hallucinated agreed',
      '41-50 ? disputed',
    ]);
    expect(brief(snapshot, 'A2').slice(2)).toEqual(['31-40 hallucinated agreed', '41-60 ? disputed']);
    expect(claimsOf(snapshot, 'A2', 'claims').at(-1)!.reason).toBe(
      'reviewers cut it differently: they see 1 and 2 things here',
    );
    // All that was said of its pieces is kept for the rate before adjudication.
    expect(claimsOf(snapshot, 'A2', 'claims').at(-1)!.labels).toHaveLength(3);
  });

  it('has five hallucinated of ten claims once the adjudicator has decided', () => {
    const snapshot = madeSnapshot({ ...annotators, decisions: CLAIM_DECISIONS });
    const all = [...claimsOf(snapshot, 'A1', 'claims'), ...claimsOf(snapshot, 'A2', 'claims')];
    expect(all.map(({ label }) => label?.[0]).join('')).toBe('ggphhhghgh');
    expect(all.filter(({ label }) => label === 'hallucinated').length / all.length).toBe(0.5);
    expect(outcomeOf(snapshot, 'A2', 'claims', '51-60')).toMatchObject({ value: 'hallucinated', how: 'adjudicated' });
    expect(outcomeOf(snapshot, 'A2', 'claims', '41-60').reason).toBe('nobody sees anything there');
  });

  it('leaves out what an adjudicator decided is none, and what a majority of three does not see', () => {
    const answers = (dev: string, esha: string): MadeWork[] => [
      { person: 'Dev', item: 'A1', cells: { claims: claims(dev) } },
      { person: 'Esha', item: 'A1', cells: { claims: claims(esha) } },
    ];
    const work = answers('0-10 g, 11-20 h', '0-10 g');
    expect(brief(madeSnapshot({ ...annotators, work }), 'A1')).toEqual(['0-10 grounded agreed', '11-20 ? disputed']);
    const decisions = [{ itemId: 'A1', field: 'claims', part: '11-20', value: [] }];
    expect(brief(madeSnapshot({ ...annotators, work, decisions }), 'A1')).toEqual(['0-10 grounded agreed']);
    const three = {
      ...annotators,
      reviewers: { ...ANNOTATORS, Farid: ['annotator'] },
      work: [...work, { person: 'Farid', item: 'A1', cells: { claims: claims('0-10 h') } }],
    };
    expect(brief(madeSnapshot(three), 'A1')).toEqual(['0-10 grounded majority']);
  });

  it('takes a split that two of three made', () => {
    const work = ['0-20 g', '0-10 g, 11-20 h', '0-10 g, 11-20 h'].map((text, at) => ({
      person: ['Dev', 'Esha', 'Farid'][at]!,
      item: 'A1',
      cells: { claims: claims(text) },
    }));
    const reviewers = { ...ANNOTATORS, Farid: ['annotator'] };
    expect(brief(madeSnapshot({ ...annotators, reviewers, work }), 'A1')).toEqual([
      '0-10 grounded majority',
      '11-20 hallucinated majority',
    ]);
  });

  it('keeps a decision when reviewers have since cut the text differently, and counts nothing twice', () => {
    const both = (text: string): MadeWork[] =>
      ['Dev', 'Esha'].map((person) => ({ person, item: 'A1', cells: { claims: claims(text) } }));
    const label = [{ itemId: 'A1', field: 'claims', part: '0-20', value: 'paraphrased' }];
    const list = [{ itemId: 'A1', field: 'claims', part: '0-40', value: claims('0-20 g, 21-40 h') }];
    const after = (text: string, decisions: MadeReview['decisions'] = label): string[] =>
      brief(madeSnapshot({ ...annotators, work: both(text), decisions: decisions ?? [] }), 'A1');
    expect(after('0-20 g')).toEqual(['0-20 paraphrased adjudicated']);
    expect(after('0-10 g, 11-20 g, 21-30 h')).toEqual(['0-20 paraphrased adjudicated', '21-30 hallucinated agreed']);
    expect(after('0-60 g')).toEqual(['0-20 paraphrased adjudicated']);
    expect(after('0-10 g, 11-40 g', list)).toEqual(['0-20 grounded adjudicated', '21-40 hallucinated adjudicated']);
    expect(after('0-20 g, 21-40 g', [...list, ...label])).toEqual([
      '0-20 paraphrased adjudicated',
      '21-40 hallucinated adjudicated',
    ]);
  });

  it('keeps a span within another when the inner one is decided', () => {
    const work: MadeWork[] = [
      { person: 'Dev', item: 'A1', cells: { claims: claims('0-10 g, 2-5 h') } },
      { person: 'Esha', item: 'A1', cells: { claims: claims('0-10 g') } },
    ];
    const decisions = [{ itemId: 'A1', field: 'claims', part: '2-5', value: claims('2-5 h') }];
    expect(brief(madeSnapshot({ ...annotators, work, decisions }), 'A1')).toEqual([
      '0-10 grounded agreed',
      '2-5 hallucinated adjudicated',
    ]);
  });

  it('waits while one of two annotators has committed', () => {
    const snapshot = madeSnapshot({ ...annotators, work: CLAIM_WORK.slice(0, 1) });
    expect(brief(snapshot, 'A1').every((one) => one.endsWith('? undecided'))).toBe(true);
    expect(claimsOf(snapshot, 'A2', 'claims')).toEqual([]);
  });
});
