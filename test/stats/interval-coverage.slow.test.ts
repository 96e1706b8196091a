import { describe, expect, it } from 'vitest';

import {
  CEILINGS,
  ceilingTallies,
  coverage,
  floorTallies,
  GATED,
  MACROS,
  macroTallies,
  marginTallies,
  scoredDocuments,
} from './interval-coverage.ts';

/** The same simulation as bench/coverage.ts, with fewer data sets. */
const SETS = 400;
/** Three standard errors above what docs/gate.md promises: 3.5 % of wrong passes. */
const MOST = 0.035 + 3 * Math.sqrt((0.035 * 0.965) / SETS);

describe('means over labels, one of which 3 % of the spans have', () => {
  it.each([60, 120])(
    'hold the truth in 93 to 98 of 100 sets of %d documents, less the luck of the seed',
    async (cases) => {
      const labels = { A: { share: 0.485, found: 1 }, B: { share: 0.485, found: 1 }, RARE: { share: 0.03, found: 1 } };
      const tallies = await macroTallies({ labels, hits: [8, 2], alarms: 1 }, cases, SETS);
      for (const name of MACROS) {
        const tally = tallies.get(`macro_${name} combined`)!;
        expect(coverage(tally)).toBeGreaterThan(0.93 - 0.035);
        expect(coverage(tally)).toBeLessThan(0.995);
        expect(tally.withheld).toBeLessThan(0.1 * SETS);
      }
    },
  );
});

describe('means over twelve labels, the errors of which add up', () => {
  it.each([
    [30, 'alike'],
    [200, 'unlike'],
  ])(
    'hold the truth in 93 of 100 sets of %d documents or more, less the luck of the seed; shares: %s',
    async (cases, kind) => {
      const shares =
        kind === 'alike'
          ? Array.from({ length: 12 }, () => 1 / 12)
          : [0.3, 0.2, 0.15, 0.1, 0.08, 0.05, 0.04, 0.03, 0.02, 0.01, 0.01, 0.01];
      const labels = Object.fromEntries(shares.map((share, at) => [`L${at}`, { share, found: 1 }]));
      const tallies = await macroTallies({ labels, hits: [8, 2], alarms: 1 }, cases, SETS);
      for (const name of MACROS) expect(coverage(tallies.get(`macro_${name} combined`)!)).toBeGreaterThan(0.93 - 0.02);
    },
  );
});

describe('gate intervals pass wrongly at a limit that is the truth in at most 3.5 of 100', () => {
  it.each([
    [10, 0.9],
    [30, 0.8],
    [30, 0.95],
    [50, 0.9],
    [100, 0.98],
  ])('%d cases with a score of %d', async (cases, score) => {
    const tallies = await floorTallies(scoredDocuments(score, 10), cases, SETS);
    for (const name of GATED) expect(tallies.get(`${name} studentised`)!.above / SETS).toBeLessThan(MOST);
  });

  it.each([
    [30, 0.1],
    [100, 1],
  ])('%d cases with a second system, of whose answers a share of %d is drawn again', async (cases, redrawn) => {
    const tallies = await marginTallies({ score: 0.9, alike: 10, lost: 0.02, redrawn }, cases, SETS);
    for (const name of GATED) expect(tallies.get(`${name} studentised`)!.above / SETS).toBeLessThan(MOST);
  });

  it.each([
    [10, 1, SETS],
    [60, 5, 0.1 * SETS],
    [100, 1, 0],
  ])(
    '%d cases with %d numbers each, of which the mean and percentiles have a ceiling',
    async (cases, numbers, withheld) => {
      const tallies = await ceilingTallies(numbers, cases, SETS);
      for (const name of Object.keys(CEILINGS))
        expect(tallies.get(`${name} studentised`)!.below / SETS).toBeLessThan(MOST);
      expect(tallies.get('p95 studentised')!.withheld).toBeLessThanOrEqual(withheld);
      expect(tallies.get('p50 studentised')!.withheld).toBe(0);
    },
  );
});
