import { describe, expect, it, vi } from 'vitest';

import { UsageError } from '../../../src/data/problems.ts';
import { Budget, costOf } from '../../../src/experiment/limits/budget.ts';

function used(inputTokens: number | null, outputTokens: number | null) {
  return { inputTokens, outputTokens, cost: null };
}

describe('Budget', () => {
  it('is never reached without limits', () => {
    const budget = new Budget({ cost: null });
    for (let call = 0; call < 1000; call += 1) budget.spend(used(1e6, 1e6), 100);
    expect(budget.reached()).toBeNull();
    expect(budget.spent).toEqual({ cost: 100_000, tokens: 2e9, calls: 1000, withoutCost: 0, withoutTokens: 0 });
  });

  it('is reached when the cost is', () => {
    const budget = new Budget({ cost: 1 });
    for (let call = 0; call < 9; call += 1) budget.spend(null, 0.1);
    expect(budget.reached()).toBeNull();
    // Ten times 0.1 is 0.9999999999999999 in floating point.
    budget.spend(null, 0.1);
    expect(budget.reached()).toBe('the budget of 1 is used up: 1 for 10 calls');
  });

  it('is reached when the tokens are, of input and output together', () => {
    const budget = new Budget({ tokens: 100 });
    budget.spend(used(60, 39), null);
    expect(budget.reached()).toBeNull();
    budget.spend(used(20, 5), null);
    expect(budget.reached()).toBe('the budget of 100 tokens is used up: 124 tokens for 2 calls');
  });

  it('counts a call whose answer never came as the dearest answered call', () => {
    const budget = new Budget({ cost: 1 });
    const tokens = new Budget({ tokens: 100 });
    budget.lostCalls = tokens.lostCalls = () => 2;
    // Nothing is known of what a call costs before the first answer.
    expect(budget.reached()).toBeNull();
    budget.spend(null, 0.25);
    budget.spend(null, 0.125);
    expect(budget.reached()).toBeNull();
    budget.spend(null, 0.25);
    // 0.25 + 0.125 + 0.25 were answered, and 2 · 0.25 may have been paid.
    expect(budget.reached()).toBe(
      'the budget of 1 is used up: 0.625 for 3 calls, and up to 0.5 for 2 calls whose answer never came',
    );
    tokens.spend(used(20, 13), null);
    expect(tokens.reached()).toBeNull();
    tokens.spend(used(1, 0), null);
    expect(tokens.reached()).toBe(
      'the budget of 100 tokens is used up: 34 tokens for 2 calls, and up to 66 for 2 calls whose answer never came',
    );
  });

  it('is reached when the time is', () => {
    using clock = vi.spyOn(performance, 'now').mockReturnValue(5000);
    const budget = new Budget({ timeMs: 90_000 });
    clock.mockReturnValue(94_999);
    expect(budget.reached()).toBeNull();
    clock.mockReturnValue(95_000);
    expect(budget.reached()).toBe('the time of 1 min 30 s is used up after 0 calls');
  });

  it('knows no cost while no call has one, and counts those without', () => {
    const budget = new Budget({});
    budget.spend(null, null);
    budget.spend(used(null, 7), null);
    expect(budget.spent).toEqual({ cost: null, tokens: 7, calls: 2, withoutCost: 2, withoutTokens: 2 });
    budget.spend(used(1, 2), 0);
    expect(budget.spent).toEqual({ cost: 0, tokens: 10, calls: 3, withoutCost: 2, withoutTokens: 2 });
  });

  it('never adds up what is no amount', () => {
    const budget = new Budget({ cost: 1 });
    budget.spend(used(NaN, -5), NaN);
    budget.spend(used(Infinity, 1), -1);
    expect(budget.spent).toEqual({ cost: null, tokens: 1, calls: 2, withoutCost: 2, withoutTokens: 2 });
  });

  it('of nothing is reached before the first call', () => {
    expect(new Budget({ cost: 0 }).reached()).toContain('the budget of 0 is used up');
    expect(new Budget({ tokens: 0 }).reached()).toContain('0 tokens is used up');
    expect(new Budget({ timeMs: 0 }).reached()).toContain('the time of 0.0 s is used up');
  });

  it.each([NaN, -1, Infinity])('refuses %d', (limit) => {
    expect(() => new Budget({ cost: limit })).toThrow(UsageError);
    expect(() => new Budget({ tokens: limit })).toThrow('the budget of tokens');
  });
});

describe('a budget of what is not known', () => {
  it('ends the run: an answer without its cost, or its tokens, may have cost anything', () => {
    const cost = new Budget({ cost: 5 });
    cost.spend({ inputTokens: 1, outputTokens: 1, cost: null }, null);
    expect(cost.reached()).toBe('the budget of 5 cannot be kept: the cost of 1 call is not known');
    const tokens = new Budget({ tokens: 5 });
    tokens.spend(null, 1);
    tokens.spend({ inputTokens: 1, outputTokens: null, cost: null }, 1);
    expect(tokens.reached()).toBe('the budget of 5 tokens cannot be kept: those of 2 calls are not known');
    expect(new Budget({ cost: 5 }).reached()).toBeNull();
  });
});

const PRICES = { input: 0.5, output: 2 };

describe('costOf', () => {
  it('is half of it for an answer from a batch, or the share that the prices give', () => {
    const usage = { inputTokens: 2000, outputTokens: 500, cost: null };
    expect(costOf(usage, { input: 0.5, output: 2 }, true)).toBe(0.001);
    expect(costOf(usage, { input: 0.5, output: 2, batch: 0.25 }, true)).toBe(0.0005);
    expect(costOf(usage, { input: 0.5, output: 2, batch: 0.25 }, false)).toBe(0.002);
    expect(costOf({ ...usage, cost: 0.7 }, { input: 0.5, output: 2 }, true)).toBe(0.7);
  });

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
