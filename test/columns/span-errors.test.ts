import { describe, expect, it } from 'vitest';

import type { SpanErrors } from '../../src/columns/span-errors.ts';
import { spanPlanOf } from '../../src/columns/span-scoring.ts';
import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';
import { INDEX } from '../../src/data/span-list.ts';
import { ERROR_TYPES } from '../../src/judge/error-type.ts';
import { errorTypes } from '../../src/judge/error-types.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { Scoring } from '../../src/score/score.ts';
import { SPAN_SETTINGS, spanDocuments } from './span-documents.ts';

const SETTINGS: readonly (readonly [string, ...string[]])[] = [
  ...SPAN_SETTINGS,
  ['pii/strict', 'pair.similarity=iou', 'pair.threshold=0.3', 'pair.assign=in-order', 'pair.gate=[]'],
  ['pii/partial', 'judge.incorrect={}', 'pair.partial=0.25'],
];

describe('types of errors in columns', () => {
  it.each(SETTINGS)('are those of the verdicts: %s %s %s', async (preset, ...set) => {
    const plan = await planRecipe(preset, ['interval.resamples=200', ...set]);
    expect(spanPlanOf(plan)).not.toBeNull();
    const seen = new Set<number>();
    for (const labels of [1, 2, 6]) {
      const [inColumns, asItems] = [new Scoring(plan), new Scoring(plan)];
      const cases = readCases({ cases: memorySource('d.jsonl', spanDocuments(250, 5 + labels, labels)) }, plan.data);
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
