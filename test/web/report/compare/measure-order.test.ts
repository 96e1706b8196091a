import { describe, expect, it } from 'vitest';

import { gainOf, inOrder, towardsBetter } from '../../../../web/src/report/compare/measure-order.ts';
import { row } from './row.ts';

const rows = [
  row({ name: 'same', difference: 0.01 }),
  row({ name: 'won', verdict: 'better', difference: 0.2 }),
  row({ name: 'lost a little', verdict: 'worse', difference: -0.1 }),
  row({ name: 'slower', verdict: 'worse', direction: 'lower', difference: 0.3 }),
  row({ name: 'unsure', verdict: 'too little data', difference: -0.5 }),
];

describe('the order of measures', () => {
  it('puts the worst news first, and of those the largest loss', () => {
    expect(inOrder(rows, 'worse first').map(({ name }) => name)).toEqual([
      'slower',
      'lost a little',
      'unsure',
      'same',
      'won',
    ]);
  });

  it('turns round for better first, and is the recipe’s own on request', () => {
    expect(inOrder(rows, 'better first').map(({ name }) => name)).toEqual([
      'won',
      'same',
      'unsure',
      'lost a little',
      'slower',
    ]);
    expect(inOrder(rows, 'as in the recipe')).toBe(rows);
  });
});

describe('what is gained', () => {
  it('is above 0 where the other is better, whichever way the measure points', () => {
    expect(towardsBetter({ direction: 'higher' }, 0.1)).toBe(0.1);
    expect(towardsBetter({ direction: 'lower' }, 0.1)).toBe(-0.1);
    // The difference is of distances from the best value: more distance is worse.
    expect(towardsBetter({ direction: 'higher', best: 0.5 }, 0.1)).toBe(-0.1);
    expect(Object.is(towardsBetter({ direction: 'lower' }, 0), 0)).toBe(true);
  });

  it('goes by the spread where it is known, so that seconds and shares can be ordered together', () => {
    const effect = { dz: null, rankBiserial: null, standardised: 0.4 };
    expect(gainOf(row({ direction: 'lower', difference: 300, effect }))).toBe(-0.4);
    expect(gainOf(row({ difference: null }))).toBeNull();
  });
});
