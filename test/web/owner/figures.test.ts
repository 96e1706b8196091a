import { describe, expect, it } from 'vitest';

import type { AgreementFigure } from '../../../src/review/api.ts';
import { along } from '../../../web/src/along.ts';
import { figureNumber, figureSentence, growthWords, targetWords } from '../../../web/src/owner/figure-words.ts';
import { AGREEMENT, growthPath } from '../../../web/src/owner/growth-path.ts';
import { since } from '../../../web/src/owner/since.ts';

const figure: AgreementFigure = {
  field: 'claims',
  part: null,
  title: 'Claims',
  coefficient: 'Cohen’s kappa',
  value: 0.618,
  undefined: null,
  n: 24,
  raters: 2,
  interval: { low: 0.405, high: 0.8, level: 0.95, method: 'bootstrap-percentile' },
  noInterval: null,
  target: 0.75,
  met: false,
  notes: [],
  growth: [],
};

describe('an agreement in words', () => {
  it('says value, interval, basis and target', () => {
    expect(figureSentence(figure)).toBe(
      'Cohen’s kappa 0.62, 95% interval 0.41 to 0.80, 24 rated by 2 people; target 0.75: not met',
    );
  });

  it('says why there is no value or no interval', () => {
    const none = {
      ...figure,
      value: null,
      undefined: 'all gave the same label',
      interval: null,
      target: null,
      n: 1,
      met: null,
    };
    expect(figureSentence(none)).toBe('Cohen’s kappa undefined: all gave the same label, 1 rated by 2 people');
    expect(figureSentence({ ...figure, interval: null, noInterval: 'one item', target: null })).toBe(
      'Cohen’s kappa 0.62, no interval: one item, 24 rated by 2 people',
    );
  });

  it('tells a target that is missed from one that cannot be told and from none', () => {
    expect(targetWords({ target: 0.75, met: true })).toBe('met');
    expect(targetWords({ target: 0.75, met: false })).toBe('not met');
    expect(targetWords({ target: 0.75, met: null })).toBe('inconclusive');
    expect(targetWords({ target: null, met: null })).toBeNull();
  });

  it('says how it grew, with the interval of each point that has one', () => {
    expect(growthWords([])).toBe('nothing yet');
    expect(
      growthWords([
        { n: 5, value: 0.25, low: -0.1, high: 1 },
        { n: 9, value: 0.5, low: null, high: null },
      ]),
    ).toBe('0.25 (−0.10 to 1.00) after 5; 0.50 after 9');
  });

  it('writes a minus where there is one left after rounding', () => {
    expect(figureNumber(-0.254)).toBe('−0.25');
    expect(figureNumber(-0.001)).toBe('0.00');
  });
});

describe('the axis of agreement', () => {
  it('reaches from -0.2 to 1, and says when a value lies beyond it', () => {
    expect(along(-0.2, AGREEMENT)).toEqual({ share: 0, beyond: false });
    expect(along(1, AGREEMENT)).toEqual({ share: 1, beyond: false });
    expect(along(0.4, AGREEMENT).share).toBeCloseTo(0.5, 12);
    expect(along(-0.7, AGREEMENT)).toEqual({ share: 0, beyond: true });
  });
});

describe('the line of growth', () => {
  it('goes through its points from left to right, with a band where there are intervals', () => {
    const path = growthPath(
      [
        { n: 2, value: -0.2, low: null, high: null },
        { n: 3, value: 0.4, low: -0.2, high: 1 },
        { n: 4, value: 0.4, low: null, high: null },
        { n: 6, value: 1, low: 0.4, high: 1 },
      ],
      100,
      60,
    );
    expect(path?.line).toBe('M0 60L25 30L50 30L100 0');
    expect(path?.band).toBe('M25 0L100 0L100 30L25 60Z');
    expect(path?.reaches).toEqual([
      { x: 25, low: 60, high: 0 },
      { x: 100, low: 30, high: 0 },
    ]);
    expect(path?.last).toEqual({ x: 100, y: 0 });
  });

  it('is not drawn for fewer than two points', () => {
    expect(growthPath([], 100, 60)).toBeNull();
    expect(growthPath([{ n: 2, value: 1, low: null, high: null }], 100, 60)).toBeNull();
  });
});

describe('how long ago', () => {
  const now = Date.parse('2030-05-10T12:00:00Z');
  it.each([
    [null, 'nothing yet'],
    ['2030-05-10T12:00:30Z', 'just now'],
    ['2030-05-10T11:59:30Z', 'just now'],
    ['2030-05-10T11:58:00Z', '2 min ago'],
    ['2030-05-10T09:30:00Z', '2 h ago'],
    ['2030-05-09T11:00:00Z', '1 day ago'],
    ['2030-05-01T12:00:00Z', '9 days ago'],
  ])('%s is %s', (at, words) => {
    expect(since(at, now)).toBe(words);
  });
});
