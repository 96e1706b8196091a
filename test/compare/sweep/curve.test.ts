import { describe, expect, test } from 'vitest';

import { differencesFrom } from '../../../src/compare/sweep/curve.ts';
import { sharedTables } from '../../../src/compare/sweep/system-sums.ts';
import { makeVerdict, type Verdict } from '../../../src/judge/verdict.ts';
import type { Measure } from '../../../src/measure/measure.ts';
import { buildMeasures } from '../../../src/measure/measures.ts';
import { Tally } from '../../../src/measure/tally.ts';
import type { UnitSums } from '../../../src/measure/unit-sums.ts';
import { alignTables } from '../../../src/stats/align-tables.ts';
import { MersenneTwister } from '../../../src/stats/mersenne-twister.ts';
import { pairedBootstrap } from '../../../src/stats/paired-difference.ts';
import { tableOf as countedTable } from '../../stats/count-tables.ts';

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
    tally.add({ case: String(at) }, null, verdicts);
  }
  return tally.groups()[0]!.table;
}

test('tables that hold the same are one, as long as they are read alike', () => {
  const tables = [tableOf(1), tableOf(2), tableOf(1), tableOf(1)];
  const shared = sharedTables(tables, ['', '', '', 'other measures']);
  expect(shared.map((table) => tables.indexOf(table))).toEqual([0, 1, 0, 3]);
});

describe('differences from one setting', () => {
  const measureNamed = (name: string): Measure => measures.find((one) => one.name === name)!;

  test.each(['f1', 'precision', 'recall', 'macro_f1'])('have the intervals of one pair at a time: %s', async (name) => {
    const part = { measure: measureNamed(name), label: -1 };
    const tables = [1, 2, 3, 1, 4].map((seed) => tableOf(seed, 40));
    const found = await differencesFrom(tables[1]!, tables, part.measure, SETTINGS);
    for (const [at, table] of tables.entries()) {
      const [from, to] = alignTables(tables[1]!, table);
      const alone = (await pairedBootstrap(from, [to], [part], SETTINGS))[0]![0];
      expect(found[at]).toMatchObject({ interval: alone!.interval, noInterval: alone!.noInterval });
    }
    expect(found[0]!.interval).not.toBeNull();
    expect(found[1]).toMatchObject({ difference: 0, interval: null, shown: false });
  });

  test('are those of the distances where the best value lies between the ends', async () => {
    // 12 predicted for 10, then 9 for 10: 0.2 above 1 and 0.1 below it. Drawn again, the second is 8, 9 or 10 for 10.
    const { measures: over } = buildMeasures({ over_extraction: {} }, null);
    const more = { hit: 5, missed: 0, spurious: 1 };
    const from = countedTable(over, [more, more]);
    const to = countedTable(over, [
      { hit: 4, missed: 1, spurious: 0 },
      { hit: 5, missed: 0, spurious: 0 },
    ]);
    const [found] = await differencesFrom(from, [to], over[0]!, SETTINGS);
    expect(found!.difference).toBeCloseTo(-0.1, 12);
    expect(found!.interval!.low).toBeCloseTo(-0.2, 12);
    expect(found!.interval!.high).toBeCloseTo(0, 12);
    expect(found!.shown).toBe(false);
  });

  test('have no interval where there is one case only', async () => {
    const [found] = await differencesFrom(tableOf(3, 1), [tableOf(3, 1)], measureNamed('f1'), SETTINGS);
    expect(found).toMatchObject({ interval: null, shown: false });
  });

  test('are also found where the settings hold different cases', async () => {
    const [found] = await differencesFrom(tableOf(1), [tableOf(2, 11)], measureNamed('f1'), SETTINGS);
    expect(found!.interval).not.toBeNull();
  });
});
