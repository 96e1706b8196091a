import fc from 'fast-check';
import { expect, it } from 'vitest';

import { TextFolder } from '../../src/text/folded-text.ts';
import { type FuzzyPlace, FuzzySearch } from '../../src/text/fuzzy-places.ts';
import { levenshtein } from '../../src/text/levenshtein.ts';
import { wordSpans } from '../../src/text/words.ts';
import { runs } from './arbitraries.ts';

function search(text: string, quote: string, atLeast: number, steps = 1e6): FuzzyPlace[] {
  const folder = new TextFolder();
  const [own, wanted] = [folder.fold(text), folder.fold(quote)];
  return new FuzzySearch(own, folder).find(wanted.symbols, atLeast, steps);
}

const letters = fc
  .array(fc.constantFrom('a', 'b', 'cd', 'e'), { minLength: 1, maxLength: 5 })
  .map((own) => own.join(''));
const phrase = fc.array(letters, { minLength: 2, maxLength: 40 }).map((own) => own.join(' '));

it('finds the fewest edits in long texts, of which it reads the promising stretches only', () => {
  fc.assert(
    fc.property(phrase, fc.nat(), fc.integer({ min: 4, max: 40 }), fc.nat(3), letters, (text, at, length, cut, put) => {
      const from = at % text.length;
      const piece = text.slice(from, from + length);
      const quote = (piece.slice(0, length / 2) + put + piece.slice(length / 2 + cut)).trim().replace(/ +/g, ' ');
      fc.pre(quote.length > 3);
      const spans = wordSpans(text, 'whitespace');
      const windows = spans.flatMap(({ start }) =>
        spans.filter(({ end }) => end > start).map(({ end }) => ({ start, end })),
      );
      const similar = windows.flatMap(({ start, end }) => {
        const edits = levenshtein(text.slice(start, end), quote);
        const similarity = 1 - edits / Math.max(end - start, quote.length);
        return similarity >= 0.8 ? [{ start, end, edits }] : [];
      });
      const places = search(text, quote, 0.8);
      expect(places.length > 0).toBe(similar.length > 0);
      const fewest = Math.min(...similar.map(({ edits }) => edits));
      for (const place of places) expect(similar).toContainEqual({ start: place.from, end: place.to, edits: fewest });
      for (const { start, end } of similar.filter(({ edits }) => edits === fewest))
        expect(places.some((place) => place.from < end && start < place.to)).toBe(true);
    }),
    runs,
  );
});

it('finds nothing without the work that it takes', () => {
  const text = 'He slept badly last night, then woke.';
  expect(search(text, 'he slept badly last nite', 0.8)).toEqual([
    { from: 0, to: 25, similarity: 1 - 3 / 25, edits: 3, rank: 1 },
  ]);
  expect(search(text, 'he slept badly last nite', 0.8, 30)).toEqual([]);
});

it('finds no quote that is too short for an edit', () => {
  expect(search('a cat sat', 'cut', 0.8)).toEqual([]);
  expect(search('a cat sat', '', 0.8)).toEqual([]);
  expect(search('', 'cuts', 0.8)).toEqual([]);
});
