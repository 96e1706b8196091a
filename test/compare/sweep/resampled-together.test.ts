import { describe, expect, test } from 'vitest';

import { makeVerdict, type Verdict } from '../../../src/judge/verdict.ts';
import { buildMeasures } from '../../../src/measure/measures.ts';
import { Tally } from '../../../src/measure/tally.ts';
import type { UnitSums } from '../../../src/measure/unit-sums.ts';
import { pairedPoints } from '../../../src/compare/sweep/paired-points.ts';
import { canResampleTogether, resampledTogether } from '../../../src/compare/sweep/resampled-together.ts';
import { MersenneTwister } from '../../../src/stats/mersenne-twister.ts';

const SETTINGS = { resamples: 300, level: 0.95, seed: 42, method: 'percentile' } as const;
const { measures } = buildMeasures({ f1: {}, precision: {}, recall: {}, macro_f1: {} }, null);
const FATES = ['hit', 'missed', 'spurious'] as const;

/** Cases whose verdicts are drawn; the same seed, the same table. */
function tableOf(seed: number, cases = 12): UnitSums {
  const random = new MersenneTwister(seed);
  const tally = new Tally(measures, []);
  for (let at = 0; at < cases; at += 1) {
    const verdicts = Array.from({ length: random.below(4) }, (): Verdict => {
      const verdict = FATES[random.below(FATES.length)]!;
      const credit = verdict === 'hit' && random.below(3) === 0 ? { credit: 0.3 } : {};
      return makeVerdict({
        case: String(at),
        scheme: null,
        kind: 'span',
        verdict,
        rule: 'pair',
        label: 'ABC'[random.below(3)]!,
        ...credit,
      });
    });
    tally.add({ case: String(at), failed: null, answered: true, slices: null, cluster: null }, null, verdicts);
  }
  return tally.groups()[0]!.table;
}

describe('points that are resampled together', () => {
  test.each(['f1', 'precision', 'recall'])('have the intervals of one pair at a time: %s', async (name) => {
    const measure = measures.find((one) => one.name === name)!;
    const tables = [1, 2, 3, 1, 4].map((seed) => tableOf(seed));
    expect(canResampleTogether(tables, measure, SETTINGS)).toBe(true);
    const found = await resampledTogether(tables, 1, measure, SETTINGS, () => undefined);
    for (const [at, table] of tables.entries())
      expect(found[at]).toEqual(await pairedPoints(tables[1]!, table, measure, SETTINGS));
    expect(found[0]!.interval).not.toBeNull();
    expect(found[1]).toMatchObject({ difference: 0, interval: null, shown: false });
  });

  test('are not where the measure, the method or the cases do not allow it', () => {
    const [f1, macro] = [measures[0]!, measures.find(({ name }) => name === 'macro_f1')!];
    const tables = [tableOf(1), tableOf(2)];
    expect(canResampleTogether(tables, macro, SETTINGS)).toBe(false);
    expect(canResampleTogether(tables, f1, { ...SETTINGS, method: 'bca' })).toBe(false);
    expect(canResampleTogether([tableOf(1), tableOf(2, 11)], f1, SETTINGS)).toBe(false);
    expect(canResampleTogether([tableOf(1, 1)], f1, SETTINGS)).toBe(false);
  });
});
