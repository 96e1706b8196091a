import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { watchWaterfall } from '../../src/compare/waterfall/make-waterfall.ts';
import type { Case } from '../../src/data/case.ts';
import { FiguresWatch } from '../../src/figures/figures-watch.ts';
import type { Plan } from '../../src/recipe/plan.ts';
import type { Run } from '../../src/score/run.ts';
import { Scoring } from '../../src/score/score.ts';
import { runsHere } from '../many-runs.ts';
import { anyCuts, MERGEABLE_SETS, mergeableSet, stored } from '../report/html/mergeable-sets.ts';

const RUN = { manifest: { signature: 'x' } } as Run;

function watching(plan: Plan, mostItems: number, mergeable: boolean) {
  const [waterfall, figures] = [watchWaterfall(plan, mostItems), new FiguresWatch(plan, { mergeable })];
  return {
    waterfall,
    figures,
    watch(cases: readonly Case[]): void {
      const scoring = new Scoring(plan);
      for (const given of cases) {
        const scored = scoring.add(given);
        waterfall.sink.scored?.(scored);
        figures.sink.scored?.(scored);
      }
    },
    json: () => JSON.stringify(figures.finish(RUN, waterfall.result()), null, 1),
  };
}

describe('figures.json of parts that are merged is that of one run', () => {
  it.each(MERGEABLE_SETS)('%s', async (name) => {
    const { plan, size, read } = await mergeableSet(name);
    const whole = await read(0, size);
    await fc.assert(
      fc.asyncProperty(anyCuts(size), fc.constantFrom(Infinity, 3000, 0), async (cuts, mostItems) => {
        const one = watching(plan, mostItems, false);
        one.watch(whole);
        const merged = watching(plan, mostItems, true);
        for (const [from, to] of cuts) {
          const part = watching(plan, mostItems, true);
          part.watch(await read(from, to));
          merged.waterfall.state.merge(stored(part.waterfall.state.save()));
          merged.figures.state.merge(stored(part.figures.state.save()));
        }
        expect(merged.json()).toBe(one.json());
      }),
      { seed: 71, numRuns: runsHere(20) },
    );
  });
});
