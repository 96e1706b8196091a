import { describe, expect, it } from 'vitest';

import { faithfulnessData, faithfulnessFigure } from '../../../src/stream/report/faithfulness-figure.ts';
import { measure } from '../../report/made-up-run.ts';
import { estimate, noValue, placesOf, words } from '../../report/svg/made-up-figures.ts';

const V0 = {
  name: 'V0',
  compression: estimate(0.8, 0.1),
  inWindow: estimate(0.4, 0.1),
  inContract: estimate(0.2, 0.1),
  cases: [],
};

describe('faithfulnessFigure', () => {
  // Both axes hold just the interval: 0.7 to 0.9 across; 0.3 to 0.5 and 0.1 to 0.3 upwards. So the point of each panel is
  // in the middle of 46 to 344 and of 140 units from 25 down, and its bars reach the edges.
  const svg = faithfulnessFigure({ variants: [V0] });

  it('puts a variant where its compression and its unsupported share are, in two panels, with both intervals', () => {
    expect(placesOf(svg).slice(1)).toEqual([
      [195, 95],
      [195, 95],
    ]);
    expect(svg.match(/M46,95L344,95/g)).toHaveLength(2);
    expect(svg.match(/M195,165L195,25/g)).toHaveLength(2);
  });

  it('says of every unsupported share that lower is better', () => {
    const text = words(svg);
    expect(text).toContain('unsupported in window (lower is better)');
    expect(text).toContain('unsupported in contract (lower is better)');
    expect(text).toContain('Lower is better.');
    expect(text).toContain('No clinical outcome is claimed.');
    expect(text).toContain('n = 8 cases each.');
  });

  it('draws the single cases small and faint', () => {
    const cases = [
      { compression: 0.75, inWindow: 0.35, inContract: null },
      { compression: null, inWindow: 0.4, inContract: 0.2 },
    ];
    const faint = faithfulnessFigure({ variants: [{ ...V0, cases }] });
    // 0.75 is a quarter of the way from 46 to 344, 0.35 a quarter of the way from 165 up to 25; the first is in the legend.
    expect(placesOf(faint, /opacity="0.4"/).slice(1)).toEqual([[120.5, 130]]);
  });

  it('names a panel without values, and what is missing', () => {
    const text = words(faithfulnessFigure({ variants: [{ ...V0, inContract: noValue('no summaries') }] }));
    expect(text).toContain('No variant has a value for unsupported in contract.');
    expect(text).toContain('Not drawn, no value: V0 unsupported in contract (no summaries).');
  });

  it('says in words that there is nothing', () => {
    expect(words(faithfulnessFigure({ variants: [] }))).toContain('Nothing can be drawn: there are no runs.');
  });

  it('draws at most 300 cases of a variant, and says so', () => {
    const cases = Array.from({ length: 1000 }, (_, at) => ({ compression: at / 1000, inWindow: 0.5, inContract: 0.5 }));
    const many = faithfulnessFigure({ variants: [{ ...V0, cases }] });
    expect(placesOf(many, /opacity="0.4"/)).toHaveLength(600 + 1);
    expect(words(many)).toContain('The first 300 of 1000 cases of a variant are drawn.');
  });
});

describe('faithfulnessData', () => {
  it('takes the three measures over all cases and case by case', () => {
    const measures = [
      measure('compression_ratio', 0.8, { cases: { n: 6, undefined: 2, mean: 0.8, min: 0.7, max: 0.9, sd: 0.1 } }),
      measure('unsupported_in_window', 0.4),
      measure('unsupported_in_contract', null, { undefined: 'no summaries' }),
    ];
    const cases = [{ case: 'a', measures: { compression_ratio: 0.75, unsupported_in_window: null } }];
    const { variants } = faithfulnessData([{ name: 'V0', measures, cases }]);
    expect(variants[0]).toMatchObject({
      compression: { value: 0.8, n: 6 },
      inWindow: { value: 0.4, n: 5 },
      inContract: { value: null, undefined: 'no summaries' },
      cases: [{ compression: 0.75, inWindow: null, inContract: null }],
    });
  });
});
