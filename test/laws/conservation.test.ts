import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Item, Side } from '../../src/data/item.ts';
import type { Verdict } from '../../src/judge/verdict.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { makeCaseScorer, type SchemeVerdicts } from '../../src/score/score-case.ts';
import { graphSides, journalSides, made, runs, type Sides, spanSides } from './arbitrary-cases.ts';

/** How often each item of a side is named by verdicts, itself or as a part of what it was merged into. */
function named(verdicts: readonly Verdict[], side: Side): Map<string, number> {
  const seen = new Map<string, number>();
  for (const verdict of verdicts) {
    const item = verdict[side];
    if (item === null) continue;
    for (const index of item.parts ?? [item.index]) {
      const key = `${item.kind} ${index}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
  }
  return seen;
}

/** Each item of a case in exactly `times` verdicts. */
function all(items: readonly Item[], times = 1): Map<string, number> {
  return new Map(items.map(({ kind, index }) => [`${kind} ${index}`, times]));
}

function asObject(counts: Map<string, number>): Record<string, number> {
  return Object.fromEntries(counts);
}

async function expectConserved(
  sides: fc.Arbitrary<Sides>,
  recipe: string,
  set: readonly string[],
  check: (scored: readonly SchemeVerdicts[], given: ReturnType<typeof made>) => void,
): Promise<void> {
  const score = makeCaseScorer(await planRecipe(recipe, set));
  fc.assert(
    fc.property(sides, (one) => {
      const given = made(one);
      check(score(given), given);
    }),
    runs,
  );
}

describe('every item is in exactly one verdict of every scheme that pairs items', () => {
  test.each([
    ['pii/strict', [], spanSides],
    ['pii/strict', ['prepare.dedupe.side=both', 'prepare.trim.side=both'], spanSides],
    ['pii/strict', ['prepare.drop={labels: [LOC], side: both}'], spanSides],
    ['pii/semeval', [], spanSides],
    ['pii/iou', ['pair.assign=optimal'], spanSides],
    ['pii/piranha', [], spanSides],
    ['pii/piranha', ['prepare.merge.gap=5'], spanSides],
    ['pii/piranha', ['judge.order=excuse-overlap,excuse-missed,loc-in-org'], spanSides],
    ['journal/ashwam', [], journalSides],
    ['journal/ashwam', ['prepare.ground.ungrounded=drop'], journalSides],
    ['graph/openspec', [], graphSides],
    ['graph/as-coded', [], graphSides],
    ['graph/openspec', ['prepare.min-confidence.missing=drop'], graphSides],
  ] as const)('%s %j', async (recipe, set, sides) => {
    await expectConserved(sides, recipe, set, (scored, given) => {
      for (const { verdicts } of scored) {
        expect(asObject(named(verdicts, 'gold'))).toEqual(asObject(all(given.gold)));
        expect(asObject(named(verdicts, 'predicted'))).toEqual(asObject(all(given.predicted)));
      }
    });
  });

  test('pii/piranha-as-coded: gold once; a prediction at least once, for it may hit several', async () => {
    await expectConserved(spanSides, 'pii/piranha-as-coded', [], (scored, given) => {
      for (const { verdicts } of scored) {
        expect(asObject(named(verdicts, 'gold'))).toEqual(asObject(all(given.gold)));
        expect([...named(verdicts, 'predicted').keys()].sort()).toEqual([...all(given.predicted).keys()].sort());
      }
    });
  });
});

describe('gold of several annotators', () => {
  const annotated = spanSides.chain((sides) =>
    fc
      .array(fc.constantFrom('a1', 'a2', 'a10', null), { minLength: sides.gold.length, maxLength: sides.gold.length })
      .map((names) => ({ ...sides, gold: sides.gold.map((item, at) => ({ ...item, annotator: names[at] ?? null })) })),
  );

  test.each(['first', 'first-lexicographic', 'union', 'majority', '{use: a2, absent: empty}'])(
    '%s: judged, or counted as not part of the question',
    async (use) => {
      await expectConserved(annotated, 'pii/strict', [`prepare.annotator=${use}`], (scored, given) => {
        expect(scored).toHaveLength(1);
        const { case: prepared, verdicts } = scored[0]!;
        const judged = named(verdicts, 'gold');
        expect([...judged.values()].every((times) => times === 1)).toBe(true);
        const notCounted = (prepared.notCounted ?? []).reduce((sum, { count }) => sum + count, 0);
        expect(judged.size + notCounted).toBe(given.gold.length);
        expect(asObject(named(verdicts, 'predicted'))).toEqual(asObject(all(given.predicted)));
      });
    },
  );

  test('each: gold once by its own annotator, predictions once for every annotator', async () => {
    await expectConserved(annotated, 'pii/strict', ['prepare.annotator=each'], (scored, given) => {
      const names = new Set(given.gold.flatMap(({ annotator }) => (annotator === null ? [] : [annotator])));
      const times = Math.max(1, names.size);
      expect(scored).toHaveLength(times);
      const verdicts = scored.flatMap((one) => one.verdicts);
      const expected = new Map(
        given.gold.map(({ kind, index, annotator }) => [`${kind} ${index}`, annotator === null ? times : 1]),
      );
      expect(asObject(named(verdicts, 'gold'))).toEqual(asObject(expected));
      expect(asObject(named(verdicts, 'predicted'))).toEqual(asObject(all(given.predicted, times)));
    });
  });
});

describe('tokens and characters', () => {
  test('weigh as much as the places the spans cover, label by label', async () => {
    await expectConserved(spanSides, 'pii/character', [], (scored, given) => {
      const covered = (items: readonly Item[]): number =>
        new Set(
          items.flatMap(({ label, start, end }) =>
            Array.from({ length: end - start }, (_, at) => `${label} ${start + at}`),
          ),
        ).size;
      const lowHalves = (items: readonly Item[]): number =>
        new Set(
          items.flatMap(({ label, start, end }) =>
            Array.from({ length: end - start }, (_, at) => start + at)
              .filter((at) => /[\udc00-\udfff]/.test(given.text?.charAt(at) ?? ''))
              .map((at) => `${label} ${at}`),
          ),
        ).size;
      const weight = (side: Side): number =>
        (scored[0]?.verdicts ?? []).reduce((sum, one) => sum + (one[side] === null ? 0 : one.weight), 0);
      expect(weight('gold')).toBe(covered(given.gold) - lowHalves(given.gold));
      expect(weight('predicted')).toBe(covered(given.predicted) - lowHalves(given.predicted));
    });
  });
});
