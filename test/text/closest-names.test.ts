import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levenshtein } from '../../src/text/levenshtein.ts';
import { damerau, closestNames } from '../../src/text/closest-names.ts';
import { anyText, runs } from './arbitraries.ts';

const measures = ['precision', 'recall', 'f1', 'macro_f1', 'polarity_accuracy', 'time_accuracy'];

describe('closestNames', () => {
  it.each([
    ['percision', ['precision']],
    ['recal', ['recall']],
    ['recall_score', ['recall']],
    ['PRECISION', ['precision']],
    ['macro-f1', ['macro_f1']],
    ['f2', ['f1']],
    ['call', ['recall']],
    ['f1_score', ['f1']],
    ['pol', ['polarity_accuracy']],
    ['accuracy', []],
    ['xyz', []],
    ['', []],
    ['p', []],
  ])('for %j suggests %j', (word, expected) => {
    expect(closestNames(word, measures)).toEqual(expected);
  });

  it('puts the same word first, then beginnings, then a few edits', () => {
    const names = ['libel', 'lapel', 'labelling', 'Label', 'label'];
    expect(closestNames('label', names, 9)).toEqual(['label', 'Label', 'labelling', 'lapel', 'libel']);
  });

  it('puts the shorter completion first', () => {
    expect(closestNames('ent', ['entities', 'entity_f1', 'entry'])).toEqual(['entry', 'entities', 'entity_f1']);
  });

  it('gives at most as many as wanted', () => {
    const names = ['aa1', 'aa2', 'aa3', 'aa4'];
    expect(closestNames('aa', names)).toEqual(['aa1', 'aa2', 'aa3']);
    expect(closestNames('aa', names, 1)).toEqual(['aa1']);
    expect(closestNames('aa', names, 0)).toEqual([]);
  });

  it('names nothing twice', () => {
    expect(closestNames('recal', ['recall', 'recall'])).toEqual(['recall']);
  });

  it('does not take one letter for another', () => {
    expect(closestNames('a', ['b', 'c', 'f1'])).toEqual([]);
  });

  it('understands other scripts', () => {
    expect(closestNames('लक्षन', ['लक्षण', 'भोजन'])).toEqual(['लक्षण']);
  });

  it('finds a name that is there, before all others', () => {
    fc.assert(
      fc.property(fc.array(anyText), anyText, (names, word) => {
        fc.pre(word !== '');
        expect(closestNames(word, [...names, word])[0]).toBe(word);
      }),
      runs,
    );
  });

  it('does not depend on the order of the names', () => {
    fc.assert(
      fc.property(fc.array(anyText), anyText, (names, word) => {
        expect(closestNames(word, names.toReversed())).toEqual(closestNames(word, names));
      }),
      runs,
    );
  });
});

describe('damerau', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['same', 'same', 0],
    ['recall', 'reacll', 1],
    ['precision', 'percision', 1],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3], // no edit within a swap
    ['a😀', '😀a', 1],
    ['किताब', 'कितबा', 1],
  ])('%j and %j are %i apart', (a, b, expected) => {
    expect(damerau(a, b)).toBe(expected);
    expect(damerau(b, a)).toBe(expected);
  });

  it('is at most the Levenshtein distance and at least half of it', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const plain = levenshtein(a, b);
        expect(damerau(a, b)).toBeLessThanOrEqual(plain);
        expect(2 * damerau(a, b)).toBeGreaterThanOrEqual(plain);
      }),
      runs,
    );
  });
});
