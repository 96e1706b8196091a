import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { matchingEnds } from '../../src/text/matching-words.ts';

function endsOf(place: string, quote: string): [number, number] | null {
  const [words, quoted] = [place.split(' '), quote.split(' ')];
  const ends = matchingEnds(words.length, quoted.length, (at, other) => words[at] === quoted[other]);
  return ends && [ends.first, ends.last];
}

describe('the words of a place that a quote has', () => {
  test.each<[place: string, quote: string, ends: [number, number] | null]>([
    ['a b c', 'a b c', [0, 2]],
    ['x a b c y', 'a b c', [1, 3]],
    ['x y', 'a b', null],
    ['x', '', null],
    // Closest together, each word once.
    ['a a b', 'x a b', [1, 2]],
    ['a b b', 'a b x', [0, 1]],
    ['a a b', 'a a b', [0, 2]],
    ['a b x a b', 'a b', [3, 4]],
    // A copy inside takes no word from one that is in order.
    ['a of a s t', 'a of s t', [0, 4]],
    // In another order.
    ['b a c d', 'a b c d', [0, 3]],
    ['c d b a', 'c d a b', [0, 3]],
    ['b a c d', 'a c d', [1, 3]],
    ['a a c d', 'c d a', [1, 3]],
    ['c d a a', 'a c d', [0, 2]],
  ])('%j for %j', (place, quote, ends) => {
    expect(endsOf(place, quote)).toEqual(ends);
  });

  test('are in its first and its last place, and mirrored if both are', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 7 });
    fc.assert(
      fc.property(words, words, (place, quote) => {
        const ends = endsOf(place.join(' '), quote.join(' '));
        expect(ends === null).toBe(!place.some((word) => quote.includes(word)));
        if (ends === null) return;
        const [first, last] = ends;
        expect(first).toBeLessThanOrEqual(last);
        for (const end of ends) expect(quote).toContain(place[end]);
        // Each word of the quote that the place has is between them as often as both have it.
        const times = (list: readonly string[], word: string): number => list.filter((one) => one === word).length;
        const within = place.slice(first, last + 1);
        for (const word of new Set(quote))
          expect(times(within, word)).toBeGreaterThanOrEqual(Math.min(times(place, word), times(quote, word), 1));
      }),
    );
  });
});
