import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { coverageFigure } from '../../../src/report/svg/coverage-figure.ts';
import type { Estimate } from '../../../src/report/svg/estimate.ts';
import { faithfulnessFigure } from '../../../src/report/svg/faithfulness-figure.ts';
import { paretoFigure } from '../../../src/report/svg/pareto-figure.ts';
import { timelineFigure } from '../../../src/report/svg/timeline-figure.ts';
import { dangerous, HOSTILE } from '../made-up-run.ts';
import { estimate, noValue, TIMELINE, words } from './made-up-figures.ts';
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

const FIGURES: readonly (readonly [string, () => string])[] = [
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

function expectSound(svg: string): void {
  expectWellFormed(svg);
  expect(svg).not.toMatch(/NaN|Infinity|undefined|\bnull\b|\[object/);
}

describe.each(FIGURES)('%s', (_, draw) => {
  const svg = draw();

  it('is a well-formed document that does the same to the byte when drawn again', () => {
    expectSound(svg);
    expect(draw()).toBe(svg);
  });

  it('lets nothing through that acts, hides or leads out', () => {
    expect(dangerous(svg)).toEqual([]);
    expect(svg).not.toMatch(/<(?:script|style|image|use|a|foreignObject|img)\b/i);
    expect(svg).not.toMatch(/<[^>]*\s(?:href|xlink:href|src|on\w+|style)=/i);
    expect([...svg.matchAll(/https?:[^"]*/g)].map(([address]) => address)).toEqual(['http://www.w3.org/2000/svg']);
  });

  it('has a name and a description for those who cannot see it', () => {
    const [, title, desc] = /role="img" aria-labelledby="(\S+) (\S+)"/.exec(svg)!;
    expect(svg).toContain(`<title id="${title!}">`);
    expect(svg).toContain(`<desc id="${desc!}">`);
  });

  it('is black on white, in letters of 8 points or more when 80 mm wide', () => {
    const [, width] = /viewBox="0 0 (\d+) \d+"/.exec(svg)!;
    expect(svg).toMatch(new RegExp(`<rect width="${width!}" height="\\d+" fill="#ffffff"/>`));
    const pointsPerUnit = ((80 / 25.4) * 72) / Number(width);
    const sizes = [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size) * pointsPerUnit);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(8);
    expect(svg).toContain('sans-serif"');
  });

  it('says what it does not claim', () => {
    expect(words(svg)).toContain('No clinical outcome is claimed.');
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
