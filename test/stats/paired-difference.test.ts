import { expect, test } from 'vitest';

import type { Sureness } from '../../src/measure/results.ts';
import { alignTables } from '../../src/stats/align-tables.ts';
import { pairedBootstrap } from '../../src/stats/paired-difference.ts';
import { type Counts, counts, MEASURES, SYSTEMS, tableOf, valueTable } from './made-up-counts.ts';

const PARTS = MEASURES.map((measure) => ({ measure, label: -1 }));
const SETTINGS = { resamples: 4000, level: 0.95, seed: 42, method: 'percentile' } as const;

async function differenceOf(a: readonly Counts[], b: readonly Counts[], name: string, method: 'percentile' | 'bca') {
  const [one, other] = alignTables(tableOf(a), tableOf(b));
  const resamples = a.length === 12 ? 4096 : 4000;
  const [found] = await pairedBootstrap(one, [other], PARTS, { ...SETTINGS, resamples, method });
  return found![MEASURES.findIndex((measure) => measure.name === name)]!;
}

/**
 * From a numpy program of its own: i = RandomState(42).randint(0, n, n), 4,000 times (4,096 for `twelve`), over the cases
 * in the text order of their ids; value of b's sums of i − value of a's sums of the same i; np.percentile, and BCa with
 * the difference without case i for the acceleration; np.std(…, ddof=1).
 */
const EXPECTED = valueTable(`
  twelve f1 -0.03170731707317076 -0.18463109602815486 0.09646254079967367 -0.22333063674975326 0.07625938836623557 0.07273522795496284
  twelve precision -0.03170731707317076 -0.20403590497984087 0.12707342243701075 -0.22239778767421223 0.10834125840275344 0.08252563547956668
  twelve accuracy -0.2833333333333333 -0.556159420289855 0.007154882154882171 -0.5573865093738198 0.006712230468669977 0.14451863878344784
  five f1 -0.13527851458885942 -0.33333333333333337 0.05040650406504055 -0.33333333333333337 0.08466819221967958 0.10997626630493391
  five precision -0.10769230769230775 -0.43333333333333335 0.25 -0.4285714285714286 0.2914979757085021 0.18189547707330478
  five accuracy 0.2777777777777778 -0.23809523809523808 0.6153846153846154 -0.3467045186343149 0.5555555555555556 0.21624206995353573
  many f1 0.06419416416689394 -0.06262695450903077 0.18437982702133648 -0.06259836667557821 0.18467153993038848 0.06239039863582307
  many precision 0.04928354320451589 -0.08810322299651567 0.1820500309331038 -0.090219925142404 0.18054402077037385 0.07101018099155544
  many accuracy 0.19405003380662605 -0.03716253386600535 0.4203887578616352 -0.04569436172423384 0.41415529154483066 0.11876358044033851
  skewed f1 0.04883720930232549 0.0 0.13094240275091343 0.0 0.1776415393375819 0.034937877355443785
  skewed precision 0.12352941176470589 0.0 0.3571428571428571 0.0 0.4545454545454546 0.09445359296693502
  seldom f1 0.16274509803921566 0.07562838468720828 0.2779746211102143 0.07531777850814073 0.27745877783134476 0.05275876614707279
  seldom precision 0.1143790849673203 0.05277777777777781 0.19999999999999996 0.05366043475405662 0.2 0.03847205313415895
  seldom accuracy -0.21491228070175444 -0.4444444444444444 -0.07272068511198941 -0.4375 -0.07070707070707072 0.09492700661111882
`);

test.each(EXPECTED)('%s, %s: as numpy has it', async (set, name, difference, ...ends) => {
  const { a, b } = SYSTEMS[set]!;
  for (const [method, low, high] of [
    ['percentile', ends[0]!, ends[1]!] as const,
    ['bca', ends[2]!, ends[3]!] as const,
  ]) {
    const found = await differenceOf(a, b, name, method);
    expect(found.noInterval).toBeNull();
    expect(found.interval?.low).toBeCloseTo(low, 12);
    expect(found.interval?.high).toBeCloseTo(high, 12);
    expect(found.standardError).toBeCloseTo(ends[4]!, 12);
    expect(low).toBeLessThan(difference);
  }
});

test('what makes a case hard for both cancels out: a constant difference has no spread', async () => {
  // Precision 0/3 to 3/3, each case one better with the other: b − a is 1/3 whatever is drawn.
  const a = counts('0 3 0, 1 2 0, 2 1 0, 1 2 0');
  const b = a.map(([hit, spurious]): Counts => [hit + 1, spurious - 1, 0]);
  const found = await differenceOf(a, b, 'precision', 'percentile');
  expect(found).toMatchObject({ interval: null, standardError: 0 } satisfies Partial<typeof found>);
});

test('the same counts are a difference of 0 without spread, and said to be', async () => {
  const found: Sureness & { standardError: number | null } = await differenceOf(
    SYSTEMS['five']!.a,
    SYSTEMS['five']!.a,
    'f1',
    'percentile',
  );
  expect(found.interval).toBeNull();
  expect(found.standardError).toBe(0);
});

test('a resample in which one of the two is undefined counts as undefined', async () => {
  // Only a's precision is undefined, and only where neither of its two cases is drawn: (2/4)⁴ = 6 % of the resamples.
  const a = counts('1 1 0, 1 0 0, 0 0 1, 0 0 1');
  const b = counts('1 0 0, 1 1 0, 1 0 0, 0 1 1');
  const found = await differenceOf(a, b, 'precision', 'percentile');
  expect(found.interval).toBeNull();
  expect(found.noInterval).toMatch(/^it is undefined in \d+ of 4000 resamples/);
});
