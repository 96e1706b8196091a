import { describe, expect, it } from 'vitest';

import { coverageData, coverageFigure } from '../../../src/stream/report/coverage-figure.ts';
import { measure } from '../../report/made-up-run.ts';
import { estimate, noValue, placesOf, words } from '../../report/svg/made-up-figures.ts';

const BUDGETS = [250, 500, 1000, 2000];

function line(name: string, values: readonly number[]) {
  return { name, points: values.map((value, at) => ({ budget: BUDGETS[at]!, coverage: estimate(value) })) };
}

describe('coverageFigure', () => {
  const svg = coverageFigure({ variants: [line('V0', [0.1, 0.2, 0.3, 0.4])] });

  it('puts each point where its budget and coverage are, with its interval, on a line', () => {
    const points = placesOf(svg, /fill="#0072b2"/).slice(1);
    // 0.45 needs an axis up to 0.5, 170 units high: 0.1 is 34 units. Budgets that double are as far apart.
    expect(points.map(([, y]) => y)).toEqual([4, 3, 2, 1].map((step) => 25 + 34 * step));
    const steps = points.slice(1).map(([x], at) => x - points[at]![0]);
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(0.03);
    expect(svg.match(/class="interval"/g)).toHaveLength(4);
    expect(svg).toContain(`d="M${points.map((place) => place.join()).join('L')}"`);
  });

  it('sets variants side by side, so that no interval hides another', () => {
    const both = coverageFigure({ variants: [line('V0', [0.1]), line('V1', [0.1])] });
    const [first, second] = placesOf(both).slice(-2);
    expect(second![0] - first![0]).toBeCloseTo(6, 1);
    expect(second![1]).toBe(first![1]);
  });

  it('tells variants apart by shape and dashes, not only by colour', () => {
    const five = coverageFigure({ variants: ['a', 'b', 'c', 'd', 'e'].map((name) => line(name, [0.1, 0.2])) });
    const dashes = [...five.matchAll(/<path d="M-13,0L13,0"[^>]*stroke-width="1.6"( stroke-dasharray="[^"]*")?/g)];
    expect(new Set(dashes.map(([, dash]) => dash)).size).toBe(5);
  });

  it('says what the bars are, how many cases there are, and what is not claimed', () => {
    const text = words(svg);
    expect(text).toContain('Bars: interval over cases, 95 % (bootstrap-percentile).');
    expect(text).toContain('n = 8 cases each.');
    expect(text).toContain('No clinical outcome is claimed.');
    expect(text).toContain('mean coverage (higher is better)');
  });

  it('says the number of cases for each variant where they differ', () => {
    const points = [{ budget: 250, coverage: estimate(0.2, 0.1, 5) }];
    const text = words(coverageFigure({ variants: [line('V0', [0.1]), { name: 'V1', points }] }));
    expect(text).toContain('n cases: V0 8, V1 5.');
  });

  it('leaves a gap for a value that is not there, and says why', () => {
    const values = [estimate(0.1), noValue('no concepts in the trace'), estimate(0.3), estimate(0.4)];
    const points = values.map((coverage, at) => ({ budget: BUDGETS[at]!, coverage }));
    const gap = coverageFigure({ variants: [{ name: 'V0', points }] });
    expect(gap).toMatch(/d="M[\d.]+,161ZM[\d.]+,93L[\d.]+,59"/);
    expect(words(gap)).toContain('Not drawn, no value: V0 at 500 CTU (no concepts in the trace).');
  });

  it('says in words that there is nothing', () => {
    expect(words(coverageFigure({ variants: [] }))).toContain('Nothing can be drawn: no run has coverage by budget.');
    const none = { name: 'V0', points: [{ budget: 250, coverage: noValue('no summaries') }] };
    const text = words(coverageFigure({ variants: [none] }));
    expect(text).toContain('Nothing can be drawn: there is no value for V0 at 250 CTU (no summaries).');
  });

  it('draws a value without an interval, and says that it has none', () => {
    const bare = { name: 'V0', points: [{ budget: 250, coverage: { ...estimate(0.1), interval: null } }] };
    expect(words(coverageFigure({ variants: [bare] }))).toContain('No intervals: the run has none for these values.');
    const text = words(coverageFigure({ variants: [line('V1', [0.2]), bare] }));
    expect(text).toContain('95 % (bootstrap-percentile). 1 value has none.');
  });

  it('draws ten variants and says that there are more', () => {
    const many = Array.from({ length: 12 }, (_, at) => line(`V${at}`, [0.1]));
    const text = words(coverageFigure({ variants: many }));
    expect(text).toContain('The first 10 of 12 variants are drawn.');
    expect(text).not.toContain('V11');
  });
});

describe('coverageData', () => {
  it('takes every budget that a run has, rising, and says where one has none', () => {
    const values = (name: string, at: readonly number[]) => ({
      name,
      cases: [],
      measures: at.map((budget) => measure(`coverage_at_${budget}`, budget / 10_000, { units: 7 })),
    });
    const { variants } = coverageData([values('V0', [2000, 250]), values('V1', [250])]);
    expect(variants[0]!.points).toMatchObject([
      { budget: 250, coverage: { value: 0.025, n: 7 } },
      { budget: 2000, coverage: { value: 0.2 } },
    ]);
    expect(variants[1]!.points[1]!.coverage).toEqual({
      value: null,
      undefined: 'the run does not have it',
      n: 0,
      interval: null,
    });
  });

  it('takes the value over all cases, not that of a slice', () => {
    const sliced = measure('coverage_at_250', 0.9, { slice: { label: 'x' } });
    const measures = [sliced, measure('coverage_at_250', 0.1)];
    const { variants } = coverageData([{ name: 'V0', cases: [], measures }]);
    expect(variants[0]!.points[0]!.coverage.value).toBe(0.1);
  });
});
