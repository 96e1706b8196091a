import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { ExactSum, type Foldable, FoldState, StateMismatch } from '../../src/data/fold-state.ts';

class Words implements Foldable {
  words: string[] = [];
  save = (): unknown => this.words;
  merge(saved: unknown): void {
    if (Array.isArray(saved)) this.words.push(...saved.map(String));
  }
}

function counting(texts: readonly string[]) {
  const state = new FoldState();
  const seen = state.keep({ n: 0, any: false, first: null as string | null, labels: new Set<string>() });
  const byLabel = state.keep(new Map<string, { n: number; words: Words }>(), () => ({ n: 0, words: new Words() }));
  for (const text of texts) {
    seen.n += 1;
    seen.any ||= text.length > 2;
    seen.first ??= text;
    seen.labels.add(text);
    const own = byLabel.get(text) ?? { n: 0, words: new Words() };
    own.n += 1;
    own.words.words.push(text);
    byLabel.set(text, own);
  }
  return state;
}

describe('FoldState', () => {
  test('states of parts, one after another, are the state of the whole', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'ccc', 'd'), { maxLength: 6 });
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const merged = counting(one);
        merged.merge(structuredClone(counting(other).save()));
        expect(merged.save()).toStrictEqual(counting([...one, ...other]).save());
      }),
    );
  });

  test('a state of something else is refused', () => {
    const state = new FoldState();
    state.keep({ n: 0 });
    expect(() => state.merge([{ n: 'one' }])).toThrow(StateMismatch);
    expect(() => state.merge([])).toThrow(StateMismatch);
    expect(() => state.merge([{ n: NaN }])).toThrow('expected a number, found NaN');
  });
});

describe('ExactSum', () => {
  const sumOf = (...numbers: readonly number[]): number => {
    const sum = new ExactSum();
    for (const number of numbers) sum.add(number);
    return sum.value;
  };

  test('is rounded once, as math.fsum of Python is', () => {
    expect(sumOf()).toBe(0);
    expect(sumOf(...Array.from({ length: 10 }, () => 0.1))).toBe(1);
    expect(sumOf(1e100, 1, -1e100)).toBe(1);
    // fsum([1, 2**-53, 2**-54]) is the next number after 1.
    expect(sumOf(1, 2 ** -53, 2 ** -54)).toBe(1 + 2 ** -52);
  });

  // The values are those of math.fsum in Python 3.
  test.each([
    [[1, 2 ** -53], 1],
    [[1, 3 * 2 ** -53], 1 + 2 ** -51],
    [[1, 2 ** -53, 2 ** -106], 1 + 2 ** -52],
    [[1, 2 ** -53, -(2 ** -106)], 1],
    [[1, 3 * 2 ** -53, -(2 ** -106)], 1 + 2 ** -52],
    [[-1, -(2 ** -53), -(2 ** -106)], -1 - 2 ** -52],
    [[-1, -(2 ** -53), 2 ** -106], -1],
    [[1, -(2 ** -54), -(2 ** -110)], 1 - 2 ** -53],
    [[1, -(2 ** -54), 2 ** -110], 1],
    [[1e16, 1, 1e-16], 1e16 + 2],
    [[1e16, -1, -1e-16], 1e16 - 2],
    [[1e16, 1, 1, 1e-16, -1], 1e16 + 2],
    [[2 ** 53, 1, 2 ** -1074], 2 ** 53 + 2],
    [[2 ** 53, 1, -(2 ** -1074)], 2 ** 53],
  ])('rounds a tie as what is left decides: %j', (numbers, expected) => {
    expect(sumOf(...numbers)).toBe(expected);
    expect(sumOf(...numbers.toReversed())).toBe(expected);
    expect(roundedExactly(numbers)).toBe(expected);
  });

  test('is the exact sum, rounded once to the closest number and in ties to the even one, however states are merged', () => {
    const powers = fc.tuple(
      fc.integer({ min: -7, max: 7 }),
      fc.constantFrom(0, -1, -52, -53, -54, -55, -106, -107, 53),
    );
    const close = powers.map(([times, power]) => times * 2 ** power);
    const numbers = fc.array(fc.oneof(close, fc.double({ min: -1e9, max: 1e9, noNaN: true })), { maxLength: 9 });
    const grouped = (all: readonly number[], cuts: readonly number[]): ExactSum => {
      const sum = new ExactSum();
      const [cut, ...others] = cuts;
      if (cut === undefined || all.length < 2) {
        for (const number of all) sum.add(number);
        return sum;
      }
      const at = cut % all.length;
      sum.merge(structuredClone(grouped(all.slice(0, at), others).save()));
      sum.merge(structuredClone(grouped(all.slice(at), others.toReversed()).save()));
      return sum;
    };
    fc.assert(
      fc.property(numbers, fc.array(fc.nat(8), { maxLength: 4 }), (all, cuts) => {
        expect(grouped(all, cuts).value).toBe(roundedExactly(all) + 0);
      }),
      { numRuns: 3000 },
    );
  });

  test('of a number so many times is that of adding it as often', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -10, max: 10, noNaN: true }),
        fc.nat(200),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (value, times, more) => {
          const sum = new ExactSum();
          sum.add(value, times);
          sum.add(more);
          expect(sum.value).toBe(sumOf(more, ...Array.from({ length: times }, () => value)));
        },
      ),
    );
    expect(sumOf(2 ** 53, 1, 1)).toBe(2 ** 53 + 2);
  });

  test('depends neither on the order nor on the parts', () => {
    const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(numbers, fc.nat(20), (all, cut) => {
        const [one, other] = [new ExactSum(), new ExactSum()];
        for (const number of all.slice(0, cut)) one.add(number);
        for (const number of all.slice(cut)) other.add(number);
        one.merge(structuredClone(other.save()));
        expect(one.value).toBe(sumOf(...all.toReversed()));
      }),
    );
  });
});

/** The exact sum of finite numbers in whole multiples of 2^-1074, rounded half to even: another way to the same number. */
function roundedExactly(numbers: readonly number[]): number {
  const total = numbers.reduce((sum, number) => sum + multiplesOf(number), 0n);
  const size = total < 0n ? -total : total;
  const dropped = Math.max(0, size.toString(2).length - 53);
  const unit = 1n << BigInt(dropped);
  const [whole, rest] = [size / unit, size % unit];
  const isUp = 2n * rest > unit || (2n * rest === unit && whole % 2n === 1n);
  // In two steps, since 2^-1074 times a number of 53 bits would be rounded again.
  const value = Number(whole + (isUp ? 1n : 0n)) * 2 ** (dropped - 537) * 2 ** -537;
  return total < 0n ? -value : value;
}

function multiplesOf(number: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  const bits = view.getBigUint64(0);
  const [exponent, fraction] = [(bits >> 52n) & 0x7ffn, bits & 0xfffffffffffffn];
  const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
  return bits >> 63n === 1n ? -size : size;
}
