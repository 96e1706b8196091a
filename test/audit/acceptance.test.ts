import { describe, expect, test } from 'vitest';

import { acceptanceLines, acceptancesOf, settled, unusedOf } from '../../src/audit/acceptance.ts';
import type { NewFinding } from '../../src/audit/check.ts';

function about(subjects: readonly string[], splits = true): NewFinding {
  return {
    severity: 'error',
    title: `about ${subjects.join(' and ')}`,
    why: '',
    todo: '',
    subjects,
    ...(splits ? { only: (some: ReadonlySet<string>) => about(subjects.filter((one) => some.has(one))) } : {}),
  };
}
const accept = (section: object) => acceptancesOf({ audit: { accept: section } });
const told = (found: NewFinding, section: object) =>
  settled('excused-hits', found, accept(section)).map(({ title, accepted }) => [title, accepted]);

describe('a finding', () => {
  test('stands open where the recipe says nothing of its check', () => {
    expect(told(about(['A']), {})).toEqual([['about A', null]]);
    expect(told(about(['A']), { 'dropped-data': 'other' })).toEqual([['about A', null]]);
    expect(settled('excused-hits', about(['A']), acceptancesOf({}))).toHaveLength(1);
  });

  test('is accepted with the reason, whatever it is about, or for the subjects that are named', () => {
    expect(told(about(['A', 'B']), { 'excused-hits': ' agreed ' })).toEqual([['about A and B', 'agreed']]);
    expect(told(about(['A', 'B']), { 'excused-hits': { because: 'agreed', subjects: ['B', 'A', 'C'] } })).toEqual([
      ['about A and B', 'agreed'],
    ]);
    expect(told(about([]), { 'excused-hits': 'agreed' })).toEqual([['about ', 'agreed']]);
  });

  test('is split where only some of its subjects are accepted', () => {
    expect(told(about(['A', 'B']), { 'excused-hits': { because: 'agreed', subjects: ['A'] } })).toEqual([
      ['about B', null],
      ['about A', 'agreed'],
    ]);
  });

  test('that cannot be split, or has none of the subjects, stands open as a whole', () => {
    expect(told(about(['A', 'B'], false), { 'excused-hits': { because: 'agreed', subjects: ['A'] } })).toEqual([
      ['about A and B', null],
    ]);
    expect(told(about(['A', 'B']), { 'excused-hits': { because: 'agreed', subjects: ['Z'] } })).toEqual([
      ['about A and B', null],
    ]);
    expect(told(about([]), { 'excused-hits': { because: 'agreed', subjects: ['Z'] } })).toEqual([['about ', null]]);
  });
});

describe('an acceptance', () => {
  const unused = (found: readonly NewFinding[], section: object) =>
    unusedOf('excused-hits', found, accept(section)).map(({ subjects }) => subjects);

  test('that no finding, or no subject of one, needs is known', () => {
    expect(unused([], { 'excused-hits': 'agreed' })).toEqual([[]]);
    expect(unused([], { 'dropped-data': 'other' })).toEqual([]);
    const some = { 'excused-hits': { because: 'agreed', subjects: ['A', 'Z'] } };
    expect(unused([about(['A']), about(['B'])], some)).toEqual([['Z']]);
    expect(unused([about(['A']), about(['Z'])], some)).toEqual([]);
    expect(unused([about(['A'])], { 'excused-hits': 'agreed' })).toEqual([]);
  });
});

describe('--accept lines', () => {
  test('name a check and a reason', () => {
    expect(acceptanceLines(['too-few-cases=a pilot, a = b'])).toEqual(
      new Map([['too-few-cases', { because: 'a pilot, a = b', subjects: null }]]),
    );
  });

  test('take the earlier name of a check', () => {
    expect([...acceptanceLines(['too-few=a pilot', 'nothing-right=known']).keys()]).toEqual([
      'too-few-cases',
      'zero-matches',
    ]);
    expect(told(about(['A']), { 'never-gold': 'other' })).toEqual([['about A', null]]);
    expect([...acceptancesOf({ audit: { accept: { 'same-raters': 'one person' } } }).keys()]).toEqual([
      'duplicate-raters',
    ]);
  });

  test('with a slip in the name, or without a reason, are refused', () => {
    expect(() => acceptanceLines(['too-fev=why'])).toThrow('there is no check called too-fev');
    expect(() => acceptanceLines(['too-few-cases='])).toThrow('an acceptance needs a reason');
    expect(() => acceptanceLines(['too-few-cases'])).toThrow('an acceptance needs a reason');
    expect(() => acceptanceLines(['__proto__=x'])).toThrow('there is no check called __proto__');
  });
});
