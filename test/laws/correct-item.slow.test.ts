import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { graphSides, journalSides, made, runs, type Sides, spanSides } from './arbitrary-cases.ts';
import { type Score, scorer } from './score-sync.ts';

const choice = fc.nat({ max: 1000 });

/** Adds to the predictions what a missed gold item says, anywhere among them. */
function expectNoLoss(score: Score, sides: fc.Arbitrary<Sides>, recall: string, scheme?: string): void {
  let tried = 0;
  fc.assert(
    fc.property(sides, choice, choice, (given, which, where) => {
      const before = score(made(given));
      const missed = before.verdicts.filter((one) => one.verdict === 'missed' && one.scheme === (scheme ?? null));
      const gold = missed[which % Math.max(1, missed.length)]?.gold;
      if (gold === undefined || gold === null || gold.index < 0) return;
      tried += 1;
      const at = where % (given.predicted.length + 1);
      const predicted = given.predicted.toSpliced(at, 0, given.gold[gold.index]!);
      const after = score(made({ ...given, predicted }));
      expect(after.value(recall, scheme)).toBeGreaterThanOrEqual(before.value(recall, scheme) ?? 0);
    }),
    runs,
  );
  expect(tried).toBeGreaterThan(runs.numRuns / 4);
}

describe('adding a correct item never lowers recall', () => {
  test('journal', async () => {
    expectNoLoss(await scorer('journal/ashwam'), journalSides, 'recall');
  });

  test.each([undefined, 'exact', 'type', 'partial'])('pii/semeval: %s', async (scheme) => {
    expectNoLoss(await scorer('pii/semeval'), spanSides, 'recall', scheme);
  });

  test('pii/piranha, unless it is merged with what stands beside it', async () => {
    expectNoLoss(await scorer('pii/piranha', 'prepare.merge=off'), spanSides, 'recall');
  });

  test('graph entities', async () => {
    expectNoLoss(await scorer('graph/openspec', 'pair.relationship.threshold=1'), graphEntities, 'entity_recall');
  });
});

const graphEntities = graphSides.map((sides) => ({
  ...sides,
  gold: sides.gold.filter(({ kind }) => kind === 'entity'),
  predicted: sides.predicted.filter(({ kind }) => kind === 'entity'),
}));
