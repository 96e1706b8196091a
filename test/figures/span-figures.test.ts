import { describe, expect, it } from 'vitest';

import { waterfallOf, watchWaterfall } from '../../src/compare/waterfall/make-waterfall.ts';
import { spanRows } from '../../src/compare/waterfall/span-rows.ts';
import type { Case } from '../../src/data/case.ts';
import { readCases } from '../../src/data/read-cases.ts';
import { memorySource } from '../../src/data/source.ts';
import { CeilingWatch } from '../../src/figures/ceiling-counts.ts';
import { FiguresWatch } from '../../src/figures/figures-watch.ts';
import type { RunFigures } from '../../src/figures/run-figures.ts';
import { type Plan, planRecipe } from '../../src/recipe/plan.ts';
import type { Run } from '../../src/score/run.ts';
import { Scoring } from '../../src/score/score.ts';
import { SPAN_SETTINGS, spanDocuments } from '../columns/span-documents.ts';

const SETTINGS: readonly (readonly [string, ...string[]])[] = [
  ...SPAN_SETTINGS,
  ['pii/strict', 'pair.assign=in-order', 'pair.gate=[]'],
  ['pii/iou', 'pair.threshold=0.2', 'judge.incorrect={}', 'pair.partial=0.25'],
];
const RUN = { manifest: { signature: 'x' } } as Run;

/** figures.json with its waterfall. */
function figuresOf(plan: Plan, cases: readonly Case[]): string {
  const [scoring, waterfall, figures] = [new Scoring(plan), watchWaterfall(plan), new FiguresWatch(plan)];
  for (const given of cases) {
    const scored = scoring.add(given);
    waterfall.sink.scored?.(scored);
    figures.sink.scored?.(scored);
  }
  return JSON.stringify(figures.finish(RUN, waterfall.result()), null, 1);
}

describe('figures of plain spans', () => {
  it.each(SETTINGS)('are the same from columns as from verdicts: %s %s %s', async (preset, ...set) => {
    const plan = await planRecipe(preset, ['interval=off', ...set]);
    expect(spanRows([plan], 0)).not.toBeNull();
    for (const labels of [1, 3, 6]) {
      const source = memorySource('d.jsonl', spanDocuments(300, labels, labels));
      const cases = await Array.fromAsync(readCases({ cases: source }, plan.data));
      const expected = figuresOf(
        plan,
        // A copy is a case like any other.
        cases.map((given) => ({ ...given })),
      );
      expect(figuresOf(plan, cases)).toBe(expected);
      expect(JSON.stringify(await waterfallOf(plan, cases))).toBe(
        JSON.stringify((JSON.parse(expected) as RunFigures).waterfall),
      );
      expect(
        figuresOf(
          plan,
          cases.map((given, at) => (at % 7 < 3 ? given : { ...given })),
        ),
      ).toBe(expected);
    }
  });

  it('are made without an item or a text', async () => {
    const plan = await planRecipe('pii/semeval', ['interval=off']);
    const source = memorySource(
      'd.jsonl',
      `${JSON.stringify({ id: 'd1', text: 'Ann met Bo', gold: [{ start: 0, end: 3, label: 'A' }], predicted: [{ start: 0, end: 3, label: 'B' }] })}\n`,
    );
    const [given] = await Array.fromAsync(readCases({ cases: source }, plan.data));
    for (const name of ['gold', 'predicted', 'text'])
      Object.defineProperty(given, name, {
        get: () => {
          throw new Error(`${name} was looked at`);
        },
      });
    new CeilingWatch(plan).sink.scored?.(new Scoring(plan).add(given!));
    expect(JSON.parse(figuresOf(plan, [given!]))).toMatchObject({ taxonomy: [{ hit: 0, missed: 1, spurious: 1 }] });
  });
});
