import { describe, expect, it } from 'vitest';

import { costOf } from '../../../src/experiment/limits/budget.ts';

const PRICES = { input: 0.5, output: 2 };

describe('costOf', () => {
  it('is tokens times prices for a million', () => {
    // 2,000 × 0.5 + 500 × 2 = 2,000 millionths.
    expect(costOf({ inputTokens: 2000, outputTokens: 500, cost: null }, PRICES)).toBe(0.002);
  });

  it('is what the target reports, where it does', () => {
    expect(costOf({ inputTokens: 2000, outputTokens: 500, cost: 0.7 }, PRICES)).toBe(0.7);
    expect(costOf({ inputTokens: null, outputTokens: null, cost: 0 }, null)).toBe(0);
  });

  it('is unknown, not 0, where tokens or prices are', () => {
    expect(costOf(null, PRICES)).toBeNull();
    expect(costOf({ inputTokens: 1, outputTokens: 1, cost: null }, null)).toBeNull();
    expect(costOf({ inputTokens: null, outputTokens: 1, cost: null }, PRICES)).toBeNull();
    expect(costOf({ inputTokens: 1, outputTokens: null, cost: null }, PRICES)).toBeNull();
  });

  it('does not believe a cost that is none', () => {
    expect(costOf({ inputTokens: 2000, outputTokens: 500, cost: NaN }, PRICES)).toBe(0.002);
    expect(costOf({ inputTokens: NaN, outputTokens: 500, cost: -1 }, PRICES)).toBeNull();
  });
});
