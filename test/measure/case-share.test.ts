import { describe, expect, test } from 'vitest';

import { makeItem } from '../../src/data/item.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { hit, missed } from '../judge/verdicts.ts';
import { byCase, measuredOver } from './measured.ts';

const component = (index: number): ReturnType<typeof makeItem> =>
  makeItem({ kind: 'component', index, label: `part ${index}`, text: `part ${index}` });

/** A case that has so many of eight components. */
function having(found: number): Verdict[] {
  return Array.from({ length: 8 }, (_, at) => (at < found ? hit(component(at), component(at)) : missed(component(at))));
}

const SHARE = { of: 'case-share', measure: { of: 'recall', kind: 'component' }, atLeast: 0.75, direction: 'higher' };

describe('case-share', () => {
  test('is the share of cases whose own value reaches the bound', () => {
    const { value, n, range, direction } = measuredOver(SHARE, [having(5), having(6), having(7), having(0)]);
    expect([value, n, range, direction]).toEqual([0.5, 4, [0, 1], 'higher']);
    expect(byCase(SHARE, [having(5), having(6)])).toEqual([0, 1]);
  });

  test('cases without a value leave it, and are counted', () => {
    const { value, n, note } = measuredOver(SHARE, [having(8), []]);
    expect([value, n, note]).toEqual([1, 1, '1 of 2 cases left out: undefined']);
  });

  test('is undefined where no case has a value', () => {
    expect(measuredOver(SHARE, [[], []])).toMatchObject({
      value: null,
      undefined: 'no case has a value: there is no gold that counts',
    });
  });
});
