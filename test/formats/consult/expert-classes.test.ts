import { describe, expect, test } from 'vitest';

import { makeItem } from '../../../src/data/item.ts';
import { consultCase } from '../../../src/formats/consult/consult-case.ts';
import {
  type ConsultReviews,
  expertClasses,
  expertFields,
  NO_REVIEWS,
  type SettledClass,
} from '../../../src/formats/consult/consult-reviews.ts';
import { PLAIN_CONSULT } from '../../../src/recipe/consult-section.ts';

const VOTES = [
  { reviewer: 'asha', label: 'vata' },
  { reviewer: '__proto__', label: 'pitta' },
  { reviewer: 'constructor', label: 'vata' },
];

const goldOf = (reviews: ConsultReviews, truth: 'auto' | 'given' = 'auto') =>
  consultCase(
    { id: 'C1', text: 'I am cold', gold: 'Vata', columns: {}, line: 2 },
    null,
    { section: { ...PLAIN_CONSULT, truth }, form: null, reviews, system: 's' },
    { siblings: false, missing: 'empty' },
  ).gold;

const settled = (votes: SettledClass['votes']): ConsultReviews => ({
  ...NO_REVIEWS,
  hasClasses: true,
  classOf: () => ({ label: 'vata', disputed: false, because: '2 of 3 experts', votes }),
});

describe('the class that each expert gave', () => {
  test('goes with the gold class, whatever experts are called, and comes back from a file', () => {
    const [gold] = goldOf(settled(VOTES));
    expect(gold).toMatchObject({ label: 'vata', fields: { by: 'experts', because: '2 of 3 experts' } });
    const written: unknown = JSON.parse(JSON.stringify(gold!.fields));
    expect([...expertClasses({ ...gold!, fields: Object(written) })]).toEqual([
      ['asha', 'vata'],
      ['__proto__', 'pitta'],
      ['constructor', 'vata'],
    ]);
  });

  test('leaves no trace where nobody was asked, or the given class counts', () => {
    expect(goldOf(NO_REVIEWS)[0]!.fields).toEqual({ by: 'given' });
    expect(goldOf(settled(VOTES), 'given')[0]!.fields).toEqual({ by: 'given' });
    expect(goldOf(settled([]))[0]!.fields).toEqual({ by: 'experts', because: '2 of 3 experts' });
  });

  test('is none for items that experts had no part in', () => {
    const fields = { by: 'experts', ...expertFields(VOTES) };
    expect(expertClasses(makeItem({ kind: 'class', index: 0, label: 'vata', fields })).size).toBe(3);
    expect(expertClasses(makeItem({ kind: 'span', index: 0, label: 'vata', fields })).size).toBe(0);
    expect(
      expertClasses(makeItem({ kind: 'class', index: 0, label: 'vata', fields: { ...fields, by: 'given' } })).size,
    ).toBe(0);
    const odd = { by: 'experts', experts: { asha: 3, bela: 'vata' } };
    expect([...expertClasses(makeItem({ kind: 'class', index: 0, label: 'vata', fields: odd }))]).toEqual([
      ['bela', 'vata'],
    ]);
    expect(
      expertClasses(makeItem({ kind: 'class', index: 0, label: 'vata', fields: { by: 'experts', experts: ['vata'] } }))
        .size,
    ).toBe(0);
  });
});
