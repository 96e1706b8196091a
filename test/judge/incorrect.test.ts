import { describe, expect, test } from 'vitest';

import { makeItem } from '../../src/data/item.ts';
import { entity, span } from '../pair/items.ts';
import { hit, judge, missed, spurious, story } from './verdicts.ts';

describe('incorrect', () => {
  test('links a missed and a spurious span that overlap; both stay what they are', () => {
    const gold = span(0, 10, 'LOC');
    const predicted = span(5, 12, 'ORG');
    const out = judge('incorrect', {}, [missed(gold), spurious(predicted)]);
    expect(story(out)).toEqual(['missed incorrect LOC', 'spurious incorrect ORG']);
    expect(out[0]).toMatchObject({
      because: 'label and boundaries differ',
      rejected: { item: predicted, similarity: 5 / 12 },
    });
    expect(out[1]).toMatchObject({
      rejected: {
        item: gold,
        why: 'label differs: LOC in gold, ORG predicted; boundaries differ: 0–10 in gold, 5–12 predicted',
      },
    });
  });

  test('as many as possible, one to one', () => {
    const out = judge('incorrect', {}, [
      missed(span(0, 10, 'A')),
      missed(span(8, 18, 'A')),
      spurious(span(0, 9, 'B')),
      spurious(span(1, 5, 'B')),
    ]);
    // 0..10 and 0..9 share most, but then 8..18 and 1..5 share nothing with what is left.
    expect(out.map(({ rejected }) => rejected?.item.start)).toEqual([1, 0, 8, 0]);
  });

  test('the same place goes before two overlaps', () => {
    const out = judge('incorrect', {}, [
      missed(span(0, 10, 'A')),
      missed(span(8, 18, 'A')),
      spurious(span(0, 10, 'B')),
      spurious(span(1, 5, 'B')),
    ]);
    expect(story(out)).toEqual([
      'missed incorrect A',
      'missed no-match A',
      'spurious incorrect B',
      'spurious no-match B',
    ]);
  });

  test('spans beside one another, hits, stretches and items without a place are left alone', () => {
    const stretch = (start: number, end: number): ReturnType<typeof makeItem> =>
      makeItem({ kind: 'span', index: -1, label: 'A', start, end });
    const verdicts = [
      missed(span(0, 5, 'A')),
      spurious(span(5, 9, 'A')),
      hit(span(20, 30, 'A'), span(20, 30, 'A')),
      missed(stretch(40, 50)),
      spurious(stretch(40, 45)),
      missed(entity('Ann')),
      spurious(entity('Anne')),
    ];
    expect(judge('incorrect', {}, verdicts)).toBe(verdicts);
  });
});
