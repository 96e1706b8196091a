import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { seededNumbers, type Queued, queueOrder, shuffled } from '../../src/review/assignments.ts';

const answers = (counts: readonly number[]): Queued[] =>
  counts.flatMap((count, at) => Array.from({ length: count }, () => ({ kind: 'answer' as const, caseId: `c${at}` })));

const neighbours = (order: readonly Queued[]): number =>
  order.filter((one, at) => at > 0 && one.kind === 'answer' && order[at - 1]!.caseId === one.caseId).length;

describe('the order of a queue', () => {
  it('is the same for the same seed and name, and another for another person', () => {
    const items = answers([1, 1, 1, 1, 1, 1, 1, 1]);
    const order = (seed: number, name: string): string[] =>
      queueOrder(items, seededNumbers(seed, name)).map(({ caseId }) => caseId);
    expect(order(7, 'Asha')).toEqual(order(7, 'Asha'));
    expect(order(7, 'Asha')).not.toEqual(order(7, 'Ravi'));
    expect(order(7, 'Asha')).not.toEqual(order(8, 'Asha'));
  });

  it('has every case by itself before every answer', () => {
    const items: Queued[] = [...answers([2, 2]), { kind: 'case', caseId: 'c0' }, { kind: 'case', caseId: 'c1' }];
    const kinds = queueOrder(items, seededNumbers(1, 'x')).map(({ kind }) => kind);
    expect(kinds).toEqual(['case', 'case', 'answer', 'answer', 'answer', 'answer']);
  });

  it('keeps answers to one case apart wherever that is possible, and never loses one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 }),
        fc.nat(),
        (counts, seed) => {
          const items = answers(counts);
          const order = queueOrder(items, seededNumbers(seed, 'x'));
          const total = items.length;
          // With more of one case than of all others together by more than one, the surplus has to touch.
          const most = Math.max(...counts);
          const unavoidable = Math.max(0, most - (total - most) - 1);
          expect(neighbours(order)).toBe(unavoidable);
          expect(order.map(({ caseId }) => caseId).sort()).toEqual(items.map(({ caseId }) => caseId).sort());
        },
      ),
      { seed: 6, numRuns: 200 },
    );
  });

  it('does not begin with the answer to the case that was just looked at', () => {
    for (let seed = 0; seed < 30; seed += 1) {
      const items: Queued[] = [...answers([1, 1, 1]), { kind: 'case', caseId: 'c1' }];
      expect(queueOrder(items, seededNumbers(seed, 'x'))[1]?.caseId).not.toBe('c1');
    }
  });

  it('reaches every order of three about as often as any other', () => {
    const seen = new Map<string, number>();
    for (let seed = 0; seed < 6000; seed += 1) {
      const key = shuffled(['a', 'b', 'c'], seededNumbers(seed, 'x')).join('');
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    expect(seen.size).toBe(6);
    // 1000 expected of each; five standard deviations of a binomial are 144.
    for (const count of seen.values()) expect(Math.abs(count - 1000)).toBeLessThan(144);
  });
});
