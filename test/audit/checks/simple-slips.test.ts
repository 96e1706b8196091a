import { describe, expect, test } from 'vitest';

import { foldedName, simpleSlips } from '../../../src/audit/checks/simple-slips.ts';
import { FoldState } from '../../../src/data/fold-state.ts';
import { makeItem } from '../../../src/data/item.ts';

const span = (start: number, label = 'A') =>
  makeItem({ kind: 'span', index: 0, label, text: 'abc', start, end: start + 3 });

describe('one slip that was made all over', () => {
  test('is the one that would make the most right', () => {
    const slips = simpleSlips(new Set(['span']), new FoldState().keep);
    slips.add({ text: null, gold: [span(4), span(9)], predicted: [span(5), span(10), span(20)] });
    slips.add({ text: null, gold: [span(4)], predicted: [span(4, 'B')] });
    expect(slips.best()).toMatchObject({ would: 2 });
  });

  test('may be answers that belong to the case before, of which a case that tells nothing has none', () => {
    const slips = simpleSlips(new Set(['span']), new FoldState().keep);
    slips.add({ text: null, gold: [span(40)], predicted: [] });
    slips.add({ text: null, gold: [span(60)], predicted: [span(40)] });
    slips.add(null);
    slips.add({ text: null, gold: [], predicted: [span(60)] });
    expect(slips.best()).toEqual({ would: 1, when: 'the answers belonged to the case before theirs' });
  });

  test('names are compared without case and the space around them', () => {
    expect(foldedName(' Ann ')).toBe(foldedName('ANN'));
  });
});
