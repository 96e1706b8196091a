import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { calibrationFigure } from '../../../src/report/svg/calibration-figure.ts';
import { ceilingFigure } from '../../../src/report/svg/ceiling-figure.ts';
import { confusionFigure } from '../../../src/report/svg/confusion-figure.ts';
import { coverageFigure } from '../../../src/stream/report/coverage-figure.ts';
import type { Estimate } from '../../../src/report/svg/estimate.ts';
import { faithfulnessFigure } from '../../../src/stream/report/faithfulness-figure.ts';
import { historyFigure } from '../../../src/report/svg/history-figure.ts';
import { paretoFigure } from '../../../src/stream/report/pareto-figure.ts';
import { precisionRecallFigure } from '../../../src/report/svg/precision-recall-figure.ts';
import { recipeSweepFigure } from '../../../src/report/svg/sweep-figure.ts';
import { taxonomyFigure } from '../../../src/report/svg/taxonomy-figure.ts';
import { timelineFigure } from '../../../src/stream/report/timeline-figure.ts';
import { waterfallFigure } from '../../../src/report/svg/waterfall-figure.ts';
import { dangerous, HOSTILE } from '../made-up-run.ts';
import { estimate, noValue, TIMELINE, words } from './made-up-figures.ts';
import {
  CALIBRATION,
  CEILING,
  CONFUSION,
  madeUpSweep,
  madeUpWaterfall,
  NO_CEILING,
  NO_ERRORS,
  TAXONOMY,
} from './made-up-run-figures.ts';
import { expectWellFormed } from './well-formed.ts';

const variant = {
  name: HOSTILE,
  points: [{ budget: 250, coverage: estimate(0.3) }],
  compression: estimate(0.8),
  inWindow: estimate(0.5),
  inContract: noValue(HOSTILE),
  cases: [{ compression: 0.7, inWindow: 0.5, inContract: 0.2 }],
};
const policy = { id: HOSTILE, updates: 10, latencyMs: 900, tailMs: 2000, onFront: true, chosen: true };

type Named = readonly [string, () => string];

const STREAM_FIGURES: readonly Named[] = [
  ['coverage', () => coverageFigure({ variants: [variant], notes: [HOSTILE] })],
  ['faithfulness', () => faithfulnessFigure({ variants: [variant], notes: [HOSTILE] })],
  [
    'timeline',
    () =>
      timelineFigure({
        ...TIMELINE,
        caseId: HOSTILE,
        agents: TIMELINE.agents.map((agent) => ({ ...agent, name: HOSTILE })),
        variants: TIMELINE.variants.map((one) => ({ ...one, name: HOSTILE })),
      }),
  ],
  ['pareto', () => paretoFigure({ policies: [policy], names: { tail: HOSTILE }, notes: [HOSTILE] })],
  ['empty coverage', () => coverageFigure({ variants: [] })],
  ['empty faithfulness', () => faithfulnessFigure({ variants: [] })],
  ['empty timeline', () => timelineFigure({ caseId: HOSTILE, agents: [], variants: [] })],
  ['empty pareto', () => paretoFigure({ policies: [] })],
];

const HISTORY = { name: HOSTILE, direction: 'higher', range: [0, 1] } as const;
const WATERFALL = await madeUpWaterfall();
const THRESHOLDS = 'pair.threshold=0.4..0.9';
const CURVE = await madeUpSweep([THRESHOLDS], 1);
const CURVES = await madeUpSweep([THRESHOLDS], 2);
const MAP = await madeUpSweep(['pair.threshold=0.5,0.8', 'pair.assign=greedy,optimal'], 2);

const RUN_FIGURES: readonly Named[] = [
  ['taxonomy', () => taxonomyFigure(TAXONOMY)],
  ['calibration', () => calibrationFigure(CALIBRATION)],
  ['precision and recall', () => precisionRecallFigure(CALIBRATION)],
  ['confusion', () => confusionFigure(CONFUSION, HOSTILE)],
  ['ceiling', () => ceilingFigure(CEILING)],
  ['waterfall', () => waterfallFigure(WATERFALL)],
  ['history', () => historyFigure(HISTORY, [{ name: HOSTILE, date: 0, estimate: estimate(0.5) }])],
  ['history without a value', () => historyFigure(HISTORY, [{ name: HOSTILE, date: 0, estimate: noValue(HOSTILE) }])],
  ['sweep of one system', () => recipeSweepFigure(CURVE)],
  ['sweep of two systems', () => recipeSweepFigure(CURVES)],
  ['sweep over two parameters', () => recipeSweepFigure(MAP)],
  ['taxonomy without errors', () => taxonomyFigure(NO_ERRORS)],
  ['calibration without a curve', () => calibrationFigure({ ...CALIBRATION, n: 0, bins: [], error: 0, curve: [] })],
  ['no precision and recall', () => precisionRecallFigure({ ...CALIBRATION, curve: [] })],
  ['empty confusion', () => confusionFigure([], HOSTILE)],
  ['empty ceiling', () => ceilingFigure(NO_CEILING)],
  ['waterfall of a measure that is not there', () => waterfallFigure(WATERFALL, '__proto__')],
];

function expectSound(svg: string): void {
  expectWellFormed(svg);
  expect(svg).not.toMatch(/NaN|Infinity|undefined|\bnull\b|\[object/);
}

describe.each([...STREAM_FIGURES, ...RUN_FIGURES])('%s', (_, draw) => {
  const svg = draw();

  it('is a well-formed document that does the same to the byte when drawn again', () => {
    expectSound(svg);
    expect(draw()).toBe(svg);
  });

  it('lets nothing through that acts, hides or leads out', () => {
    expect(dangerous(svg)).toEqual([]);
    expect(svg).not.toMatch(/<(?:script|style|image|use|a|foreignObject|img)\b/i);
    // What stands in quotes is a value, such as the name of a class.
    expect(svg.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\s(?:href|xlink:href|src|on\w+|style)=/i);
    expect([...svg.matchAll(/https?:[^"]*/g)].map(([address]) => address)).toEqual(['http://www.w3.org/2000/svg']);
  });

  it('has a name and a description for those who cannot see it', () => {
    const [, title, desc] = /role="img" aria-labelledby="(\S+) (\S+)"/.exec(svg)!;
    expect(svg).toContain(`<title id="${title!}">`);
    expect(svg).toContain(`<desc id="${desc!}">`);
  });

  it('is black on white, in letters of 8 points or more when 80 mm wide', () => {
    const [, width] = /viewBox="0 0 (\d+) \d+"/.exec(svg)!;
    expect(svg).toMatch(new RegExp(`<rect class="paper" width="${width!}" height="\\d+" fill="#ffffff"/>`));
    const pointsPerUnit = ((80 / 25.4) * 72) / Number(width);
    const sizes = [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size) * pointsPerUnit);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(8);
    expect(svg).toContain('sans-serif"');
  });

  it('names what a page may give its own colours: letters, axes and grid', () => {
    const tags = [...svg.matchAll(/<(text|line)\b[^>]*>/g)].map(([tag, name]) => {
      const [, own = ''] = / class="([^"]*)"/.exec(tag) ?? [];
      const [, stroke = ''] = / stroke="([^"]*)"/.exec(tag) ?? [];
      return { name, own, stroke };
    });
    const letters = tags.filter(({ name }) => name === 'text');
    expect(letters.length).toBeGreaterThan(0);
    // Cells of a map keep their pale colours, and so their letters stay dark.
    expect(letters.filter(({ own }) => !['ink', 'paper', 'cell-text'].includes(own))).toEqual([]);
    const lines = tags.filter(({ name }) => name === 'line');
    expect(lines.filter(({ stroke, own }) => stroke === '#dddddd' && own !== 'grid')).toEqual([]);
    expect(lines.filter(({ stroke, own }) => stroke === '#555555' && own !== 'axis' && own !== 'ink')).toEqual([]);
  });
});

describe.each(STREAM_FIGURES)('%s of a stream', (_, draw) => {
  it('says what it does not claim', () => {
    expect(words(draw())).toContain('No clinical outcome is claimed.');
  });
});

describe('figures of any data', () => {
  const runs = { seed: 20264, numRuns: 50 };
  const anyNumber = fc.oneof(
    fc.double(),
    fc.constantFrom(0, 1, -1, 1e308, 5e-324, 1e15, 1e-13),
    fc.double({ min: 0, max: 1 }),
  );
  const name = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.constant('V0'), fc.constant(HOSTILE));
  const anyEstimate: fc.Arbitrary<Estimate> = fc.record({
    value: fc.option(anyNumber),
    undefined: fc.option(name),
    n: fc.nat(),
    interval: fc.option(
      fc.record({
        low: anyNumber,
        high: anyNumber,
        level: fc.double({ min: 0.5, max: 0.999, noNaN: true }),
        method: name,
      }),
    ),
  });
  const budget = fc.oneof(anyNumber, fc.constantFrom(250, 500));

  it('coverage is sound', () => {
    const points = fc.array(fc.record({ budget, coverage: anyEstimate }), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(fc.record({ name, points }), { maxLength: 12 }), (variants) =>
        expectSound(coverageFigure({ variants })),
      ),
      runs,
    );
  });

  it('faithfulness is sound', () => {
    const value = fc.option(anyNumber);
    const cases = fc.array(fc.record({ compression: value, inWindow: value, inContract: value }), { maxLength: 3 });
    const one = fc.record({ name, compression: anyEstimate, inWindow: anyEstimate, inContract: anyEstimate, cases });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 4 }), (variants) => expectSound(faithfulnessFigure({ variants }))),
      runs,
    );
  });

  it('the timeline is sound', () => {
    const ms = fc.oneof(fc.integer({ min: -5000, max: 100_000 }), fc.maxSafeNat());
    const flush = fc.record({ atMs: ms, reason: fc.oneof(name, fc.constantFrom('boundary_cue', '__proto__')) });
    const decision = fc.record({ atMs: ms, outcome: fc.constantFrom('summarise', 'buffer', 'discard', 'failed') });
    const summary = fc.record({ startMs: ms, endMs: ms, schemaOk: fc.boolean() });
    const data = fc.record({
      caseId: name,
      agents: fc.array(
        fc.record({
          name,
          turns: fc.array(fc.record({ startMs: ms, endMs: ms }), { maxLength: 3 }),
          pieces: fc.array(fc.record({ atMs: ms, ctu: fc.double({ min: 0, max: 1e6, noNaN: true }) }), {
            maxLength: 5,
          }),
        }),
        { maxLength: 10 },
      ),
      variants: fc.array(
        fc.record({ name, flushes: fc.array(flush), decisions: fc.array(decision), summaries: fc.array(summary) }),
        { maxLength: 3 },
      ),
    });
    fc.assert(
      fc.property(data, (given) => expectSound(timelineFigure(given))),
      runs,
    );
  });

  it('the front is sound', () => {
    const value = fc.option(anyNumber);
    const one = fc.record({
      id: name,
      updates: value,
      latencyMs: value,
      tailMs: value,
      onFront: fc.boolean(),
      chosen: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (policies) => expectSound(paretoFigure({ policies }))),
      runs,
    );
  });
});
