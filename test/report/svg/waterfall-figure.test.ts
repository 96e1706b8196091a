import { describe, expect, test } from 'vitest';

import { planRecipe } from '../../../src/recipe/plan.ts';
import { waterfallFigure, waterfallSentences } from '../../../src/report/svg/waterfall-figure.ts';
import { waterfallOf } from '../../../src/compare/waterfall/make-waterfall.ts';
import type { Waterfall } from '../../../src/compare/waterfall/waterfall.ts';
import { caseOf, object } from '../../pair/items.ts';
import { expectWellFormed } from './well-formed.ts';

/** Strict: 1 of 3 (F1 1/3). Jaccard: 2 of 3 (2/3). Left out of it, the mood: 2 of 2 gold, 3 predicted: 4/5. */
async function madeUp(): Promise<Waterfall> {
  const plan = await planRecipe({
    task: 'journal',
    pair: { gate: ['label'], similarity: 'jaccard', threshold: 0.5 },
    judge: { 'excuse-missed': { labels: ['mood'], because: '<script>alert(1)</script>' } },
    measure: { f1: {}, over_extraction: {} },
  });
  const given = caseOf({
    gold: [object('food', 'rice'), object('food', 'red dal'), object('mood', 'calm')],
    predicted: [object('food', 'rice'), object('food', 'dal'), object('mood', 'cross')],
  });
  return waterfallOf(plan, [given]);
}

describe('waterfall figure', () => {
  test('one row a step, the score once more at the end, numbers written', async () => {
    const svg = waterfallFigure(await madeUp());
    expectWellFormed(svg);
    expect([...svg.matchAll(/data-step="(\d+)"/g)].map(([, at]) => at)).toEqual(['0', '1', '2', '2']);
    for (const text of ['0.333', '+0.334 → 0.667', '+0.133 → 0.800', '0.800']) expect(svg).toContain(`>${text}<`);
    expect(svg.match(/class="bar bar-good"/g)).toHaveLength(3);
    expect(svg).not.toContain('<script');
  });

  test('there is something to click everywhere in a row, and rows do not overlap', async () => {
    const svg = waterfallFigure(await madeUp());
    const places = [
      ...svg.matchAll(
        /<g class="waterfall-row"[^>]*>\s*<title>[^<]*<\/title>\s*<rect x="8" y="(\d+)" width="344" height="(\d+)"/g,
      ),
    ].map(([, y, height]) => [Number(y), Number(height)]);
    expect(places).toEqual([0, 1, 2, 3].map((row) => [36 * row, 36]));
  });

  test('bars begin where the one before ended', async () => {
    const svg = waterfallFigure(await madeUp());
    // The axis goes from 0 to 0.8 over 344 units from 8 on: 1/3 is at 151.33, 2/3 at 294.67, 4/5 at 352.
    const bars = [
      ...svg.matchAll(/<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="10" [^>]*class="bar bar-\w+"/g),
    ].map(([, x, width]) => [Number(x), Number(width)]);
    expect(bars).toEqual([
      [8, 143.33],
      [151.33, 143.33],
      [294.67, 57.33],
      [8, 344],
    ]);
  });

  test('of a measure of which less is better, more is worse', async () => {
    const found = await madeUp();
    const turned: Waterfall = { ...found, measures: [{ name: 'f1', direction: 'lower' }] };
    const svg = waterfallFigure(turned, 'f1');
    expect(svg.match(/class="bar bar-bad"/g)).toHaveLength(3);
    expect(svg).toContain('Lower is better.');
  });

  test('a measure without values is said to have none', async () => {
    const found = await madeUp();
    expect(waterfallFigure(found, '__proto__')).toContain('has no value in any row');
  });

  test('the sentences say what the figure shows', async () => {
    expect(waterfallSentences(await madeUp())).toEqual([
      'f1 is 0.333 under strict matching and 0.800 under the whole recipe, +0.467 in all.',
      'pair.similarity: +0.334, to 0.667.',
      'judge.excuse-missed: +0.133, to 0.800.',
    ]);
  });
});
