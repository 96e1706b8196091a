import { describe, expect, it } from 'vitest';

import { estimateText, rangeText, valueText } from '../../../../web/src/report/figures/number-words.ts';

describe('numbers of figures in words', () => {
  it('never make an undefined value a number', () => {
    expect(valueText(null)).toBe('–');
    expect(rangeText(null)).toBe('–');
    expect(estimateText(null, null, 'nobody labelled it')).toBe('undefined: nobody labelled it');
  });

  it('give estimates with their interval', () => {
    expect(estimateText(0.618, { low: 0.405, high: 0.8, level: 0.95, method: 'bootstrap' }, null)).toBe(
      '0.618 (95 % interval 0.405 to 0.800)',
    );
    expect(estimateText(0.618, null, null)).toBe('0.618 (no interval)');
  });
});
