import fc from 'fast-check';
import { expect, test } from 'vitest';

import { sameResult } from '../../../src/compare/waterfall/same-result.ts';
import { fatesOf } from '../../../src/compare/waterfall/step-moves.ts';
import { makeCase } from '../../../src/data/case.ts';
import { type Item, makeItem } from '../../../src/data/item.ts';
import type { Plan } from '../../../src/recipe/plan.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { makeCaseScorer } from '../../../src/score/score-case.ts';

/** So few places that many spans are the same. */
const spans = fc.array(
  fc.record({
    start: fc.constantFrom(-1, 0, 0, 1, 2),
    length: fc.integer({ min: 1, max: 2 }),
    label: fc.constantFrom('A', 'B'),
    text: fc.constantFrom('x', 'y'),
  }),
  { maxLength: 7 },
);
const itemsOf = (given: readonly { start: number; length: number; label: string; text: string }[]): Item[] =>
  given.map(({ start, length, ...rest }, index) =>
    makeItem({ kind: 'span', index, ...rest, start, end: start < 0 ? -1 : start + length }),
  );

const whole = await planRecipe('pii/strict');
const [settings] = whole.schemes[0]!.pair.values();
const variants = (['greedy', 'in-order', 'every', 'optimal'] as const).flatMap((assign) =>
  (['given', 'content'] as const).map((ties): Plan => {
    return { ...whole, schemes: [{ name: null, pair: new Map([['span', { ...settings!, assign, ties }]]) }] };
  }),
);

test('where a variant is held to come to the same, scoring says so, item by item', () => {
  const score = makeCaseScorer(whole);
  const others = variants.map((variant) => ({ isSame: sameResult(variant, whole), score: makeCaseScorer(variant) }));
  let same = 0;
  fc.assert(
    fc.property(spans, spans, (gold, predicted) => {
      const given = makeCase({ id: 'a', text: 'abcdefgh', gold: itemsOf(gold), predicted: itemsOf(predicted) });
      const own = score(given)[0]!;
      for (const other of others) {
        if (!other.isSame(own)) continue;
        same += 1;
        const outcomes = [own, other.score(given)[0]!].map(({ verdicts }) =>
          [...fatesOf(verdicts)]
            .map(([item, { verdict, label, credit }]) => [item, verdict, label, credit].join(' '))
            .sort(),
        );
        expect(outcomes[1]).toEqual(outcomes[0]);
      }
    }),
    { numRuns: 2000 },
  );
  expect(same).toBeGreaterThan(1000);
});

test('other rules, another threshold of likeness or a tolerance may change anything', async () => {
  const looser = [['judge.incorrect=on'], ['pair.tolerance=1'], ['pair.similarity=iou'], ['data.offsets=utf16']];
  for (const lines of looser) {
    const variant = await planRecipe('pii/strict', lines);
    const one = { case: makeCase({ id: 'a', text: 'a' }), verdicts: [] };
    expect(sameResult(variant, whole)(one), lines.join()).toBe(false);
  }
});
