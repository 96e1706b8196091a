import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';

import type { Case } from '../../../src/data/case.ts';
import type { Item } from '../../../src/data/item.ts';
import { type Plan, planRecipe } from '../../../src/recipe/plan.ts';
import { makeCaseScorer, type SchemeVerdicts } from '../../../src/score/score-case.ts';
import { makeVariantScorer } from '../../../src/compare/variants/score-variants.ts';
import { graphSides, journalSides, made, runs, type Sides, spanSides } from '../../laws/arbitrary-cases.ts';
import { caseOf, object, quoted } from '../../pair/items.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-variants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Everything but what came nearest, which variants do not say. */
function withoutRejected(scored: readonly SchemeVerdicts[]): unknown {
  return scored.map(({ case: own, scheme, verdicts }) => ({
    own,
    scheme,
    verdicts: verdicts.map(({ rejected: _, ...rest }) => rest),
  }));
}

const threshold = fc.oneof(
  fc.constantFrom(0, 0.2, 0.5, 0.75, 1),
  fc.constantFrom({ PERSON: 0.1, default: 0.6 }, { LOC: 0.9 }, { food: 0.3, knows: 0.2, default: 0.8 }),
);
const assign = fc.constantFrom('greedy', 'in-order', 'optimal', 'every');
const ties = fc.constantFrom('given', 'content');
const partial = fc.constantFrom(1, 0.5);
const normalise = fc.constantFrom([], ['lower'], ['lower', 'diacritics']);

const spanPrepare = fc.constantFrom(
  {},
  { trim: {} },
  { trim: {}, merge: { gap: 1 } },
  { merge: { gap: 3 }, dedupe: { side: 'both' } },
  { relabel: { map: { LOC: 'PERSON' } } },
  { drop: { labels: ['DATETIME'] } },
);
const spanJudge = fc.constantFrom(
  {},
  { 'excuse-missed': { labels: ['ORG'] } },
  {
    'loc-in-org': { predicted: ['LOC'], gold: ['ORG'] },
    'excuse-overlap': {},
    incorrect: {},
  },
);
const spanRecipe = fc.record({
  task: fc.constant('pii'),
  data: fc.record({ offsets: fc.constantFrom('utf16', 'codepoint') }),
  prepare: spanPrepare,
  pair: fc.record({
    gate: fc.constantFrom([], ['label']),
    similarity: fc.constantFrom('exact', 'iou', 'inside-gold', 'containment', 'levenshtein', 'jaccard'),
    tolerance: fc.constantFrom(0, 1, 3),
    threshold,
    assign,
    ties,
    partial,
    unit: fc.constantFrom('item', 'item', 'item', 'token', 'character', 'cover'),
  }),
  schemes: fc.constantFrom(
    {},
    { loose: { gate: [], threshold: 0.1 } },
    { token: { unit: 'token' }, wide: { similarity: 'iou', tolerance: 2, threshold: 0.3 } },
  ),
  judge: spanJudge,
});

const objectRecipe = fc.record({
  task: fc.constant('journal'),
  prepare: fc.constantFrom({}, { ground: {} }, { ground: { ungrounded: 'drop' }, dedupe: { side: 'predicted' } }),
  pair: fc.record({
    gate: fc.constantFrom([], ['label'], ['label', 'polarity']),
    accept: fc.constantFrom(
      { one: { similarity: 'exact' }, two: { similarity: 'jaccard' } },
      { one: { similarity: 'jaccard', threshold: 0.9 }, two: { similarity: 'levenshtein', gate: ['label'] } },
      { only: { similarity: 'levenshtein' } },
    ),
    threshold,
    normalise,
    assign,
    ties,
    partial,
  }),
  attributes: fc.constantFrom({}, { polarity: {} }),
});

const graphRecipe = fc.record({
  task: fc.constant('graph'),
  prepare: fc.constantFrom({}, { 'resolve-refs': {} }, { 'resolve-refs': { unresolved: 'leave-out' } }),
  pair: fc.record({
    assign,
    ties,
    normalise,
    entity: fc.record({ similarity: fc.constantFrom('exact', 'levenshtein', 'predicted-in-gold'), threshold }),
    relationship: fc.record({
      similarity: fc.constant('relation'),
      threshold,
      inverse: fc.constantFrom([], [['employs', 'employed_by']]),
      symmetric: fc.constantFrom([], ['married_to']),
      equivalent: fc.constantFrom([], [['knows', 'married_to']]),
    }),
  }),
});

async function expectEqual(plans: readonly Plan[], cases: readonly Case[]): Promise<void> {
  const together = makeVariantScorer(plans);
  const alone = plans.map(makeCaseScorer);
  for (const one of cases) {
    const scored = together(one);
    plans.forEach((_, at) => expect(withoutRejected(scored[at]!)).toEqual(withoutRejected(alone[at]!(one))));
  }
}

describe('scoring many variants at once gives what each gives alone', () => {
  test.each<[string, fc.Arbitrary<object>, fc.Arbitrary<Sides>]>([
    ['spans', spanRecipe, spanSides],
    ['objects', objectRecipe, journalSides],
    ['entities and relationships', graphRecipe, graphSides],
  ])('%s', async (_, recipe, sides) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(recipe, { minLength: 2, maxLength: 6 }),
        fc.array(sides, { minLength: 1, maxLength: 2 }),
        async (recipes, many) => {
          const plans = await Promise.all(recipes.map((one) => planRecipe(one)));
          await expectEqual(
            plans,
            many.map((one, at) => made(one, `c${at}`)),
          );
        },
      ),
      { ...runs, numRuns: 120 },
    );
  });

  test('a failed case is as it is for each', async () => {
    const plan = await planRecipe('journal/ashwam');
    const failed = { ...caseOf({ id: 'f', gold: [object('food', 'rice')] }), failed: 'timeout' };
    await expectEqual([plan, plan], [failed]);
  });

  test('one case per annotator is as it is for each', async () => {
    const plans = await Promise.all(
      ['each', 'union', 'first'].map((use) => planRecipe('pii/strict', [`prepare.annotator=${use}`])),
    );
    const text = 'Ann met Bo';
    const by = (item: Item, annotator: string): Item => ({ ...item, annotator });
    const item = caseOf({
      id: 'a',
      text,
      gold: [
        by(quoted(text, 'Ann', 'PERSON'), 'a1'),
        by(quoted(text, 'Ann', 'PERSON'), 'a2'),
        by(quoted(text, 'Bo', 'PERSON'), 'a2'),
      ],
      predicted: [quoted(text, 'Bo', 'PERSON'), quoted(text, 'met', 'LOC')],
    });
    expect(makeVariantScorer(plans)(item).map((scored) => scored.map((one) => one.case.id))).toEqual([
      ['a (a1)', 'a (a2)'],
      ['a'],
      ['a'],
    ]);
    await expectEqual(plans, [item]);
  });
});

describe('what plans share is worked out once', () => {
  const asked = { calls: 0 };
  const planWithOwn = async (): Promise<Plan> => {
    writeFileSync(
      join(folder, 'mine.js'),
      `export function first(gold, predicted) { globalThis.variantCalls.calls += 1; return gold.text[0] === predicted.text[0] ? 0.6 : 0.2; }`,
    );
    const recipe = join(folder, 'own.yaml');
    writeFileSync(recipe, `task: journal\npair: { gate: [label], similarity: ./mine.js#first }\n`);
    Reflect.set(globalThis, 'variantCalls', asked);
    return planRecipe(recipe);
  };
  const cases = [0, 1].map((at) =>
    caseOf({
      id: `c${at}`,
      gold: [object('food', 'rice'), object('food', 'dal'), object('mood', 'calm')],
      predicted: [object('food', 'rice pudding'), object('food', 'bread'), object('mood', 'cross')],
    }),
  );

  test('81 thresholds ask a similarity of one’s own no more often than one does', async () => {
    const base = await planWithOwn();
    const plans = await Promise.all(
      Array.from({ length: 81 }, (_, at) =>
        base.variant((recipe) => ({ ...recipe, pair: { ...recipe.pair, threshold: (at + 10) / 100 } })),
      ),
    );
    const score = makeVariantScorer(plans);
    asked.calls = 0;
    for (const one of cases) score(one);
    // Two by two foods and one mood a case, two cases.
    expect(asked.calls).toBe(10);
  });

  test('one label’s lower threshold holds for it alone, and no similarity is cut short by another plan’s', async () => {
    const base = await planRecipe({ task: 'journal', pair: { similarity: 'levenshtein', threshold: 0.9 } });
    const plans = await Promise.all(
      [0.9, { food: 0.2, default: 0.95 }, { mood: 0.1 }, 0.4].map((own) =>
        base.variant((recipe) => ({ ...recipe, pair: { ...recipe.pair, threshold: own } })),
      ),
    );
    await expectEqual(plans, cases);
  });

  test('plans with equal prepare sections get the same prepared case', async () => {
    const base = await planRecipe('journal/ashwam');
    const other = await base.variant((recipe) => ({ ...recipe, pair: { ...recipe.pair, threshold: 0.1 } }));
    const [first, second] = makeVariantScorer([base, other])({ ...cases[0]!, text: 'rice and dal' });
    expect(first?.[0]?.case).toBe(second?.[0]?.case);
  });
});
