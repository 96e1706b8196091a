import { describe, expect, it } from 'vitest';

import type { SpanErrors } from '../../src/columns/span-errors.ts';
import { arePlacedAlike, commonOf, isInside } from '../../src/columns/span-likeness.ts';
import { spanPlanOf } from '../../src/columns/span-scoring.ts';
import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';
import { INDEX, SpanList } from '../../src/data/span-list.ts';
import { ERROR_TYPES } from '../../src/judge/error-type.ts';
import { errorTypes } from '../../src/judge/error-types.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { Scoring } from '../../src/score/score.ts';
import { spanDocuments } from './span-documents.ts';

const SETTINGS: readonly (readonly [string, ...string[]])[] = [
  ['pii/strict'],
  ['pii/exact'],
  ['pii/partial'],
  ['pii/iou'],
  ['pii/semeval'],
  ['pii/strict', 'pair.similarity=iou', 'pair.threshold=0.3', 'pair.assign=in-order', 'pair.gate=[]'],
  ['pii/partial', 'judge.incorrect={}', 'pair.partial=0.25'],
];

it('tells how spans lie to each other by more than half of their characters', () => {
  const numbers = new Int32Array([0, 4, 0, 0, 2, 8, 0, 1, 1, 8, 0, 2]);
  const spans = new SpanList(numbers, 0, 3, ['A']);
  // 0 to 4 and 2 to 8 have 2 characters in common: half of the first. 0 to 4 and 1 to 8: 3 of 4, and of 7.
  expect([commonOf(spans, 0, spans, 1), isInside(spans, 0, spans, 1)]).toEqual([2, false]);
  expect([isInside(spans, 0, spans, 2), isInside(spans, 2, spans, 0)]).toEqual([true, false]);
  expect([arePlacedAlike(spans, 0, spans, 0), arePlacedAlike(spans, 0, spans, 1)]).toEqual([true, false]);
});

describe('types of errors in columns', () => {
  it.each(SETTINGS)('are those of the verdicts: %s %s %s', async (preset, ...set) => {
    const plan = await planRecipe(preset, ['interval.resamples=200', ...set]);
    expect(spanPlanOf(plan)).not.toBeNull();
    const seen = new Set<number>();
    for (const labels of [1, 2, 6]) {
      const [inColumns, asItems] = [new Scoring(plan), new Scoring(plan)];
      const cases = readCases({ cases: memorySource('d.jsonl', spanDocuments(600, 5 + labels, labels)) }, plan.data);
      for await (const given of cases) {
        const { spans } = inColumns.add(given);
        const errors: SpanErrors = spans!.scoring.errors(spans!.given);
        const { gold, predicted } = spans!.given.spans;
        const found = {
          gold: Array.from({ length: gold.count }, (_, g) => [gold.get(g, INDEX), errors.gold[g]!] as const),
          predicted: Array.from(
            { length: predicted.count },
            (_, p) => [predicted.get(p, INDEX), errors.predicted[p]!] as const,
          ),
        };
        for (const [, type] of [...found.gold, ...found.predicted]) seen.add(type);
        const { verdicts } = asItems.add({ ...given }).variants[0]!;
        const types = errorTypes(verdicts);
        const number = (own: (typeof verdicts)[number]): number => {
          const type = types.get(own);
          return type === undefined ? 0 : ERROR_TYPES.indexOf(type) + 1;
        };
        const expected = {
          gold: verdicts.flatMap((own) => (own.gold === null ? [] : [[own.gold.index, number(own)]])),
          predicted: verdicts.flatMap((own) => (own.predicted === null ? [] : [[own.predicted.index, number(own)]])),
        };
        const byIndex = (a: readonly number[], b: readonly number[]) => a[0]! - b[0]!;
        expect(found.gold.toSorted(byIndex)).toEqual(expected.gold.toSorted(byIndex));
        expect(found.predicted.toSorted(byIndex)).toEqual(expected.predicted.toSorted(byIndex));
      }
    }
    // All but ungrounded, which a span at its place never is.
    expect(seen.size).toBeGreaterThanOrEqual(ERROR_TYPES.length - 1);
  });
});
