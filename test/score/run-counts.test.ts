import { describe, expect, test } from 'vitest';

import { makeItem } from '../../src/data/item.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { makeRunCounts } from '../../src/score/run-counts.ts';
import { missed, spurious } from '../judge/verdicts.ts';
import { object, span } from '../pair/items.ts';

describe('the confusion matrix', () => {
  const confusion = (...verdicts: Verdict[]): unknown[] => {
    const counts = makeRunCounts();
    counts.add(verdicts);
    return counts.list().confusion.map(({ gold, predicted, n }) => [gold, predicted, n]);
  };

  test('of tokens has what the two have together, and the rest as missed or spurious', () => {
    const tokens = (label: string, end: number) => makeItem({ kind: 'span', index: -1, label, start: 0, end });
    const ofTokens = (gold: number, predicted: number): unknown[] =>
      confusion(missed(tokens('LOC', 20), { weight: gold }), spurious(tokens('ORG', 18), { weight: predicted }));
    expect(ofTokens(3, 2)).toEqual([
      ['LOC', 'ORG', 2],
      ['LOC', null, 1],
    ]);
    expect(ofTokens(2, 3)).toEqual([
      ['LOC', 'ORG', 2],
      [null, 'ORG', 1],
    ]);
  });

  test('has no cell for an error of boundary: no label was taken for another', () => {
    expect(confusion(missed(span(0, 10, 'LOC')), spurious(span(0, 8, 'LOC')))).toEqual([
      ['LOC', null, 1],
      [null, 'LOC', 1],
    ]);
  });

  test('has a prediction once, even if a rule links it to other gold than the error types do', () => {
    const predicted = span(0, 10, 'ORG');
    const rejected = { item: predicted, similarity: 0.5, why: 'label differs' };
    // It is at the same place as LOC; the rule links it to DATE, which overlaps with it.
    expect(
      confusion(
        missed(span(0, 10, 'LOC')),
        missed(span(5, 10, 'DATE'), { rule: 'incorrect', rejected }),
        spurious(predicted, { rule: 'incorrect' }),
      ),
    ).toEqual([
      ['DATE', null, 1],
      ['LOC', 'ORG', 1],
    ]);
  });
});

test('a prediction without its quote in the text is listed once, however many schemes judge it', () => {
  const invented = { ...object('food', 'rice'), grounded: false, ungrounded: 'not in the text' };
  const counts = makeRunCounts();
  counts.add([spurious(invented)]);
  counts.add([spurious(invented, { scheme: 'exact' })]);
  expect(counts.list().ungrounded).toEqual({
    total: 1,
    shown: [{ case: 'c1', label: 'food', text: 'rice', why: 'not in the text' }],
  });
});
