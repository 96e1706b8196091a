import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNatural, compareText, firstFrom } from '../../src/text/compare.ts';
import { anyText, runs } from './arbitraries.ts';

const digitsAndLetters = fc
  .array(fc.constantFrom('0', '1', '2', '9', '10', 'a', 'B', ' ', '-', '~'), { maxLength: 6 })
  .map((parts) => parts.join(''));
const anyName = fc.oneof(digitsAndLetters, anyText);

describe('compareText', () => {
  it('orders by code units, whatever the locale', () => {
    expect(['ä', 'z', 'a', 'Z', 'é', '10', '2'].sort(compareText)).toEqual(['10', '2', 'Z', 'a', 'z', 'ä', 'é']);
  });

  it('puts a pair of surrogates before U+FFFF, for it compares units', () => {
    expect(compareText('😀', '\uffff')).toBe(-1);
    expect(compareText('a', 'a')).toBe(0);
    expect(compareText('a', '')).toBe(1);
  });
});

describe('compareNatural', () => {
  it('orders numbers in names as numbers', () => {
    const names = ['annotator10', 'annotator2', 'annotator1', 'annotator', 'annotator02b', 'annotator2a'];
    expect(names.sort(compareNatural)).toEqual([
      'annotator',
      'annotator1',
      'annotator2',
      'annotator2a',
      'annotator02b',
      'annotator10',
    ]);
  });

  it('lets leading zeros decide last', () => {
    expect(['a1', 'a001', 'a01'].sort(compareNatural)).toEqual(['a001', 'a01', 'a1']);
    expect(compareNatural('a01b2', 'a1b1')).toBe(1);
    expect(['0', '00', '1', ''].sort(compareNatural)).toEqual(['', '0', '00', '1']);
  });

  it('compares numbers beyond the precision of a float', () => {
    expect(compareNatural('x90071992547409931', 'x90071992547409930')).toBe(1);
    expect(compareNatural(`v${'9'.repeat(400)}`, `v1${'0'.repeat(400)}`)).toBe(-1);
  });

  it('compares several runs of digits', () => {
    expect(['1.10.0', '1.9.12', '1.9.2'].sort(compareNatural)).toEqual(['1.9.2', '1.9.12', '1.10.0']);
  });

  it('compares a digit with anything else by unit: after a space or hyphen, before a letter', () => {
    expect(['aB', 'a1', 'a-', 'a 1', 'a'].sort(compareNatural)).toEqual(['a', 'a 1', 'a-', 'a1', 'aB']);
  });

  it('takes digits of other scripts for letters', () => {
    expect(compareNatural('२', '१०')).toBe(1);
  });

  it('is 0 for equal texts only, and turns round when they are swapped', () => {
    fc.assert(
      fc.property(anyName, anyName, (a, b) => {
        expect(compareNatural(a, b) === 0).toBe(a === b);
        expect(compareNatural(a, b) + compareNatural(b, a)).toBe(0);
      }),
      runs,
    );
  });

  it('is transitive', () => {
    fc.assert(
      fc.property(digitsAndLetters, digitsAndLetters, digitsAndLetters, (a, b, c) => {
        fc.pre(compareNatural(a, b) <= 0 && compareNatural(b, c) <= 0);
        expect(compareNatural(a, c)).toBeLessThanOrEqual(0);
      }),
      runs,
    );
  });

  it('agrees with numbers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 0n, max: 10n ** 30n }), (a, b) => {
        expect(compareNatural(`n${a}`, `n${b}`)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
      runs,
    );
  });
});

describe('firstFrom', () => {
  it('finds where something begins to hold, at either end and between', () => {
    expect(firstFrom(10, (at) => at * at >= 17)).toBe(5);
    expect(firstFrom(10, () => true)).toBe(0);
    expect(firstFrom(10, () => false)).toBe(10);
    expect(firstFrom(0, () => true)).toBe(0);
  });

  it('asks about as many places as halving takes', () => {
    let asked = 0;
    const first = firstFrom(1_000_000, (at) => {
      asked += 1;
      return at >= 123_456;
    });
    expect(first).toBe(123_456);
    expect(asked).toBeLessThanOrEqual(20);
  });
});
