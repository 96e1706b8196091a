import { describe, expect, test } from 'vitest';

import type { Item } from '../../src/data/item.ts';
import { pair } from '../../src/pair/pair.ts';
import { scorer } from '../laws/score-sync.ts';
import { caseOf, span } from '../pair/items.ts';
import { processorTime } from '../processor-time.ts';

/*
 *   gold       22..25  25..29          IoU   22..25 with 24..28: 1/6
 *   predicted     24..28  28..31             25..29 with 24..28: 3/5
 *                                            25..29 with 28..31: 1/6
 *
 * The best pair alone blocks the two others. Every pair is worth the same here, so two are better than one.
 */
const CHAIN = caseOf({
  text: 'x'.repeat(40),
  gold: [span(22, 25), span(25, 29)],
  predicted: [span(24, 28), span(28, 31)],
});

describe('a chain of overlaps loses no match', () => {
  test.each([
    ['pii/type', [], undefined, 1],
    ['pii/partial', [], undefined, 0.5],
    ['pii/semeval', [], 'type', 1],
    ['pii/semeval', [], 'partial', 0.5],
    ['pii/every-scheme', [], 'type', 1],
    ['pii/every-scheme', [], 'partial', 0.5],
    // Below a sixth every overlap is accepted, as in type.
    ['pii/iou', ['pair.threshold=0.1'], undefined, 1],
  ] as const)('%s %j %s: F1 %d', async (preset, set, scheme, f1) => {
    const score = await scorer(preset, ...set);
    expect(score(CHAIN).value('f1', scheme)).toBe(f1);
  });

  test('nor does the rule incorrect: two errors of boundary, nothing missed or spurious beside them', async () => {
    const score = await scorer('pii/semeval');
    expect(score(CHAIN).value('incorrect')).toBe(2);
  });

  test('the same boundaries come before two overlaps, which are worth as much together', async () => {
    const score = await scorer('pii/partial');
    // 10..20 is found as it is; each of the others overlaps it and nothing else.
    const given = { gold: [span(10, 20), span(18, 24)], predicted: [span(10, 20), span(6, 12)] };
    const hits = score(caseOf(given)).verdicts.filter(({ verdict }) => verdict === 'hit');
    expect(hits.map(({ gold, predicted }) => [gold?.start, predicted?.start])).toEqual([[10, 10]]);
  });
});

describe('10,000 small cases agree with trying every assignment', () => {
  const cases = smallCases(10_000, 15);

  test.each([
    ['type', ['label'], 1],
    ['partial', [], 0.5],
  ])('%s', (_, gate, partial) => {
    const differing = cases.filter(({ gold, predicted }) => {
      const { pairs } = pair(gold, predicted, { similarity: 'iou', threshold: 0, assign: 'optimal', gate, partial });
      const credit = pairs.reduce((sum, one) => sum + one.credit, 0);
      const similarity = pairs.reduce((sum, one) => sum + one.similarity, 0);
      const best = tryEverything(gold, predicted, gate.includes('label'), partial);
      return Math.abs(credit - best.credit) > 1e-9 || Math.abs(similarity - best.similarity) > 1e-9;
    });
    expect(differing).toEqual([]);
  });
});

describe('long texts', () => {
  const LENGTH = 20_000;
  test.each([
    ['shifted by less than half', 10, 10, 4],
    ['shifted by more than half', 10, 10, 6],
    ['one prediction for two', 10, 20, 5],
    ['of unequal lengths', 10, 13, 3],
  ])('one chain of 20,000 spans, %s', async (_, goldLength, predictedLength, shift) => {
    const tiles = (length: number, from: number): Item[] =>
      Array.from({ length: Math.floor((LENGTH * 10) / length) }, (__, at) =>
        span(from + at * length, from + (at + 1) * length),
      );
    // The first prediction comes after a gold span that nothing else touches, so that the last one pushes the whole row.
    const given = caseOf({ gold: tiles(goldLength, 0), predicted: tiles(predictedLength, shift) });
    const score = await scorer('pii/type');
    const start = processorTime();
    const hits = score(given).verdicts.filter(({ verdict }) => verdict === 'hit').length;
    expect(processorTime() - start).toBeLessThan(10_000);
    expect(hits).toBe(Math.min(given.gold.length, given.predicted.length));
  });
});

/** Up to 4 spans a side in 15 characters, with two labels: nested, equal, in chains and apart. */
function smallCases(count: number, seed: number): { readonly gold: Item[]; readonly predicted: Item[] }[] {
  let state = seed;
  const below = (limit: number): number => {
    // Numerical Recipes' generator; its high bits are good enough for test cases.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const side = (): Item[] =>
    Array.from({ length: 1 + below(4) }, () => {
      const start = below(11);
      return span(start, start + 1 + below(5), below(4) === 0 ? 'LOC' : 'PER');
    });
  return Array.from({ length: count }, () => ({ gold: side(), predicted: side() }));
}

interface Total {
  readonly credit: number;
  readonly similarity: number;
}

/** The highest credit over all one-to-one choices, and of those the highest similarity. */
function tryEverything(gold: readonly Item[], predicted: readonly Item[], sameLabel: boolean, partial: number): Total {
  const best = (at: number, taken: number, total: Total): Total => {
    const own = gold[at];
    if (own === undefined) return total;
    let most = best(at + 1, taken, total);
    predicted.forEach((other, place) => {
      const common = Math.min(own.end, other.end) - Math.max(own.start, other.start);
      if (common <= 0 || (taken & (1 << place)) !== 0 || (sameLabel && own.label !== other.label)) return;
      const similarity = common / (own.end - own.start + other.end - other.start - common);
      const next = best(at + 1, taken | (1 << place), {
        credit: total.credit + (similarity === 1 ? 1 : partial),
        similarity: total.similarity + similarity,
      });
      const more = next.credit - most.credit;
      if (more > 1e-9 || (more > -1e-9 && next.similarity > most.similarity)) most = next;
    });
    return most;
  };
  return best(0, 0, { credit: 0, similarity: 0 });
}
