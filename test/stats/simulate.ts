import { expect } from 'vitest';

import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';

export * from './samplers.ts';

/** A share of 5 % of these is seen with a standard error of half a per cent. */
const DATA_SETS = 2000;
/** For what is quick to work out: bounds one per cent off then cannot be missed by the luck of the seed. */
export const MANY_DATA_SETS = 20_000;
const SEED = 42;
/** Resampling within a data set has a seed of its own, never the one that the data came from. */
const RESAMPLING_SEED = 1000;

/** Says of a data set whether something happened in it. */
export type Note = (name: string, happened: boolean) => void;

/**
 * Makes data sets and gives the share of them in which something happened; prints the shares, so that they can be
 * quoted. `trial` makes one data set from the generator and resamples it with the seed it is given: with one seed for
 * all, the luck of one list of draws would be in every data set.
 */
export async function simulate(
  about: string,
  trial: (random: MersenneTwister, seed: number, note: Note) => Promise<void> | void,
  dataSets = DATA_SETS,
): Promise<(name: string) => number> {
  const random = new MersenneTwister(SEED);
  const counts = new Map<string, number>();
  const note: Note = (name, happened) => counts.set(name, (counts.get(name) ?? 0) + (happened ? 1 : 0));
  for (let set = 0; set < dataSets; set += 1) await trial(random, RESAMPLING_SEED + set, note);
  const shares = [...counts].map(([name, count]) => `${name} ${((100 * count) / dataSets).toFixed(2)} %`);
  console.log(`${about}, ${dataSets} data sets: ${shares.join(', ')}`);
  return (name) => {
    const count = counts.get(name);
    if (count === undefined) throw new Error(`${about}: nothing was noted as ${name}`);
    return count / dataSets;
  };
}

/** Whether a test rejects at 0.05; one without a p value does not. */
export function rejects(pValue: number | null): boolean {
  return pValue !== null && pValue <= 0.05;
}

/** How often a test may reject where there is nothing to find; one that is exact and has few p values may stay below. */
export function expectLevel(share: number, pValues: 'continuous' | 'discrete'): void {
  expect(share).toBeLessThanOrEqual(0.06);
  if (pValues === 'continuous') expect(share).toBeGreaterThanOrEqual(0.04);
}

/** How often a 95 % interval may hold the truth. */
export function expectCoverage(share: number): void {
  expect(share).toBeGreaterThanOrEqual(0.925);
  expect(share).toBeLessThanOrEqual(0.97);
}

/** Whether an interval holds the truth; none holds nothing. */
export function covers(
  interval: { readonly low: number | null; readonly high: number | null } | null,
  truth: number,
): boolean {
  return (
    interval !== null &&
    interval.low !== null &&
    interval.high !== null &&
    interval.low <= truth &&
    truth <= interval.high
  );
}
