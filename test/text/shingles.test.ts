import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { MOST_SHINGLES, sequenceKey, shinglesOf, shingleSimilarity, spread } from '../../src/text/shingles.ts';
import { wordHashes } from '../../src/text/text-scan.ts';

const shingles = (text: string): Uint32Array => shinglesOf(wordHashes(text)).slice();

describe('words as hashes', () => {
  test('case, punctuation, white space and apostrophes do not count', () => {
    expect(wordHashes('Don’t stop —\n NOW!')).toEqual(wordHashes('dont stop now'));
    expect(wordHashes("don't")).toEqual(wordHashes('dont'));
    expect(wordHashes('stop now')).not.toEqual(wordHashes('now stop'));
  });

  test('composed and decomposed letters are the same, vowel signs are not nothing', () => {
    expect(wordHashes('caf\u00e9')).toEqual(wordHashes('cafe\u0301'));
    expect(wordHashes('की')).not.toEqual(wordHashes('का'));
  });

  test('capitals of any Latin spelling are the same as small letters, also beside other scripts', () => {
    expect(wordHashes('ŁÓDŹ, “Ærø” — ǅ')).toEqual(wordHashes('łódź ærø ǆ'));
    expect(wordHashes('ŁÓDŹ का')).toEqual(wordHashes('łódź का'));
    expect(wordHashes('İzmir')).toEqual(wordHashes('i\u0307zmir'));
    expect(wordHashes('l’été')).toEqual(wordHashes('lété'));
  });

  test('scripts without spaces have a word for each character', () => {
    expect(wordHashes('我今天头疼')).toHaveLength(5);
    expect(wordHashes('我 abc')).toEqual(wordHashes('我abc'));
    expect(wordHashes('हिन्दी भाषा')).toHaveLength(2);
  });

  test('a text without words has none', () => {
    expect(wordHashes(' —… 🍵 ')).toHaveLength(0);
  });
});

describe('shingles', () => {
  test('three words each, different ones once, in rising order', () => {
    expect(shingles('one two')).toHaveLength(0);
    expect(shingles('one two three four')).toHaveLength(2);
    expect(shingles('a b c a b c')).toHaveLength(3);
    const found = [...shingles('the quick brown fox jumps over the lazy dog')];
    expect(found).toEqual(found.toSorted((a, b) => a - b));
  });

  test('similarity is common by all: one word of twelve changed leaves 7 of 13', () => {
    const words = 'a b c d e f g h i j k l'.split(' ');
    const other = words.with(5, 'x');
    expect(shingleSimilarity(shingles(words.join(' ')), shingles(other.join(' ')))).toBe(7 / 13);
    expect(shingleSimilarity(shingles('a b c'), shingles('d e f'))).toBe(0);
    expect(shingleSimilarity(shingles('a b c d'), shingles('a b c d'))).toBe(1);
    expect(shingleSimilarity(shingles('a b'), shingles('a b'))).toBe(0);
  });

  test('long texts are sampled, and the estimate is near', () => {
    const words = Array.from({ length: 2000 }, (_, at) => `w${at}`);
    const half = [...words.slice(0, 1000), ...Array.from({ length: 1000 }, (_, at) => `v${at}`)];
    const [a, b] = [shingles(words.join(' ')), shingles(half.join(' '))];
    expect(a).toHaveLength(MOST_SHINGLES);
    // 998 of 2998 are common.
    expect(Math.abs(shingleSimilarity(a, b) - 998 / 2998)).toBeLessThan(0.1);
  });
});

test('equal sequences have equal keys, others others', () => {
  expect(sequenceKey(wordHashes('One two'))).toBe(sequenceKey(wordHashes('one, two')));
  expect(sequenceKey(wordHashes('two one'))).not.toBe(sequenceKey(wordHashes('one two')));
  expect(Number.isSafeInteger(sequenceKey(wordHashes('one two three')))).toBe(true);
});

describe('what is quick is what is plain', () => {
  const spelling = fc.constantFrom(
    ..."aZ09 .,-'’éÉłŁıİſßøµªº²ʰ\u00ad\u200d\u2028–“ e\u0301ΣσÅ\u212bжкा中ไ🍵\ud800".split(''),
  );
  const text = fc.array(spelling, { maxLength: 60 }).map((all) => all.join(''));

  test('words are those of the composed text in small letters', () => {
    fc.assert(
      fc.property(text, (given) => {
        // Behind a letter of another script every text takes the long way.
        const words = [...wordHashes(given)];
        expect([...wordHashes(`${given} ж`)]).toEqual([...words, ...wordHashes('ж')]);
      }),
    );
    for (let unit = 0; unit < 0x10000; unit += 1) {
      const own = `b${String.fromCharCode(unit)}C`;
      expect([...wordHashes(own)].join(), `unit ${unit}`).toBe([...wordHashes(`${own} ж`)].slice(0, -1).join());
    }
  });

  test('shingles are the smallest of all different ones', () => {
    const words = fc.tuple(fc.nat(3000), fc.integer({ min: 1, max: 4000 }), fc.nat());
    fc.assert(
      fc.property(words, ([length, different, seed]) => {
        const own = Uint32Array.from({ length }, (_, at) => spread(spread(seed + at) % different));
        const all = own.keys().flatMap((at) => (at + 3 > length ? [] : shinglesOf(own.slice(at, at + 3))));
        const expected = [...new Set(all)].sort((a, b) => a - b).slice(0, MOST_SHINGLES);
        expect([...shinglesOf(own)]).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});
