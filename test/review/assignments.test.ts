import { describe, expect, it } from 'vitest';

import { type ReviewSection, reviewSection } from '../../src/recipe/review-section.ts';
import { assignItems, type Assignable, type Rater, wantedFor } from '../../src/review/assignments.ts';

const FORM = reviewSection.parse({
  people: { expert: { title: 'experts', raters: 2 }, annotator: { title: 'annotators', raters: 1 } },
  show: [
    { field: 'text', title: 'Text' },
    { field: 'response', title: 'Answer', of: 'answer' },
  ],
  fields: {
    kind: { type: 'choice', of: 'case', title: 'Which?', by: ['expert'], options: { a: 'A', b: 'B' } },
    good: { type: 'scale', title: 'Good?', by: ['expert'] },
    claims: { type: 'items', title: 'True?', by: ['annotator'], from: 'sentences', labels: { yes: 'Yes', no: 'No' } },
    hindi: { type: 'scale', title: 'Hindi?', by: ['linguist'], languages: ['hi'] },
    comment: { type: 'text', title: 'More?' },
  },
});

function items(cases: number, systems: number): Assignable[] {
  return Array.from({ length: cases }, (_, at) => `c${at}`).flatMap((caseId) => [
    { id: `${caseId}-case`, kind: 'case' as const, caseId, language: 'en' },
    ...Array.from({ length: systems }, (_, at) => ({
      id: `${caseId}-s${at}`,
      kind: 'answer' as const,
      caseId,
      language: 'en',
    })),
  ]);
}

const rater = (name: string, ...groups: string[]): Rater => ({ id: name, name, groups });

function byItem(form: ReviewSection, all: readonly Assignable[], raters: readonly Rater[], seed = 1) {
  const { assignments, notices } = assignItems(form, all, raters, seed);
  const people = Map.groupBy(assignments, ({ itemId }) => itemId);
  return {
    notices,
    assignments,
    of: (itemId: string): string[] => (people.get(itemId) ?? []).map(({ personId }) => personId).sort(),
    load: (name: string): number => assignments.filter(({ personId }) => personId === name).length,
  };
}

describe('which groups an item is for', () => {
  it('follows from its kind and its language; a comment that everybody may leave is no reason', () => {
    expect(wantedFor(FORM, { kind: 'case', language: null })).toEqual({ groups: ['expert'], everybody: false });
    expect(wantedFor(FORM, { kind: 'answer', language: 'en' }).groups).toEqual(['expert', 'annotator']);
    expect(wantedFor(FORM, { kind: 'answer', language: 'hi' }).groups).toEqual(['expert', 'annotator', 'linguist']);
  });

  it('is everybody where a question that has to be answered has no group', () => {
    const form = reviewSection.parse({
      show: [{ field: 'text', title: 'T' }],
      under: 'text',
      fields: { good: { type: 'scale', title: 'Good?' } },
    });
    expect(wantedFor(form, { kind: 'answer', language: null })).toEqual({ groups: [], everybody: true });
    const done = byItem(form, items(2, 1), [rater('A'), rater('B')]);
    expect(done.of('c0-s0')).toEqual(['A', 'B']);
  });
});

describe('who gets what', () => {
  it('is as many of each group as the form asks for, and people without a group get everything', () => {
    const raters = [rater('E1', 'expert'), rater('E2', 'expert'), rater('A1', 'annotator'), rater('All')];
    const done = byItem(FORM, items(3, 2), raters);
    expect(done.notices).toEqual([]);
    expect(done.of('c0-case')).toEqual(['All', 'E1', 'E2']);
    expect(done.of('c0-s0')).toEqual(['A1', 'All', 'E1', 'E2']);
    expect(done.load('A1')).toBe(6);
    expect(done.load('All')).toBe(9);
  });

  it('is balanced where a group has more than are needed, and the same people rate all answers to a case', () => {
    const raters = ['E1', 'E2', 'E3', 'E4'].map((name) => rater(name, 'expert'));
    const all = items(12, 2);
    const done = byItem(FORM, all, [...raters, rater('A', 'annotator')]);
    for (const { id } of all) expect(done.of(id).filter((name) => name.startsWith('E'))).toHaveLength(2);
    // 12 cases of 3 items to 2 of 4 people: 18 each.
    for (const { name } of raters) expect(done.load(name)).toBe(18);
    for (let at = 0; at < 12; at += 1) {
      const experts = (id: string): string[] => done.of(id).filter((name) => name !== 'A');
      expect(experts(`c${at}-s0`)).toEqual(experts(`c${at}-case`));
      expect(experts(`c${at}-s1`)).toEqual(experts(`c${at}-case`));
    }
  });

  it('counts somebody of two groups once for both', () => {
    const done = byItem(FORM, items(4, 1), [
      rater('B', 'expert', 'annotator'),
      rater('E', 'expert'),
      rater('A', 'annotator'),
    ]);
    // B rates as an expert, and is then the one annotator too.
    for (let at = 0; at < 4; at += 1) expect(done.of(`c${at}-s0`)).toEqual(['B', 'E']);
    expect(done.notices).toEqual(['A has nothing to review']);
  });

  it('follows from the seed alone', () => {
    const raters = ['E1', 'E2', 'E3'].map((name) => rater(name, 'expert'));
    const all = items(10, 2);
    expect(assignItems(FORM, all, raters, 5)).toEqual(assignItems(FORM, all, raters, 5));
    expect(assignItems(FORM, all, raters, 5).assignments).not.toEqual(assignItems(FORM, all, raters, 6).assignments);
  });

  it('numbers each queue from 0 without a gap', () => {
    const { assignments } = byItem(FORM, items(5, 2), [rater('E1', 'expert'), rater('A', 'annotator')]);
    for (const own of Map.groupBy(assignments, ({ personId }) => personId).values())
      expect(own.map(({ position }) => position)).toEqual(own.map((_, at) => at));
  });

  it('says which group has too few people, and which has none', () => {
    expect(byItem(FORM, items(1, 1), [rater('E1', 'expert')]).notices).toEqual([
      '2 of the group expert (experts) are to rate each item, and there is 1',
      'nobody is in the group annotator (annotators): its questions (claims) stay without an answer',
    ]);
  });
});
