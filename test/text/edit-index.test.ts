import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { EditIndex } from '../../src/text/edit-index.ts';
import { levenshteinSimilarity } from '../../src/text/levenshtein.ts';
import { anyText, runs } from './arbitraries.ts';

// Few letters make many texts alike; characters of two units, repeats and lengths beyond 32 are among them.
const fewLetters = fc
  .array(fc.constantFrom('a', 'b', 'c', '😀', ' '), { maxLength: 14 })
  .map((parts) => parts.join(''));
const word = fc.constantFrom('ba', 'ke', 'lo', 'mi', 'und', 'øst', 'ład', ' ', 'van ', 'de ', '𝒳', 'ß', 'aa', 'aaaa');
const name = fc.array(word, { maxLength: 20 }).map((parts) => parts.join(''));
const anyName = fc.oneof(fewLetters, name, anyText);
/** Texts, some of them made from others by small changes. */
const texts = fc.array(fc.tuple(anyName, fc.nat(40), fc.nat(3), fewLetters), { maxLength: 30 }).map((made) =>
  made.flatMap(([text, at, cut, put]) => {
    const characters = [...text];
    characters.splice(at, cut, ...[...put].slice(0, 2));
    return [text, characters.join('')];
  }),
);
const threshold = fc.oneof(
  fc.constantFrom(0, 0.2, 0.5, 0.75, 0.8, 0.85, 0.9, 1),
  fc.double({ min: 0, max: 1, noNaN: true }),
);

describe('EditIndex', () => {
  it('finds the texts that comparing with all finds, with the same similarity', () => {
    fc.assert(
      fc.property(texts, fc.array(anyName, { maxLength: 5 }), threshold, (list, more, atLeast) => {
        const index = new EditIndex(list);
        for (const text of [...more, ...list]) {
          const similarities = list.map((other) => levenshteinSimilarity(text, other));
          expect([...index.similarities(text)]).toEqual(similarities);
          const similar = similarities.flatMap((similarity, at) =>
            similarity >= atLeast && similarity > 0 ? [at] : [],
          );
          expect(index.similar(text, atLeast)).toEqual(similar);
          const best = Math.max(0, ...similarities);
          expect(index.closest(text)).toBe(best > 0 ? similarities.indexOf(best) : -1);
        }
      }),
      runs,
    );
  });

  it('finds the closest of names that have little in common', () => {
    const index = new EditIndex(['Ada Quell', 'Bora Lind', 'Egon Falk', 'Cem Aydin', 'Hana Ito', 'Egon Falk']);
    expect(index.closest('Egon F.')).toBe(2);
    expect(index.closest('Dita')).toBe(4);
    expect(index.closest('zzz')).toBe(-1);
    expect(index.closest('')).toBe(-1);
    expect(index.similar('Egon Falke', 0.85)).toEqual([2, 5]);
    expect(index.similar('Egon Falke', 0.95)).toEqual([]);
  });

  it('is empty for an empty list', () => {
    const index = new EditIndex([]);
    expect(index.closest('a')).toBe(-1);
    expect(index.similar('a', 0)).toEqual([]);
    expect(index.similarities('a')).toEqual(new Float64Array(0));
  });
});
