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
