import { describe, expect, test } from 'vitest';

import { buildMeasures } from '../../src/measure/measures.ts';
import type { Sureness } from '../../src/measure/results.ts';
import { type CaseFacts, Tally } from '../../src/measure/tally.ts';
import type { UnitSums } from '../../src/measure/unit-sums.ts';
import { type IntervalSettings, measureIntervals } from '../../src/stats/measure-intervals.ts';
import { missed } from '../judge/verdicts.ts';
import { span } from '../pair/items.ts';
import { type Counts, counts, MEASURES, SYSTEMS, tableOf, valueTable, verdictsOf } from './made-up-counts.ts';

const SETTINGS: IntervalSettings = { resamples: 2000, level: 0.95, seed: 42, method: 'percentile', unit: 'case' };

async function sureOf(table: UnitSums, name: string, settings: Partial<IntervalSettings> = {}): Promise<Sureness> {
  const [whole = []] = await measureIntervals(table, MEASURES, false, { ...SETTINGS, ...settings });
  return whole[MEASURES.findIndex((measure) => measure.name === name)]!;
}

/**
 * From a numpy program of its own: rs = RandomState(seed); 2,000 times i = rs.randint(0, n, n) over the cases in the
 * text order of their ids; sums s of counts[i]; f1 = 2h / (2h + s + m), precision = h / (h + s), accuracy = r / h; then
 * np.percentile. BCa: z0 = Φ⁻¹((#below + #not above) / 2B), a = Σd³ / 6 (Σd²)^1.5 over d = mean − value without case i;
 * scipy.stats.bootstrap (1.17.1) gives the same ends for the same resampled values. `level` is `twelve` at 0.9, seed 7.
 */
const EXPECTED = valueTable(`
  twelve f1 0.7317073170731707 0.5964912280701754 0.8372093023255814 0.5970149253731343 0.8372093023255814
  twelve precision 0.7317073170731707 0.5925925925925926 0.8571428571428571 0.5948181914381857 0.8604651162790697
  twelve accuracy 0.5333333333333333 0.2926829268292683 0.772763929618768 0.25806451612903225 0.741752920068436
  skewed f1 0.6511627906976745 0.24975000000000044 0.8421052631578947 0.32235939051500057 0.8936603242171471
  skewed precision 0.7 0.2727272727272727 0.9143452380952377 0.35714285714285715 0.9611842910228884
  skewed accuracy 0.5714285714285714 0.42857142857142855 1.0 0.25 1.0
  five f1 0.8275862068965517 0.6829268292682927 1.0 0.6470588235294118 1.0
  five precision 0.8 0.6470588235294118 1.0 0.631578947368421 1.0
  five accuracy 0.5 0.3333333333333333 0.7783333333333303 0.3333333333333333 0.8
  many f1 0.5368421052631579 0.4444144144144144 0.6261705843481544 0.44177153518573314 0.6222895945282718
  many precision 0.5425531914893617 0.44940016385767795 0.6373860182370819 0.4466284727497422 0.6358243367952482
  many accuracy 0.39215686274509803 0.21951219512195122 0.5769444444444443 0.22711314856208237 0.5813870470204332
  seldom f1 0.47058823529411764 0.3156725146198832 0.59375 0.32 0.6
  seldom precision 0.4444444444444444 0.2857142857142857 0.5833333333333334 0.30434782608695654 0.6
  seldom accuracy 0.5833333333333334 0.2 1.0 0.18181818181818182 0.9230769230769231
  level f1 0.7317073170731707 0.625 0.821917808219178 0.6166489394260067 0.8157894736842105
  level precision 0.7317073170731707 0.6175339366515836 0.8333333333333334 0.625 0.8378378378378378
  level accuracy 0.5333333333333333 0.3333333333333333 0.742338709677419 0.2894736842105263 0.7142857142857143
`);

describe('intervals of sums over cases', () => {
  test.each(EXPECTED)('%s, %s: as numpy and SciPy have it', async (set, name, value, ...ends) => {
    const table = tableOf(SYSTEMS[set === 'level' ? 'twelve' : set]!.a);
    const settings = set === 'level' ? { level: 0.9, seed: 7 } : {};
    for (const [method, low, high] of [
      ['percentile', ends[0]!, ends[1]!] as const,
      ['bca', ends[2]!, ends[3]!] as const,
    ]) {
      const { interval, noInterval } = await sureOf(table, name, { ...settings, method });
      expect(noInterval).toBeNull();
      expect(interval).toMatchObject({ method: `bootstrap-${method}`, level: set === 'level' ? 0.9 : 0.95 });
      expect(interval?.low).toBeCloseTo(low, 12);
      expect(interval?.high).toBeCloseTo(high, 12);
      expect(interval?.low).toBeLessThan(value);
      expect(interval?.high).toBeGreaterThan(value);
    }
  });

  test('a ratio is a ratio of sums: one large case weighs as much as its counts do', async () => {
    // Resamples of two cases: 90/100 twice, both, 0/2 twice. A mean of ratios would give 0.45 where this gives 90/102.
    const table = tableOf(counts('90 10 0, 0 2 0'));
    const { interval } = await sureOf(table, 'precision');
    expect(interval).toMatchObject({ low: 0, high: 0.9 });
    const half = await sureOf(table, 'precision', { level: 0.2 });
    expect(half.interval).toMatchObject({ low: 90 / 102, high: 90 / 102 });
  });

  test('three cases: 27 draws, of which the two outermost are all of one case', async () => {
    // Each of the three has precision 1, 1/2, 0 over two items: the mean of three draws is 1 with chance 1/27 = 3.7 %.
    const table = tableOf(counts('2 0 0, 1 1 0, 0 2 0'));
    expect((await sureOf(table, 'precision')).interval).toMatchObject({ low: 0, high: 1 });
    // Of the middle 90 % the ends are at 5 %: 1/27 are 0, the next 3/27 are 1/6.
    const ninety = await sureOf(table, 'precision', { level: 0.9, resamples: 20_000 });
    expect(ninety.interval).toMatchObject({ low: 1 / 6, high: 5 / 6 });
  });
});

describe('where resampling has nothing to say', () => {
  test('no case, one case, one case of several, and all the same are said in words', async () => {
    expect(await sureOf(tableOf([]), 'f1')).toEqual({ interval: null, noInterval: 'there is no value' });
    expect((await sureOf(tableOf([[3, 1, 0, 2]]), 'f1')).noInterval).toBe(
      'there is one case only: nothing to resample',
    );
    expect((await sureOf(tableOf(counts('3 1 0, 0 0 0')), 'f1')).noInterval).toBe(
      'only one case has anything to measure: nothing to resample',
    );
    expect((await sureOf(tableOf(counts('3 1 0, 3 1 0, 6 2 0')), 'precision')).noInterval).toBe(
      'every resample gave the same value: these cases cannot show how much it varies',
    );
    expect((await sureOf(tableOf(counts('3 0 0, 2 0 0')), 'f1')).interval).toBeNull();
  });

  test('more than one in twenty resamples without a value: none, with their number', async () => {
    // Two of eight cases have hits: a draw misses both with chance (6/8)⁸ = 10 %.
    const rows: Counts[] = [[4, 0, 0, 1], [3, 0, 0, 3], ...Array.from({ length: 6 }, (): Counts => [0, 1, 0])];
    const { interval, noInterval } = await sureOf(tableOf(rows), 'accuracy');
    expect(interval).toBeNull();
    const found = /^it is undefined in (\d+) of 2000 resamples/.exec(noInterval ?? '')?.[1];
    expect(Number(found) / 2000).toBeCloseTo(0.1001, 1);
    // Two of four: (2/4)⁴ = 6 %; three of four: (1/4)⁴ = 0.4 %, which is let pass.
    expect((await sureOf(tableOf(rows.slice(0, 4)), 'accuracy')).interval).toBeNull();
    expect((await sureOf(tableOf([[4, 0, 0, 1], ...rows.slice(0, 3)]), 'accuracy')).interval).not.toBeNull();
  });

  test('with zeroDivision a value without any case to it is still no certainty', async () => {
    const { measures } = buildMeasures({ precision: {} }, 0);
    const [whole = []] = await measureIntervals(
      tableOf(counts('0 0 1, 0 0 2'), [], measures),
      measures,
      false,
      SETTINGS,
    );
    expect(whole).toEqual([{ interval: null, noInterval: 'no case has anything to measure' }]);
    const none = await measureIntervals(tableOf([], [], measures), measures, false, SETTINGS);
    expect(none[0]?.[0]?.noInterval).toBe('no case has anything to measure');
  });
});

describe('a plain proportion', () => {
  // One yes or no a case: 8 of 10. Wilson: (0.8 + z²/20 ± z √(0.016 + z²/400)) / (1 + z²/10), z = 1.959964.
  test('one yes or no a case gets Wilson’s interval', async () => {
    const rows = Array.from({ length: 10 }, (_, at): Counts => (at < 8 ? [1, 0, 0] : [0, 1, 0]));
    const { interval } = await sureOf(tableOf(rows), 'precision');
    expect(interval).toMatchObject({ method: 'wilson', level: 0.95 });
    expect(interval?.low).toBeCloseTo(0.490162, 6);
    expect(interval?.high).toBeCloseTo(0.943318, 6);
  });

  test('also where all answers are yes, and cases without an answer do not count', async () => {
    const rows = [...Array.from({ length: 5 }, (): Counts => [1, 0, 0]), [0, 0, 3] as Counts];
    const { interval } = await sureOf(tableOf(rows), 'precision');
    // n / (n + z²) = 5 / 8.8415.
    expect(interval?.low).toBeCloseTo(0.565518, 6);
    expect(interval?.high).toBe(1);
  });

  test('two answers of one case, a cluster, or F1: resampled after all', async () => {
    const rows = counts('1 0 0, 0 1 0, 1 0 0, 1 1 0');
    expect((await sureOf(tableOf(rows), 'precision')).interval?.method).toBe('bootstrap-percentile');
    const clustered = tableOf(rows.slice(0, 3), ['d1', 'd1', 'd2']);
    expect((await sureOf(clustered, 'precision')).interval?.method).toBe('bootstrap-percentile');
    // Also where each cluster happens to have one answer: of the four draws of two clusters one is 0, two 1/2 and one 1.
    const single = counts('1 0 0, 0 0 1, 0 1 0');
    expect((await sureOf(tableOf(single, ['d1', 'd1', 'd2']), 'precision')).interval).toMatchObject({
      method: 'bootstrap-percentile',
      low: 0,
      high: 1,
    });
    expect((await sureOf(tableOf(rows.slice(0, 3)), 'f1')).interval?.method).toBe('bootstrap-percentile');
  });
});

describe('clusters', () => {
  test('cases of one cluster are drawn together: the same interval as of their sums', async () => {
    const cases = tableOf(counts('1 1 0, 2 0 1, 0 3 0, 4 0 0'), ['a', 'b', 'a', 'c']);
    expect(cases).toMatchObject({ units: ['cluster a', 'cluster b', 'cluster c'], clustered: true });
    const sums = tableOf(counts('1 4 0, 2 0 1, 4 0 0'));
    expect(await sureOf(cases, 'f1')).toEqual(await sureOf(sums, 'f1'));
  });

  test('all cases in one cluster are one unit', async () => {
    const table = tableOf(counts('1 1 0, 2 0 1'), ['a', 'a']);
    expect((await sureOf(table, 'f1', { unit: 'patient' })).noInterval).toBe(
      'there is one patient only: nothing to resample',
    );
  });
});

describe('labels', () => {
  function labelled(cases: readonly Readonly<Record<string, Counts>>[], zeroDivision: number | null) {
    const { measures } = buildMeasures({ recall: {}, macro_recall: {} }, zeroDivision);
    const tally = new Tally(measures, ['label']);
    cases.forEach((own, at) => {
      const facts: CaseFacts = { case: `c${at}` };
      tally.add(
        facts,
        null,
        Object.entries(own).flatMap(([label, row]) => verdictsOf(row, label)),
      );
    });
    return { measures, table: tally.groups()[0]!.table };
  }

  test('each label is resampled over all cases; one that a single case has says so', async () => {
    const { measures, table } = labelled([{ A: [1, 0, 1] }, { A: [3, 0, 0], B: [1, 0, 1] }, { A: [1, 0, 3] }], null);
    const [whole = [], ...labels] = await measureIntervals(table, measures, true, SETTINGS);
    expect(whole[0]!.interval).not.toBeNull();
    expect(labels).toHaveLength(2);
    expect(labels[0]![0]!.interval).toMatchObject({ low: 0.25, high: 1 });
    expect(labels[1]![0]!.noInterval).toBe('only one case has anything to measure: nothing to resample');
    expect(labels[1]![1]!.noInterval).toBe('it has no value by label');
  });

  test('a label in one case or two leaves the macro average without an interval, with the reason', async () => {
    // A is found in all of twenty cases, B is in one and missed: the average is a half, and without B it would be 1.
    const once = Array.from({ length: 20 }, (_, at) =>
      at === 0 ? ({ A: [1, 0, 0], B: [0, 0, 1] } as const) : ({ A: [1, 0, 0] } as const),
    );
    for (const zeroDivision of [null, 0]) {
      const { measures, table } = labelled(once, zeroDivision);
      const [whole = []] = await measureIntervals(table, measures, false, SETTINGS);
      expect(whole[1]).toEqual({ interval: null, noInterval: 'label B is in one case only: 3 or more are needed' });
    }
  });

  test('a label in three cases or more lets the macro average have an interval', async () => {
    const thrice = Array.from({ length: 20 }, (_, at) =>
      at < 4 ? ({ A: [1, 0, 0], B: [at % 2, 0, 1] } as const) : ({ A: [1, 0, at % 3] } as const),
    );
    const { measures, table } = labelled(thrice, null);
    expect((await measureIntervals(table, measures, false, SETTINGS))[0]![1]!.interval).not.toBeNull();
  });
});

describe('thousands of labels', () => {
  const { measures } = buildMeasures({ f1: {}, macro_f1: {} }, null);
  const sureWith = async (labels: number) => {
    const tally = new Tally(measures, ['label']);
    for (const id of ['a', 'b', 'c'])
      tally.add(
        { case: id },
        null,
        Array.from({ length: labels }, (_, at) => missed(span(0, 5, `L${at}`))),
      );
    return measureIntervals(tally.groups()[0]!.table, measures, true, { ...SETTINGS, resamples: 2 });
  };

  test('have intervals up to 2,000; beyond, the reason is given by label and for means over them', async () => {
    const [few = [], firstLabel = []] = await sureWith(2000);
    expect([...few, ...firstLabel].map(({ noInterval }) => noInterval)).not.toContainEqual(
      expect.stringContaining('labels'),
    );
    const [whole = [], ...labels] = await sureWith(2001);
    const tooMany = 'there are more than 2000 labels';
    expect(labels.every(([f1]) => f1?.interval === null && f1.noInterval === tooMany)).toBe(true);
    expect(whole[1]).toEqual({ interval: null, noInterval: tooMany });
    expect(whole[0]?.noInterval).not.toBe(tooMany);
  });
});
