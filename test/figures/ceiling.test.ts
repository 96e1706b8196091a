import { describe, expect, test } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import type { Item } from '../../src/data/item.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { CeilingWatch } from '../../src/figures/ceiling-counts.ts';
import type { Ceiling } from '../../src/figures/run-figures.ts';
import { caseOf, span } from '../pair/items.ts';

const STRICT = { task: 'pii', prepare: { annotator: 'first' }, pair: { gate: ['label'], similarity: 'exact' } };
const TEXT = 'words and more words '.repeat(20);

async function ceiling(
  cases: readonly Case[],
  recipe: object = STRICT,
  set: readonly string[] = [],
): Promise<Ceiling | null> {
  const plan = await planRecipe(recipe, set);
  const counts = new CeilingWatch(plan);
  for (const given of cases) counts.add(given, []);
  return counts.list()[0] ?? null;
}

/** Spans of five characters by where they begin. */
function at(starts: readonly number[], annotator: string | null = null, label = 'PERSON'): Item[] {
  return starts.map((start) => ({ ...span(start, start + 5, label), annotator }));
}

function annotated(id: string, gold: Readonly<Record<string, readonly number[]>>, predicted: readonly number[]): Case {
  return caseOf({
    id,
    text: TEXT,
    gold: Object.entries(gold).flatMap(([name, starts]) => at(starts, name)),
    predicted: at(predicted),
  });
}

describe('the human ceiling', () => {
  test('of two people, worked out by hand', async () => {
    // Ann against Bo 1 hit, 1 spurious: 2/3, and the other way round. The system: 1/2 against Ann, 2/3 against Bo.
    const found = await ceiling([annotated('c1', { ann: [0, 10], bo: [0] }, [0, 20])]);
    expect(found).toMatchObject({ measure: 'f1', cases: 1, verdict: 'too little data' });
    expect(found!.human.value).toBeCloseTo(2 / 3, 12);
    expect(found!.system.value).toBeCloseTo((1 / 2 + 2 / 3) / 2, 12);
    expect(found!.difference.value).toBeCloseTo((1 / 2 + 2 / 3) / 2 - 2 / 3, 12);
    expect(found!.people).toEqual([
      { name: 'ann', value: 2 / 3, n: 1, interval: null },
      { name: 'bo', value: 2 / 3, n: 1, interval: null },
    ]);
    expect(found!.about).toContain('2 people, over the 1 case that two or more of them annotated');
  });

  test('counts are pooled over cases, and pairs are compared over the cases they share', async () => {
    const found = await ceiling([
      annotated('c1', { ann: [0, 10, 20], bo: [0, 10, 20] }, [0]),
      annotated('c2', { ann: [0], bo: [10] }, [0]),
      annotated('c3', { bo: [0], cy: [0] }, [0]),
      annotated('c4', { ann: [0] }, []),
    ]);
    // Ann and Bo: 3 hits, 1 missed, 1 spurious, 6/8; Bo and Cy 1. The system against Ann 2 hits, 2 missed: 4/6; against Bo
    // 1 hit, 3 missed, 1 spurious: 2/6; against Bo and Cy in their own case 1.
    expect(found!.human.value).toBeCloseTo((0.75 + 0.75 + 1 + 1) / 4, 12);
    expect(found!.system.value).toBeCloseTo((4 / 6 + 2 / 6 + 1 + 1) / 4, 12);
    expect(found!.cases).toBe(3);
    expect(found!.people.map(({ name, value, n }) => [name, value, n])).toEqual([
      ['ann', 0.75, 2],
      ['bo', 0.875, 3],
      ['cy', 1, 1],
    ]);
  });

  test('what is meant for predictions does not touch people’s items', async () => {
    const recipe = {
      ...STRICT,
      prepare: {
        annotator: 'first',
        relabel: { map: { NAME: 'PERSON', PERSON: 'LOC' } },
        'min-confidence': { missing: 'drop' },
      },
    };
    const given = caseOf({
      id: 'c1',
      text: TEXT,
      gold: [...at([0, 10], 'ann'), ...at([0, 10], 'bo')],
      predicted: [0, 10].map((start) => span(start, start + 5, 'NAME', { fields: { confidence: 0.9 } })),
    });
    const found = await ceiling([given], recipe);
    expect(found!.human.value).toBe(1);
    expect(found!.system.value).toBe(1);
  });

  test('what is meant for gold is done to everybody', async () => {
    const recipe = { ...STRICT, prepare: { annotator: 'first', drop: { side: 'gold', labels: ['CODE'] } } };
    const given = caseOf({
      id: 'c1',
      text: TEXT,
      gold: [...at([0], 'ann'), ...at([20], 'ann', 'CODE'), ...at([0], 'bo')],
      predicted: at([0]),
    });
    expect((await ceiling([given], recipe))!.human.value).toBe(1);
  });

  test.each(['union', 'majority', 'each', 'ann'])('is the same whoever’s gold the recipe takes: %s', async (use) => {
    const cases = [annotated('c1', { ann: [0, 10], bo: [0] }, [0, 20])];
    expect(await ceiling(cases, { ...STRICT, prepare: { annotator: use } })).toEqual(await ceiling(cases));
  });

  test('is none where one person annotated each case, or where the system failed', async () => {
    expect(await ceiling([annotated('c1', { ann: [0] }, [0]), annotated('c2', { bo: [0] }, [0])])).toBeNull();
    const failed: Case = { ...annotated('c1', { ann: [0], bo: [0] }, []), failed: 'no answer' };
    expect(await ceiling([failed])).toBeNull();
  });

  test.each([
    ['below people', [0, 10, 20, 30], [0, 60]],
    ['above people', [0, 70, 80, 90], [0, 10, 20, 30]],
    ['no difference shown', [0, 10, 20, 70], [0, 10, 20, 80]],
  ] as const)('%s, by an interval over cases', async (verdict, second, system) => {
    const cases = Array.from({ length: 24 }, (_, n) => {
      // Cases differ, so that there is something to resample.
      const own = n % 3 === 0 ? [100] : [];
      return annotated(`c${n}`, { ann: [0, 10, 20, 30], bo: [...second, ...own] }, [
        ...system,
        ...(n % 4 === 0 ? [100] : []),
      ]);
    });
    const found = await ceiling(cases, STRICT, ['interval.resamples=500']);
    expect(found!.verdict).toBe(verdict);
    expect(found!.difference.interval).toMatchObject({ level: 0.95, method: 'bootstrap-percentile' });
    expect(found!.human.interval!.low).toBeLessThanOrEqual(found!.human.value!);
    // The order of the cases changes nothing.
    expect(await ceiling(cases.toReversed(), STRICT, ['interval.resamples=500'])).toEqual(found);
  });

  test('says that it has looked at the first cases only where there is too much to compare', async () => {
    const many = Array.from({ length: 400 }, (_, n) => 6 * n);
    const people = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`p${n}`, many]));
    const cases = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'c9', 'd1'].map((id) => annotated(id, people, many));
    const found = await ceiling(cases);
    expect(found!.about).toMatch(/over the 8 cases that two or more of them annotated, the first of 10, since/);
    expect(found).toMatchObject({ cases: 8, human: { value: 1 }, system: { value: 1 } });
  });
});
