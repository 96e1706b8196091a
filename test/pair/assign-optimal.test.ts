import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assign } from '../../src/pair/assign.ts';
import type { Edge } from '../../src/pair/pairing.ts';
import { runsHere } from '../many-runs.ts';

function edge(gold: number, predicted: number, similarity: number, preference = 0): Edge {
  return { gold, predicted, similarity, preference };
}

function pairs(edges: readonly Edge[]): string {
  return edges.map(({ gold, predicted }) => `${gold}-${predicted}`).join(' ');
}

describe('assignOptimal', () => {
  test('chooses nothing where there is nothing', () => {
    expect(assign('optimal', [])).toEqual([]);
  });

  test('gives up the best pair when two others together are better', () => {
    expect(pairs(assign('optimal', [edge(0, 0, 0.6), edge(0, 1, 0.5), edge(1, 0, 0.5)]))).toBe('0-1 1-0');
  });

  test('where every pair is worth the same, two pairs go before the best one', () => {
    // 1.0 alone against 0.4 + 0.5.
    expect(pairs(assign('optimal', [edge(0, 0, 1), edge(0, 1, 0.4), edge(1, 0, 0.5)]))).toBe('0-1 1-0');
  });

  test('where they are not, the credit goes first, and of equal credit the similarity', () => {
    const rivals = [edge(0, 0, 1), edge(0, 1, 0.4), edge(1, 0, 0.5)];
    // 1 against 0.6 + 0.6, 0.5 + 0.5 and 0.4 + 0.4; at 0.5 the similarity is 1.0 against 0.9.
    expect(pairs(assign('optimal', rivals, { partial: 0.6 }))).toBe('0-1 1-0');
    expect(pairs(assign('optimal', rivals, { partial: 0.5 }))).toBe('0-0');
    expect(pairs(assign('optimal', rivals, { partial: 0.4 }))).toBe('0-0');
  });

  test('a later gold sends an earlier one away when that is worth more', () => {
    expect(pairs(assign('optimal', [edge(0, 0, 0.6), edge(1, 0, 0.9)]))).toBe('1-0');
  });

  test('shifts a whole chain', () => {
    // g0..g2 each like p(i) best; g3 has only p0, so all move up by one: 4 pairs, 3.0 against 2.7.
    const edges = [
      edge(0, 0, 0.9),
      edge(0, 1, 0.7),
      edge(1, 1, 0.9),
      edge(1, 2, 0.7),
      edge(2, 2, 0.9),
      edge(2, 3, 0.7),
      edge(3, 0, 0.9),
    ];
    expect(pairs(assign('optimal', edges))).toBe('0-1 1-2 2-3 3-0');
  });

  test('a worked 3 x 3 table', () => {
    // By where g0, g1, g2 go: 012 1.8, 021 1.6, 102 1.7, 120 2.2, 201 1.3, 210 2.0.
    const table = [
      [0.7, 0.8, 0.3],
      [0.6, 0.8, 0.5],
      [0.9, 0.4, 0.3],
    ];
    const edges = table.flatMap((row, gold) => row.map((similarity, predicted) => edge(gold, predicted, similarity)));
    expect(pairs(assign('optimal', edges))).toBe('0-1 1-2 2-0');
  });

  test('at equal totals makes more pairs', () => {
    const half = { partial: 0.5 };
    expect(pairs(assign('optimal', [edge(0, 0, 1), edge(0, 1, 0.5), edge(1, 0, 0.5)], half))).toBe('0-1 1-0');
    // 1/3 + 2/3 is 1, though the sum of their roundings to powers of two need not be.
    expect(pairs(assign('optimal', [edge(0, 0, 1), edge(0, 1, 1 / 3), edge(1, 0, 2 / 3)], half))).toBe('0-1 1-0');
    const chain = [edge(0, 0, 0.5), edge(1, 1, 0.5), edge(0, 1, 1 / 5), edge(1, 2, 1 / 2), edge(2, 0, 3 / 10)];
    expect(pairs(assign('optimal', chain, { partial: 0 }))).toBe('0-1 1-2 2-0');
  });

  test('pairs with similarity 0 that are worth nothing when that costs nothing, and only then', () => {
    const partial = 0;
    expect(pairs(assign('optimal', [edge(0, 0, 0)], { partial }))).toBe('0-0');
    expect(pairs(assign('optimal', [edge(0, 0, 0.5), edge(1, 1, 0)], { partial }))).toBe('0-0 1-1');
    expect(pairs(assign('optimal', [edge(0, 0, 0.5), edge(0, 1, 0), edge(1, 0, 0)], { partial }))).toBe('0-0');
  });

  test('at equal totals and as many pairs prefers the lower total preference', () => {
    const edges = [edge(0, 0, 0.5, 1), edge(1, 1, 0.5, 1), edge(0, 1, 0.5, 0), edge(1, 0, 0.5, 1)];
    expect(pairs(assign('optimal', edges))).toBe('0-1 1-0');
  });

  test('similarity counts before preference, and the number of pairs too', () => {
    expect(pairs(assign('optimal', [edge(0, 0, 0.6, 3), edge(0, 1, 0.5, 0)]))).toBe('0-0');
    const edges = [edge(0, 0, 1, 0), edge(0, 1, 0.5, 9), edge(1, 0, 0.5, 9)];
    expect(pairs(assign('optimal', edges))).toBe('0-1 1-0');
  });

  test('what is still equal goes to the earlier gold and the earlier predicted', () => {
    const same = [0, 1, 2].flatMap((gold) => [0, 1].map((predicted) => edge(gold, predicted, 0.5)));
    expect(pairs(assign('optimal', same))).toBe('0-0 1-1');
  });

  test('of two edges between the same items takes the more similar, then the preferred', () => {
    expect(assign('optimal', [edge(0, 0, 0.5, 0), edge(0, 0, 0.7, 1)])).toEqual([edge(0, 0, 0.7, 1)]);
    expect(assign('optimal', [edge(0, 0, 0.7, 1), edge(0, 0, 0.7, 0)])).toEqual([edge(0, 0, 0.7, 0)]);
  });

  test('tells totals apart that differ by 2^-40', () => {
    const little = 2 ** -40;
    expect(pairs(assign('optimal', [edge(0, 0, 0.5), edge(0, 1, 0.5 + little)]))).toBe('0-1');
    const rivals = [edge(0, 0, 1 - little), edge(0, 1, 0.5), edge(1, 0, 0.5 - 3 * little)];
    expect(pairs(assign('optimal', rivals, { partial: 0 }))).toBe('0-0');
  });

  test('similarities above 1 are weighed like any other', () => {
    expect(pairs(assign('optimal', [edge(0, 0, 6e9), edge(0, 1, 5e9), edge(1, 0, 5e9)]))).toBe('0-1 1-0');
  });

  test.each([
    [Number.NaN, 0],
    [Infinity, 0],
    [-0.1, 0],
    [0.5, 0.5],
    [0.5, Number.NaN],
  ])('refuses similarity %s with preference %s, and says where', (similarity, preference) => {
    expect(() => assign('optimal', [edge(0, 0, 1), edge(3, 5, similarity, preference)])).toThrow(
      /gold 3 and predicted 5 has similarity .* and preference/,
    );
  });

  test('refuses preferences too far apart to be added up exactly', () => {
    expect(() => assign('optimal', [edge(0, 0, 1, 0), edge(0, 1, 1, 2 ** 50)])).toThrow(/too far apart/);
    expect(pairs(assign('optimal', [edge(0, 0, 1, 2 ** 50 + 1), edge(0, 1, 1, 2 ** 50)]))).toBe('0-1');
  });

  test('finds what trying everything finds, on up to 5 x 5 items', () => {
    const size = fc.integer({ min: 1, max: 5 });
    const similarity = fc.oneof(
      fc.nat({ max: 12 }).map((n) => n / 12),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    const edges = fc.tuple(size, size).chain(([golds, predicteds]) =>
      fc.array(
        fc.record({
          gold: fc.nat({ max: golds - 1 }),
          predicted: fc.nat({ max: predicteds - 1 }),
          similarity,
          preference: fc.nat({ max: 3 }),
        }),
        { maxLength: 25 },
      ),
    );
    fc.assert(
      fc.property(edges, (given) => {
        const [chosen, best] = [sumUp(assign('optimal', given), 1), tryEverything(given, 1)];
        expect(chosen.credit).toBe(best.credit);
        expect(chosen.similarity).toBeCloseTo(best.similarity, 9);
      }),
      { seed: 21, numRuns: runsHere(1000) },
    );
  });

  test.each([
    [1, 12],
    [0.5, 6],
    [0, 0],
  ])(
    'finds credit (%d), similarity, pairs and preference that trying everything finds, with many ties',
    (partial, worth) => {
      // Twelfths, held as whole numbers by the brute force: equal totals are equal there.
      const edges = fc.array(
        fc.record({
          gold: fc.nat({ max: 4 }),
          predicted: fc.nat({ max: 4 }),
          similarity: fc.constantFrom(0, 3, 4, 6, 8, 12),
          preference: fc.integer({ min: -1, max: 3 }),
        }),
        { maxLength: 20 },
      );
      fc.assert(
        fc.property(edges, (given) => {
          const edgesOf = given.map((one) => ({ ...one, similarity: one.similarity / 12, twelfths: one }));
          const chosen = assign('optimal', edgesOf, { partial });
          const twelfths = chosen.map((one) => one.twelfths);
          expect(sumUp(twelfths, worth, 12)).toEqual(tryEverything(given, worth, 12));
        }),
        { seed: 22, numRuns: runsHere(1000) },
      );
    },
  );
});

interface Total {
  readonly credit: number;
  readonly similarity: number;
  readonly pairs: number;
  readonly preference: number;
}

const NOTHING: Total = { credit: 0, similarity: 0, pairs: 0, preference: 0 };

/** An edge that is not whole is worth `partial`. */
function sumUp(edges: readonly Edge[], partial: number, whole = 1): Total {
  return edges.reduce((total, one) => plus(total, one, partial, whole), NOTHING);
}

function plus(total: Total, { similarity, preference }: Edge, partial: number, whole: number): Total {
  return {
    credit: total.credit + (similarity < whole ? partial : whole),
    similarity: total.similarity + similarity,
    pairs: total.pairs + 1,
    preference: total.preference + preference,
  };
}

function better(a: Total, b: Total): Total {
  const more = a.credit - b.credit || a.similarity - b.similarity || a.pairs - b.pairs || b.preference - a.preference;
  return more >= 0 ? a : b;
}

/** The best total over all one-to-one choices: each gold in turn stays alone or takes any predicted that is free. */
function tryEverything(edges: readonly Edge[], partial: number, whole = 1): Total {
  const golds = [...new Set(edges.map(({ gold }) => gold))];
  function best(index: number, taken: readonly number[], total: Total): Total {
    if (index === golds.length) return total;
    return edges
      .filter(({ gold, predicted }) => gold === golds[index] && !taken.includes(predicted))
      .map((one) => best(index + 1, [...taken, one.predicted], plus(total, one, partial, whole)))
      .reduce(better, best(index + 1, taken, total));
  }
  return best(0, [], NOTHING);
}
