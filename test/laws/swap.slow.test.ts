import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { graphSides, journalSides, made, runs, type Sides, spanSides, swapped } from './arbitrary-cases.ts';
import { type Score, scorer } from './score-sync.ts';

/*
 * Must hold where pairing treats both sides alike and the number of pairs does not hang on how a tie is broken:
 * - strict, exact, token and character, because what matches one item matches its equals just as well;
 * - anything with `assign: optimal`, because the best total, and then the most pairs, is the same from both sides.
 * Best-first assignment breaks ties by gold before predicted and may then find one pair more or less from the other
 * side; recipes that excuse, map or merge one side only (piranha) do not treat the sides alike at all.
 */
function expectSwap(score: Score, sides: fc.Arbitrary<Sides>, names: readonly (readonly [string, string])[]): void {
  fc.assert(
    fc.property(sides, (given) => {
      const there = score(made(given));
      const back = score(made(swapped(given)));
      for (const [precision, recall] of names) {
        expect(back.value(precision)).toBe(there.value(recall));
        expect(back.value(recall)).toBe(there.value(precision));
      }
    }),
    runs,
  );
}

describe('swapping gold and predicted swaps precision and recall', () => {
  const plain = [['precision', 'recall']] as const;

  test.each(['pii/strict', 'pii/exact', 'pii/token', 'pii/character'])('%s', async (preset) => {
    expectSwap(await scorer(preset), spanSides, plain);
  });

  test.each(['pii/type', 'pii/iou'])('%s with the best assignment', async (preset) => {
    expectSwap(await scorer(preset, 'pair.assign=optimal'), spanSides, plain);
  });

  test('journal with the best assignment', async () => {
    expectSwap(await scorer('journal/ashwam', 'pair.assign=optimal'), journalSides, plain);
  });

  test('graph with the best assignment', async () => {
    expectSwap(await scorer('graph/openspec', 'pair.assign=optimal'), graphSides, [
      ['entity_precision', 'entity_recall'],
      ['relationship_precision', 'relationship_recall'],
    ]);
  });

  test('F1 stays as it is', async () => {
    const score = await scorer('pii/strict');
    fc.assert(
      fc.property(spanSides, (given) => {
        expect(score(made(swapped(given))).value('f1')).toBe(score(made(given)).value('f1'));
      }),
      runs,
    );
  });
});
