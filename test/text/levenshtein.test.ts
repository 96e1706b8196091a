import fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EditColumns, levenshtein, levenshteinSimilarity, readCodePoints } from '../../src/text/levenshtein.ts';
import { normalise } from '../../src/text/normalise.ts';
import { anyText, runs } from './arbitraries.ts';

/** The textbook's table, whole. */
function textbookDistance(a: string, b: string): number {
  const x = [...a];
  const y = [...b];
  const table = [y.map((_, j) => j).concat(y.length)];
  for (let i = 1; i <= x.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= y.length; j += 1) {
      const above = table[i - 1] ?? [];
      row.push(
        Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (x[i - 1] === y[j - 1] ? 0 : 1)),
      );
    }
    table.push(row);
  }
  return table[x.length]?.[y.length] ?? Number.NaN;
}

// Few letters make long common parts; lengths on both sides of 32 take one block and several.
const fewLetters = fc.array(fc.constantFrom('a', 'b', 'c', '😀'), { maxLength: 80 }).map((parts) => parts.join(''));
const anyPair = fc.oneof(
  fc.tuple(fewLetters, fewLetters),
  fc.tuple(anyText, anyText),
  // The second made from the first, so that small distances are common.
  fc.tuple(fewLetters, fc.nat(80), fc.nat(5), fewLetters).map(([text, at, cut, put]) => {
    const characters = [...text];
    characters.splice(at, cut, ...[...put].slice(0, 4));
    return [text, characters.join('')] as [string, string];
  }),
);

describe('levenshtein', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['same', 'same', 0],
    ['kitten', 'sitting', 3],
    ['saturday', 'sunday', 3],
    ['flaw', 'lawn', 2],
    ['abc', 'cab', 2],
    ['😀', '😁', 1],
    ['a😀b', 'ab', 1],
    ['\ud83d', '😀', 1],
    ['\ud83d', '\ude00', 1],
    ['किताब', 'कितबा', 2],
    ['cafe\u0301', 'caf\u00e9', 2],
    ['a\u2028b', 'a b', 1],
  ])('%j and %j are %i apart', (a, b, expected) => {
    expect(levenshtein(a, b)).toBe(expected);
    expect(levenshtein(b, a)).toBe(expected);
  });

  it.each([31, 32, 33, 64, 65, 300])('is right for texts of %i characters', (length) => {
    const a = 'x'.repeat(length);
    expect(levenshtein(a, 'y'.repeat(length))).toBe(length);
    expect(levenshtein(`y${a}z`, `${a}y`)).toBe(2);
    expect(levenshtein(`${a}12${a}`, `2${a}1${a}`)).toBe(2);
  });

  it('says limit + 1 for more than the limit, the distance for the limit itself', () => {
    expect(levenshtein('kitten', 'sitting', 2)).toBe(3);
    expect(levenshtein('kitten', 'sitting', 3)).toBe(3);
    expect(levenshtein('kitten', 'sitting', 0)).toBe(1);
    expect(levenshtein('kitten', 'kitten', 0)).toBe(0);
    expect(levenshtein('a', 'abcdefgh', 3)).toBe(4);
    expect(levenshtein('a'.repeat(50), 'b'.repeat(50), 10)).toBe(11);
  });

  it('remembers nothing of the call before, also of one that stopped early', () => {
    const long = 'abcdefgh'.repeat(9);
    for (const [a, b] of [
      ['abcdef', 'ghijkl'],
      [long, long.replaceAll(/[a-d]/g, 'x')],
    ] as const) {
      levenshtein(a, b, 1);
      expect(levenshtein('ab', 'ba')).toBe(2);
      expect(levenshtein('ab', 'abab', 4)).toBe(2);
      expect(levenshtein('abc', 'xxabcxx', 7)).toBe(4);
    }
  });

  it('agrees with the textbook', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        expect(levenshtein(a, b)).toBe(textbookDistance(a, b));
      }),
      runs,
    );
  });

  it('agrees with the textbook up to any limit', () => {
    fc.assert(
      fc.property(anyPair, fc.nat(60), ([a, b], limit) => {
        expect(levenshtein(a, b, limit)).toBe(Math.min(textbookDistance(a, b), limit + 1));
      }),
      runs,
    );
  });

  it('is symmetric, and 0 for equal texts only', () => {
    fc.assert(
      fc.property(anyPair, ([a, b]) => {
        expect(levenshtein(a, b)).toBe(levenshtein(b, a));
        expect(levenshtein(a, b) === 0).toBe(a === b);
      }),
      runs,
    );
  });
});

describe('levenshteinSimilarity', () => {
  it('is 1 - distance / longer', () => {
    expect(levenshteinSimilarity('bethlehem', 'bethleham')).toBe(1 - 1 / 9);
    expect(levenshteinSimilarity('john d. smith', 'john smith')).toBe(1 - 3 / 13);
    expect(levenshteinSimilarity('😀😀', '😀')).toBe(0.5);
    expect(levenshteinSimilarity('abc', 'xyz')).toBe(0);
  });

  it('is 1 for two empty texts and 0 for one', () => {
    expect(levenshteinSimilarity('', '')).toBe(1);
    expect(levenshteinSimilarity('', 'a')).toBe(0);
    expect(levenshteinSimilarity('a', '')).toBe(0);
    expect(levenshteinSimilarity('', '', 1)).toBe(1);
  });

  it('is 0 below the threshold and itself at it', () => {
    expect(levenshteinSimilarity('john d. smith', 'john smith', 0.85)).toBe(0);
    expect(levenshteinSimilarity('john d. smith', 'john smith', 0.75)).toBe(1 - 3 / 13);
    expect(levenshteinSimilarity('abcdefghij', 'abcdefghiX', 0.9)).toBe(0.9);
    expect(levenshteinSimilarity('abc', 'abd', 1)).toBe(0);
    expect(levenshteinSimilarity('abc', 'abc', 1)).toBe(1);
    expect(levenshteinSimilarity('abc', 'abd', 2)).toBe(0);
  });

  it('keeps every value that equals the threshold, however it was rounded', () => {
    for (let longer = 1; longer <= 60; longer += 1) {
      for (let distance = 0; distance < longer; distance += 1) {
        const a = 'x'.repeat(longer);
        const b = 'y'.repeat(distance) + 'x'.repeat(longer - distance);
        const value = 1 - distance / longer;
        expect(levenshteinSimilarity(a, b, value)).toBe(value);
        expect(levenshteinSimilarity(a, b, (longer - distance) / longer)).toBe(
          value >= (longer - distance) / longer ? value : 0,
        );
      }
    }
  });

  it('is the obvious expression at or above any threshold, and 0 below', () => {
    const threshold = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(0, 0.5, 0.75, 0.8, 0.85, 0.9, 1),
    );
    fc.assert(
      fc.property(anyPair, threshold, ([a, b], atLeast) => {
        fc.pre(a !== '' && b !== '');
        const obvious = 1 - textbookDistance(a, b) / Math.max([...a].length, [...b].length);
        expect(levenshteinSimilarity(a, b)).toBe(obvious);
        expect(levenshteinSimilarity(a, b, atLeast)).toBe(obvious >= atLeast ? obvious : 0);
      }),
      runs,
    );
  });

  it('gives the values of the original evaluator', ({ skip }) => {
    const vectors = new URL('../../../shared/reference/graph/vectors.json', import.meta.url);
    if (!existsSync(vectors)) {
      const why = `no reference data at ${vectors.pathname}`;
      console.info(`skipped: ${why}`); // the default reporter does not show the note
      skip(why);
    }
    const { similarities } = JSON.parse(readFileSync(vectors, 'utf8')) as { similarities: [string, string, number][] };
    expect(similarities.length).toBeGreaterThan(200);
    for (const [a, b, expected] of similarities) {
      const [x, y] = [a, b].map((name) => normalise(name, ['lower', 'trim', 'collapse'])) as [string, string];
      expect(levenshteinSimilarity(x, y), `${a} / ${b}`).toBe(expected);
      expect(levenshteinSimilarity(x, y, 0.85), `${a} / ${b}`).toBe(expected >= 0.85 ? expected : 0);
    }
  });
});

describe('EditColumns', () => {
  it('has the edits to everything that ends at a place, and to everything that begins there', () => {
    const columns = new EditColumns(0x20000, 200);
    fc.assert(
      fc.property(fewLetters, fewLetters, fc.nat(), (quote, text, from) => {
        fc.pre(quote !== '');
        const [own, all] = [new Int32Array(160), new Int32Array(160)];
        const wanted = own.subarray(0, readCodePoints(quote, own));
        const length = readCodePoints(text, all);
        const start = from % (length + 1);
        const slice = (first: number, last: number): string => String.fromCodePoint(...all.subarray(first, last));
        const forward = columns.read(wanted, all, start, length - start, 1).slice(0, length - start + 1);
        for (const to of new Set([start, Math.floor((start + length) / 2), length])) {
          const edits = Array.from({ length: to - start + 1 }, (_, at) => levenshtein(slice(start + at, to), quote));
          expect(forward[to - start]).toBe(Math.min(...edits));
        }
        const backward = columns.read(wanted, all, length - 1, length - start, -1);
        for (let size = 0; size <= length - start; size += 1)
          expect(backward[size]).toBe(levenshtein(slice(length - size, length), quote));
      }),
      runs,
    );
  });
});
