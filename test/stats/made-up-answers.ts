import type { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import type { CaseCounts } from './count-tables.ts';
import { binomial, poisson, sample, uniform } from './simulate.ts';

/** Items of a case and the chance that a system finds one, which all systems share: what is hard is hard for all. */
export interface Question {
  readonly gold: number;
  readonly chance: number;
}

/** 1 + Poisson(3) gold items a case, found with a chance between 0.3 and 0.9. */
export function questions(random: MersenneTwister, n: number): Question[] {
  return sample(n, () => ({ gold: 1 + poisson(random, 3), chance: 0.3 + 0.6 * uniform(random) }));
}

/** A system's answers, Poisson(2 (1 − chance)) spurious ones among them; it loses a share of the hits it would have. */
export function answers(random: MersenneTwister, asked: readonly Question[], lost = 0): CaseCounts[] {
  return asked.map(({ gold, chance }) => {
    const hit = binomial(random, gold, chance * (1 - lost));
    return { hit, missed: gold - hit, spurious: poisson(random, 2 * (1 - chance)) };
  });
}

/** What the measures come to over ever more cases: on average 4 gold items, 2.4 hits less those lost, 0.8 spurious. */
export function trueValues(lost = 0): { precision: number; recall: number; f1: number } {
  const hit = 2.4 * (1 - lost);
  return { precision: hit / (hit + 0.8), recall: hit / 4, f1: (2 * hit) / (hit + 0.8 + 4) };
}
