import { describe, expect, it } from 'vitest';

import { coverageData } from '../../../src/report/svg/coverage-data.ts';
import { coverageFigure } from '../../../src/report/svg/coverage-figure.ts';
import { measure } from '../made-up-run.ts';
import { estimate, noValue, words } from './made-up-figures.ts';

const BUDGETS = [250, 500, 1000, 2000];

function line(name: string, values: readonly number[]) {
  return { name, points: values.map((value, at) => ({ budget: BUDGETS[at]!, coverage: estimate(value) })) };
}

describe('coverageFigure', () => {
  // Numbers take 34 units beside a margin of 6, so the area begins at 40; below it 34 of 190 units are left, so it ends
  // at 156 and begins at 6. 0.45 needs an axis up to 0.5: 0.1 is 30 units. The name V0 takes 0.7 + 0.64 em of 11.5 and
  // 14 more, so the area ends at 314 - 29.41 = 284.59; the first and last budget are 18 inside.
  const svg = coverageFigure({ variants: [line('V0', [0.1, 0.2, 0.3, 0.4])] });

  it('puts each point where its budget and coverage are', () => {
    const points = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" r="3"[^>]*><title>/g)].map(([, x, y]) => [
      x,
      y,
    ]);
    expect(points).toEqual([
      ['58', '126'],
      ['127.53', '96'],
      ['197.06', '66'],
      ['266.59', '36'],
    ]);
    expect(svg).toContain('d="M58 126L127.53 96L197.06 66L266.59 36"');
  });

  it('draws the interval from its low end to its high end, with caps', () => {
    expect(svg).toContain('d="M58 141L58 111M56 141L60 141M56 111L60 111"');
  });

  it('sets variants side by side, so that no interval hides another', () => {
    const both = coverageFigure({ variants: [line('V0', [0.1]), line('V1', [0.1])] });
    // One budget stands in the middle of the area: (40 + 284.59) / 2 = 162.295, and 2.75 to each side.
    expect(Number(/<circle cx="([\d.]+)" cy="56"/.exec(both)?.[1])).toBeCloseTo(159.545, 1);
    expect(Number(/M([\d.]+) 106L[\d.]+ 6M[^"]*" fill="none" stroke="#d55e00"/.exec(both)?.[1])).toBeCloseTo(
      165.045,
      1,
    );
  });

  it('tells variants apart by shape and dashes, not only by colour', () => {
    const five = coverageFigure({ variants: ['a', 'b', 'c', 'd', 'e'].map((name) => line(name, [0.1, 0.2])) });
    const dashes = [
      ...five.matchAll(
        /<path d="M[^"]*" fill="none" stroke="#[0-9a-f]{6}" stroke-width="1.5"( stroke-dasharray="[^"]*")?/g,
      ),
    ];
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
    expect(gap).toContain('d="M58 126M197.06 66L266.59 36"');
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

  it('shortens a long name and keeps the whole of it in a title', () => {
    const long = `a variant with a name ${'that goes on '.repeat(10)}to its end`;
    const named = coverageFigure({ variants: [line(long, [0.1])] });
    expect(named).toContain(`<title>${long}</title>a variant`);
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
