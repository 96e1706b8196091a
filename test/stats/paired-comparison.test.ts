import { describe, expect, test } from 'vitest';

import { buildMeasures } from '../../src/measure/measures.ts';
import { alignTables } from '../../src/stats/align-tables.ts';
import { comparePaired } from '../../src/stats/paired-comparison.ts';
import type { PairedDifference } from '../../src/stats/paired-difference.ts';
import { type Counts, counts, MEASURES, SYSTEMS, tableOf } from './made-up-counts.ts';

const SETTINGS = { resamples: 1000, level: 0.95, seed: 42, method: 'percentile' } as const;

async function compared(
  a: readonly Counts[],
  b: readonly Counts[],
  name: string,
  measures = MEASURES,
): Promise<PairedDifference> {
  const [one, other] = alignTables(tableOf(a, [], measures), tableOf(b, [], measures));
  const measure = measures.find((own) => own.name === name)!;
  return (await comparePaired(one, other, [{ measure, label: -1 }], SETTINGS))[0]!;
}

describe('wins, losses, ties and what is made of them', () => {
  /**
   * From a numpy and SciPy 1.17.1 program of its own: values per case (undefined ones leave the pair), differences
   * rounded to 12 decimals, scipy.stats.wilcoxon(d) as `auto` chooses, dz = d.mean() / d.std(ddof=1).
   */
  test.each([
    ['twelve', 'f1', 7, 4, 1, 0, 26, 0.560546875, 0.12721675313180947],
    ['twelve', 'precision', 5, 5, 2, 0, 21.5, 0.576171875, 0.15869287455526918],
    ['twelve', 'accuracy', 2, 5, 1, 4, 3, 0.078125, -0.7568941996758338],
    ['five', 'f1', 1, 4, 0, 0, 2, 0.1875, -0.9265238056921073],
    ['many', 'f1', 22, 14, 3, 1, 263.5, 0.2746392094421741, 0.17983853569880406],
    ['many', 'precision', 19, 12, 4, 5, 173.5, 0.14279128264565252, 0.22407817720307197],
    ['seldom', 'f1', 6, 0, 8, 0, 0, 0.026014479622894226, 0.6681040122573536],
  ])('%s, %s', async (set, name, wins, losses, ties, withoutPair, statistic, p, dz) => {
    const found = await compared(SYSTEMS[set]!.a, SYSTEMS[set]!.b, name);
    expect(found).toMatchObject({ wins, losses, ties, withoutPair, wilcoxon: { statistic } });
    expect(found.wilcoxon.pValue).toBeCloseTo(p, 12);
    expect(found.effect.dz).toBeCloseTo(dz, 10);
  });

  test('F1 of the same worth is a tie, although its last bits differ', async () => {
    // 1/0/4 and 1/1/3: 2 · 1 / (2 + 4) = 1/3 both.
    const found = await compared(counts('1 0 4, 1 1 3, 3 0 0'), counts('1 1 3, 1 0 4, 3 0 0'), 'f1');
    expect(found).toMatchObject({ wins: 0, losses: 0, ties: 3, difference: 0, permutation: { pValue: 1 } });
  });

  test('differences of the same size are ties to the ranks, although their last bits differ', async () => {
    // 1/3 − 0, 2/3 − 1/3 and 1 − 2/3, the last one turned round: ranks 2, 2, 2, so W = 2 and not 1 or 3.
    const found = await compared(counts('0 3 0, 1 2 0, 3 0 0'), counts('1 2 0, 2 1 0, 2 1 0'), 'precision');
    expect(found.wilcoxon).toMatchObject({ statistic: 2, n: 3 });
    expect(found.effect.rankBiserial).toBeCloseTo(1 / 3, 12);
  });

  test('where less is better, a smaller value is a win', async () => {
    const { measures } = buildMeasures({ wrong: { of: 'count', verdict: 'spurious' } }, null);
    const found = await compared(counts('1 3 0, 1 2 0, 1 1 0'), counts('1 1 0, 1 2 0, 1 2 0'), 'wrong', measures);
    expect(found).toMatchObject({ baseline: 6, other: 5, difference: -1, wins: 1, losses: 1 });
    // The second case has two in both: a tie.
    expect(found.ties).toBe(1);
  });
});

test('where 1 is best, distances from it are compared: as far off on the other side is no difference', async () => {
  const { measures } = buildMeasures({ over_extraction: {} }, null);
  // Nine cases of 10 gold items each: a says 12 each time, b 8. Both are 0.2 off.
  const [a, b]: Counts[][] = [Array.from({ length: 9 }, () => [10, 2, 0]), Array.from({ length: 9 }, () => [8, 0, 2])];
  const far = await compared(a!, b!, 'over_extraction', measures);
  expect(far).toMatchObject({ baseline: 1.2, other: 0.8, difference: 0, wins: 0, losses: 0, ties: 9 });
  expect(far.interval).toBeNull();
  // b says 9: half as far off, in every case.
  const nearer = await compared(
    a!,
    Array.from({ length: 9 }, () => [9, 0, 1]),
    'over_extraction',
    measures,
  );
  expect(nearer).toMatchObject({ baseline: 1.2, other: 0.9, wins: 9, losses: 0 });
  expect(nearer.difference).toBeCloseTo(-0.1, 12);
  expect(nearer.permutation.pValue).toBe(2 / 512);
});

describe('effect', () => {
  test('standardised is the difference by its standard error times √units', async () => {
    // The standard error of `five` from numpy at 4,000 resamples is 0.10998; 1,000 resamples come near.
    const { a, b } = SYSTEMS['five']!;
    const { effect, units } = await compared(a, b, 'f1');
    expect(units).toBe(5);
    expect(effect.standardised).toBeCloseTo(-0.13527851458885942 / (0.10997626630493391 * Math.sqrt(5)), 1);
  });

  test('is unknown where the difference does not spread', async () => {
    const a = counts('0 3 0, 1 2 0, 2 1 0');
    const b = counts('1 2 0, 2 1 0, 3 0 0');
    const found = await compared(a, b, 'precision');
    expect(found).toMatchObject({ constant: true, interval: null, effect: { standardised: null, dz: null } });
    expect(found.difference).toBeCloseTo(1 / 3, 12);
  });
});

describe('McNemar', () => {
  test('is there where each case is a yes or a no, with who was right alone', async () => {
    // 8 pairs: 5 only b, 1 only a, 2 both. p = 2 (1 + 6) / 64 = 0.21875.
    const yes: Counts = [1, 0, 0];
    const no: Counts = [0, 1, 0];
    const a = [no, no, no, no, no, yes, yes, yes];
    const b = [yes, yes, yes, yes, yes, no, yes, yes];
    const { mcnemar } = await compared(a, b, 'precision');
    expect(mcnemar).toMatchObject({ onlyBaseline: 1, onlyOther: 5, n: 6, statistic: 1, method: 'exact' });
    expect(mcnemar?.pValue).toBeCloseTo(14 / 64, 14);
    expect((await compared(a, b, 'f1')).mcnemar).toBeNull();
    expect((await compared([...a, [1, 1, 0]], [...b, yes], 'precision')).mcnemar).toBeNull();
  });
});

describe('what cannot be said', () => {
  test('undefined for one of the two: no difference, no interval, no test, and whose fault', async () => {
    expect(await compared(counts('0 0 2, 0 0 1'), counts('1 0 1, 1 0 0'), 'precision')).toMatchObject({
      baseline: null,
      other: 1,
      difference: null,
      undefined: 'undefined for the baseline: nothing was predicted',
      interval: null,
      noInterval: 'there is no difference',
      permutation: { pValue: null },
      withoutPair: 2,
    });
    expect((await compared([[1, 0, 1]], [[0, 0, 2]], 'precision')).undefined).toBe(
      'undefined for the other: nothing was predicted',
    );
  });

  test('one unit, and the same answers everywhere', async () => {
    expect((await compared([[1, 1, 0]], [[2, 0, 0]], 'f1')).noInterval).toBe(
      'there is one unit only: nothing to resample',
    );
    const { a } = SYSTEMS['twelve']!;
    expect(await compared(a, a, 'f1')).toMatchObject({
      difference: 0,
      interval: null,
      noInterval: 'the two are the same on every case',
      differing: 0,
      wins: 0,
      losses: 0,
      ties: 12,
      permutation: { pValue: 1, method: 'exact' },
    });
  });

  test('a measure without a value per case has no signed ranks', async () => {
    const { measures } = buildMeasures({ macro_f1: {} }, null);
    const found = await compared(SYSTEMS['five']!.a, SYSTEMS['five']!.b, 'macro_f1', measures);
    expect(found.wilcoxon).toMatchObject({ pValue: null, undefined: 'it has no value per case' });
    expect(found).toMatchObject({ wins: 0, losses: 0, ties: 0, mcnemar: null });
    // One label only: the macro average is that label's F1.
    expect(found.difference).toBeCloseTo(-0.13527851458885942, 12);
    expect(found.permutation.pValue).toBe(0.3125);
  });
});
