import { describe, expect, it } from 'vitest';

import { ceilingFigure } from '../../../src/report/svg/ceiling-figure.ts';
import type { Ceiling } from '../../../src/figures/run-figures.ts';
import { placesOf, words } from './made-up-figures.ts';

const sure = (low: number, high: number) => ({ low, high, level: 0.95, method: 'bootstrap-percentile' });

const CEILING: Ceiling = {
  measure: 'f1',
  about: '3 people, over the 12 cases that two or more of them annotated.',
  cases: 12,
  people: [
    { name: 'ann', value: 0.9, n: 12, interval: sure(0.8, 1) },
    { name: 'bo', value: 0.8, n: 7, interval: null },
    { name: 'cy', value: null, n: 5, interval: null },
  ],
  human: { value: 0.85, undefined: null, interval: sure(0.75, 0.95) },
  system: { value: 0.6, undefined: null, interval: sure(0.5, 0.7) },
  difference: { value: -0.25, interval: sure(-0.3, -0.2) },
  verdict: 'below people',
};

describe('the system among people', () => {
  const svg = ceilingFigure(CEILING);

  it('draws the system first, then people together and one by one, each with its interval', () => {
    const text = svg.slice(0, svg.indexOf('</desc>'));
    expect(text).toContain('the system: 0.600, 0.500 to 0.700, n = 12');
    expect(text).toContain('people: 0.850, 0.750 to 0.950, n = 12');
    expect(text).toContain('ann: 0.900, 0.800 to 1.000, n = 12');
    expect(text).toContain('cy: no value (nothing to compare)');
    expect(text.indexOf('the system: 0')).toBeLessThan(text.indexOf('people: 0'));
    // Of four rows with a value, three have an interval.
    expect(svg.match(/class="interval"/g)).toHaveLength(3);
    expect(placesOf(svg)).toHaveLength(4);
  });

  it('says what it comes to', () => {
    expect(words(svg)).toContain('The system agrees with people less than they do with each other.');
    expect(words(svg)).toContain(CEILING.about);
  });

  it('names twelve people at most and counts the others', () => {
    const people = Array.from({ length: 15 }, (_, at) => ({ name: `p${at}`, value: 0.8, n: 3, interval: null }));
    expect(words(ceilingFigure({ ...CEILING, people }))).toContain('3 more people are not drawn.');
  });

  it('says so where there is nothing to draw', () => {
    const nothing = { value: null, undefined: 'nobody marked anything', interval: null };
    const none = ceilingFigure({
      ...CEILING,
      people: [],
      human: nothing,
      system: nothing,
      difference: { value: null, interval: null },
      verdict: 'too little data',
    });
    expect(words(none)).toContain('Nothing can be drawn: nobody marked anything.');
  });
});
