import { expect, it } from 'vitest';

import { gateOutcome } from '../../src/report/gate-words.ts';
import { judged } from '../compare/gate/made-up-gate.ts';

const RULES = `rules:
  - { measure: f1, atLeast: 0.8 }
  - { measure: f1, atLeast: 0.6, sure: true }
  - failed: { atMost: 0 }
`;

it('an experiment’s gate has the verdict and the checks that were not passed, in words', async () => {
  const { verdict, counts, notPassed } = gateOutcome(await judged(RULES));
  expect(verdict).toBe('failed');
  expect(counts).toBe('1 of 3 checks failed, 1 inconclusive, 1 passed');
  expect(notPassed.map((check) => [check.verdict, check.demand])).toEqual([
    ['failed', 'f1 ≥ 0.8'],
    ['inconclusive', 'f1 surely ≥ 0.6'],
  ]);
  expect(notPassed[0]?.why).toBe('0.700 (95 % interval 0.550 to 0.800, n = 18, 4 cases), which is below 0.8.');
});

it('an experiment’s gate that is passed has none', async () => {
  expect(gateOutcome(await judged('rules:\n  - { measure: f1, atLeast: 0.1 }\n'))).toEqual({
    verdict: 'passed',
    counts: '1 check passed',
    notPassed: [],
  });
});
