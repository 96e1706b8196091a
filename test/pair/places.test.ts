import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Item } from '../../src/data/item.ts';
import { makeCriterion } from '../../src/pair/criterion.ts';
import { makePairer } from '../../src/pair/pair.ts';
import { allPairs, contentOrder, inCharacters, type NearPairs, nearSpans } from '../../src/pair/places.ts';
import { hit, judge, missed, spurious } from '../judge/verdicts.ts';
import { caseOf, object, quoted, span } from './items.ts';
import { runsHere } from '../many-runs.ts';

test('items come in text order, then by end, label, text and fields', () => {
  const sorted = [
    object('a', 'x', { n: 1 }),
    object('a', 'x', { n: 2 }),
    object('b', 'w'),
    span(0, 3, 'A'),
    span(0, 5, 'A'),
    span(0, 5, 'B'),
    span(2, 3, 'A'),
  ];
  expect(contentOrder(sorted.toReversed())).toEqual(sorted);
});

test('a list in order is handed back as it is', () => {
  const list = [span(0, 3), span(1, 2), span(1, 2)];
  expect(contentOrder(list)).toBe(list);
});

const TEXT = 'a🙂🙂b c';

describe('inCharacters', () => {
  test('counts an emoji as one character', () => {
    const places = inCharacters([span(0, 1), span(1, 5), span(5, 6), span(-1, -1)], TEXT);
    expect(places.map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [1, 3],
      [3, 4],
      [-1, -1],
    ]);
  });

  test('an end between the halves of a pair is where its character begins', () => {
    expect(inCharacters([span(0, 2)], TEXT)[0]).toMatchObject({ start: 0, end: 1 });
  });

  test('hands the list back where units and characters are the same, or no text is known', () => {
    const list = [span(0, 1)];
    expect(inCharacters(list, 'plain text')).toBe(list);
    expect(inCharacters(list, null)).toBe(list);
  });
});

describe('an emoji is one character', () => {
  const pairer = (similarity: string, threshold: number, tolerance = 0): ReturnType<typeof makePairer> =>
    makePairer({
      accept: [makeCriterion('c', { similarity, threshold, tolerance })],
      assign: 'greedy',
      ties: 'content',
      partial: 1,
      unit: 'item',
    });

  test('in an overlap', () => {
    // "🙂🙂b" and "b" share 1 of 3 characters (1 of 5 units).
    const { pairs } = pairer('iou', 0.3).pair([span(1, 6)], [span(5, 6)], undefined, TEXT);
    expect(pairs[0]?.similarity).toBe(1 / 3);
    // The items themselves keep the places they have.
    expect(pairs[0]?.gold).toMatchObject({ start: 1, end: 6 });
  });

  test('in a tolerance', () => {
    const [gold, predicted] = [span(5, 6), span(3, 6)];
    expect(pairer('exact', 1, 1).pair([gold], [predicted], undefined, TEXT).pairs).toHaveLength(1);
    expect(pairer('exact', 1, 1).pair([gold], [predicted]).pairs).toHaveLength(0);
  });

  test('for the rules that look at overlaps', () => {
    const given = caseOf({ text: TEXT });
    // "🙂b" inside the matched "b c": 1 of 2 characters, 1 of 3 units.
    const found = judge('excuse-overlap', {}, [hit(span(5, 8), span(5, 8)), spurious(span(3, 6))], given);
    expect(found[1]?.verdict).toBe('excused');
    const linked = judge('incorrect', {}, [missed(span(1, 6)), spurious(span(5, 6))], given);
    expect(linked[0]?.rejected?.similarity).toBe(1 / 3);
    // "🙂Oslo" begins one character, two units, before gold, which has the same words further on.
    const text = '🙂Oslo 🙂Oslo Court';
    const court = quoted(text, 'Oslo 🙂Oslo Court', 'ORG');
    const place = quoted(text, '🙂Oslo', 'LOC');
    const params = { predicted: ['LOC'], gold: ['ORG'], shape: 'any' };
    expect(judge('loc-in-org', params, [missed(court), spurious(place)], caseOf({ text }))[0]?.rule).toBe('loc-in-org');
  });
});

function listed({ gold, predicted }: NearPairs): string[] {
  return gold.map((g, at) => `${g}-${predicted[at]!}`).sort();
}

/** The plain way: every pair of the two lists. */
function bruteForce(gold: readonly Item[], predicted: readonly Item[], reach: number): string[] {
  const out: string[] = [];
  for (const [g, a] of gold.entries()) {
    for (const [p, b] of predicted.entries()) {
      const gap = Math.max(a.start, b.start) - Math.min(a.end, b.end);
      if (a.start >= 0 && b.start >= 0 && (gap < 0 || (reach > 0 && gap <= reach))) out.push(`${g}-${p}`);
    }
  }
  return out.sort();
}

/** Spans that count how often their place is asked for. */
function counting(places: readonly (readonly [number, number])[], reads: { count: number }): Item[] {
  return places.map(([start, end]) => {
    const item = span(start, end);
    return Object.defineProperties(
      { ...item },
      {
        start: { get: () => ((reads.count += 1), start) },
        end: { get: () => ((reads.count += 1), end) },
      },
    );
  });
}

describe('nearSpans', () => {
  test('finds overlaps, not neighbours', () => {
    const gold = [span(0, 5), span(5, 9)];
    expect(listed(nearSpans(gold, [span(4, 5), span(5, 6), span(9, 10)], 0))).toEqual(['0-0', '1-1']);
  });

  test('with a reach, spans that far apart are near, too', () => {
    const gold = [span(10, 12)];
    const predicted = [span(6, 8), span(7, 9), span(13, 14), span(14, 15)];
    expect(listed(nearSpans(gold, predicted, 1))).toEqual(['0-1', '0-2']);
    expect(listed(nearSpans(gold, predicted, 2))).toEqual(['0-0', '0-1', '0-2', '0-3']);
  });

  test('an item without a place is near nothing', () => {
    expect(listed(nearSpans([span(-1, -1), span(0, 3)], [span(-1, -1), span(0, 3)], 5))).toEqual(['1-1']);
  });

  test('agrees with trying every pair, in any order of the lists', () => {
    const place = fc.tuple(fc.integer({ min: -1, max: 20 }), fc.integer({ min: 1, max: 12 }));
    const spans = fc.array(
      place.map(([start, length]) => span(start, start < 0 ? -1 : start + length)),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(spans, spans, fc.integer({ min: 0, max: 3 }), (gold, predicted, reach) => {
        expect(listed(nearSpans(gold, predicted, reach))).toEqual(bruteForce(gold, predicted, reach));
      }),
      { seed: 20262, numRuns: runsHere(2000) },
    );
  });
});

describe('cost grows with the spans and the pairs they make, not with the product of the lists', () => {
  const disjoint = (count: number): [number, number][] =>
    Array.from({ length: count }, (_, at) => [at * 10, at * 10 + 5]);
  const cost = (
    gold: readonly (readonly [number, number])[],
    predicted: readonly (readonly [number, number])[],
  ): number => {
    const reads = { count: 0 };
    nearSpans(counting(gold, reads), counting(predicted, reads), 0);
    return reads.count;
  };

  test('2,000 disjoint spans a side', () => {
    // 4,000,000 pairs, of which 2,000 touch.
    const thousand = cost(disjoint(1000), disjoint(1000));
    const twoThousand = cost(disjoint(2000), disjoint(2000));
    expect(twoThousand).toBeLessThan(20 * 4000);
    expect(twoThousand / thousand).toBeLessThan(2.1);
  });

  test('also under one span that covers everything', () => {
    // It makes a pair with each; the others are as far apart as before.
    const cover = (count: number): [number, number][] => [[0, count * 10], ...disjoint(count)];
    expect(cost(disjoint(2000), cover(2000))).toBeLessThan(30 * 4000);
    expect(cost(cover(2000), disjoint(2000))).toBeLessThan(30 * 4000);
  });
});

test('allPairs is every pair of two lists', () => {
  expect(listed(allPairs(2, 2))).toEqual(['0-0', '0-1', '1-0', '1-1']);
  expect(listed(allPairs(0, 3))).toEqual([]);
});
