import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Item } from '../../src/data/item.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { scoreCases } from '../../src/score/score.ts';
import { graphSides, journalSides, made, runs, type Sides, spanSides } from './arbitrary-cases.ts';
import { type Score, scorer } from './score-sync.ts';

function shuffled<T>(list: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...list], { minLength: list.length });
}

/** A verdict without what only says where in its file an item stood. */
function plain(verdict: Verdict): string {
  const content = (item: Item | null): unknown =>
    item === null ? null : { ...item, index: 0, line: 0, parts: item.parts?.length };
  const { gold, predicted, rejected, ...rest } = verdict;
  return JSON.stringify([content(gold), content(predicted), rejected?.similarity, rest]);
}

function expectSameInAnyOrder(score: Score, sides: fc.Arbitrary<Sides>): void {
  const given = sides.chain((one) =>
    fc.record({ one: fc.constant(one), gold: shuffled(one.gold), predicted: shuffled(one.predicted) }),
  );
  fc.assert(
    fc.property(given, ({ one, gold, predicted }) => {
      const before = score(made(one));
      const after = score(made({ ...one, gold, predicted }));
      expect(after.measures).toEqual(before.measures);
      expect(after.verdicts.map(plain).sort()).toEqual(before.verdicts.map(plain).sort());
    }),
    runs,
  );
}

describe('the order of items within a case changes nothing', () => {
  test.each([
    'pii/strict',
    'pii/exact',
    'pii/type',
    'pii/partial',
    'pii/iou',
    'pii/token',
    'pii/character',
    'pii/semeval',
    'pii/every-scheme',
    'pii/piranha',
  ])('%s', async (preset) => {
    expectSameInAnyOrder(await scorer(preset), spanSides);
  });

  test('graph/openspec', async () => {
    expectSameInAnyOrder(await scorer('graph/openspec'), graphSides);
  });

  test('journal/ashwam with ties by content', async () => {
    expectSameInAnyOrder(await scorer('journal/ashwam', 'pair.ties=content'), journalSides);
  });

  test.each(['optimal', 'in-order'])('pii/iou with assign: %s', async (assign) => {
    expectSameInAnyOrder(await scorer('pii/iou', `pair.assign=${assign}`), spanSides);
  });
});

describe('the order of cases changes neither measures nor intervals nor signature', () => {
  test.each([
    ['pii/semeval', 'schemes.partial.partial=0.3', spanSides],
    ['pii/piranha', 'slice=[label]', spanSides],
    ['journal/ashwam', 'pair.ties=given', journalSides],
    ['graph/openspec', 'pair.ties=content', graphSides],
  ] as const)('%s with %s', async (preset, set, sides) => {
    // Few resamples: enough to see that intervals, too, do not depend on the order.
    const plan = await planRecipe(preset, [set, 'interval.resamples=40']);
    const cases = fc.array(sides, { minLength: 1, maxLength: 5 }).chain((all) => {
      const numbered = all.map((one, at) => made(one, `c${at}`));
      return fc.tuple(fc.constant(numbered), shuffled(numbered));
    });
    await fc.assert(
      fc.asyncProperty(cases, async ([before, after]) => {
        const there = await scoreCases(plan, before);
        expect(await scoreCases(plan, after)).toEqual(there);
      }),
      { ...runs, numRuns: 250 },
    );
  });
});

test('ties as given show the order of the input: that is why content is the default', async () => {
  const score = await scorer('journal/ashwam');
  let differs = 0;
  fc.assert(
    fc.property(journalSides, (one) => {
      const turned = { ...one, predicted: one.predicted.toReversed() };
      if (score(made(one)).value('time_accuracy') !== score(made(turned)).value('time_accuracy')) differs += 1;
    }),
    runs,
  );
  expect(differs).toBeGreaterThan(0);
});
