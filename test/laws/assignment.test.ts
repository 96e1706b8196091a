import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type PairOptions, pair } from '../../src/pair/pair.ts';
import { graphSides, journalSides, made, runs, type Sides, spanSides } from './arbitrary-cases.ts';
import { type Score, scorer } from './score-sync.ts';

describe('a higher threshold never finds more', () => {
  test('pii/iou', async () => {
    const scores: Score[] = [];
    for (let step = 0; step <= 10; step += 1) scores.push(await scorer('pii/iou', `pair.threshold=${step / 10}`));
    fc.assert(
      fc.property(spanSides, (given) => {
        const hits = scores.map((score) => score(made(given)).verdicts.filter((one) => one.verdict === 'hit').length);
        expect(hits).toEqual(hits.toSorted((a, b) => b - a));
      }),
      runs,
    );
  });
});

describe('the best assignment is at least as good as best first', () => {
  // The number of pairs goes first: one more outweighs what all of them can be like.
  const total = (given: Sides, options: PairOptions): number =>
    pair(given.gold, given.predicted, options).pairs.reduce((sum, { similarity }) => sum + 100 + similarity, 0);

  test.each([
    ['iou', spanSides, { similarity: 'iou', threshold: 0 }],
    ['jaccard', journalSides, { similarity: 'jaccard', gate: ['label'], threshold: 0.3 }],
    ['levenshtein', graphSides, { similarity: 'levenshtein', threshold: 0.2 }],
  ] as const)('%s', (_, sides, options) => {
    let better = 0;
    fc.assert(
      fc.property(sides, (given) => {
        const greedy = total(given, { ...options, assign: 'greedy' });
        const optimal = total(given, { ...options, assign: 'optimal' });
        // Sums of a few fractions in another order may differ in the last digits.
        expect(optimal).toBeGreaterThanOrEqual(greedy - 1e-9);
        if (optimal > greedy + 1e-6) better += 1;
      }),
      runs,
    );
    expect(better).toBeGreaterThan(0);
  });
});
