import { describe, expect, it } from 'vitest';

import { buildMeasures } from '../../src/measure/measures.ts';
import { Tally } from '../../src/measure/tally.ts';
import { isJackknifed } from '../../src/stats/jackknife-intervals.ts';
import { measureIntervals } from '../../src/stats/measure-intervals.ts';
import { comparePaired } from '../../src/stats/paired-comparison.ts';
import { line } from '../measure/logged-items.ts';
import { type LabelledCase, labelTable } from './made-up-labels.ts';

const SETTINGS = { resamples: 500, level: 0.95, seed: 42, unit: 'case' } as const;

/** So many cases with one gold span of the label, of which the first ones are hit. */
const single = (label: string, hits: number, n: number): LabelledCase[] =>
  Array.from({ length: n }, (_, at) => ({ [label]: at < hits ? [1, 0, 0] : [0, 1, 0] }));

describe('a mean over labels', () => {
  const { measures } = buildMeasures({ macro_recall: {}, macro_precision: {}, macro_f1: {} }, null);
  const sureOf = async (cases: readonly LabelledCase[], method: 'percentile' | 'bca' | 'studentised' = 'percentile') =>
    (await measureIntervals(labelTable(measures, cases), measures, false, { ...SETTINGS, method }))[0]!;

  // Computed with numpy 2.4.6 and scipy from the formulas in docs/intervals.md.
  it.each([
    [103, 120, 8, 8, 0.7606641372928545, 0.9551030785484469],
    [40, 50, 3, 3, 0.6055814963535862, 0.9449064197321542],
    [190, 200, 0, 20, 0.4550052189234187, 0.5571062534797389],
  ])('of %d of %d and %d of %d is as unsure as its rare label', async (...row) => {
    const [a, n, b, m, low, high] = row;
    const [recall] = await sureOf([...single('COMMON', a, n), ...single('RARE', b, m)]);
    expect(recall!.interval).toMatchObject({ method: 'wilson-mover', level: 0.95 });
    expect(recall!.interval!.low).toBeCloseTo(low, 10);
    expect(recall!.interval!.high).toBeCloseTo(high, 10);
  });

  it('has the same interval whatever bootstrap the recipe names, and a wider one for gates', async () => {
    const cases = [...single('COMMON', 103, 120), ...single('RARE', 8, 8)];
    const [percentile, bca, gate] = [
      await sureOf(cases),
      await sureOf(cases, 'bca'),
      await sureOf(cases, 'studentised'),
    ];
    expect(bca).toEqual(percentile);
    percentile.forEach(({ interval }, at) => {
      expect(gate[at]!.interval!.method).toBe('studentised-mover');
      expect(gate[at]!.interval!.low).toBeLessThan(interval!.low);
    });
  });

  it('is withheld with the reason if a label is in fewer than three cases', async () => {
    for (const n of [1, 2])
      expect((await sureOf([...single('COMMON', 103, 120), ...single('RARE', n, n)]))[2]).toEqual({
        interval: null,
        noInterval: `label RARE is in ${n === 1 ? 'one case' : '2 cases'} only: 3 or more are needed`,
      });
    expect((await sureOf([...single('COMMON', 103, 120), ...single('RARE', 3, 3)]))[2]!.interval).not.toBeNull();
  });

  it('rests on half as many cases for an F1 of 0, which one more hit moves twice as far', async () => {
    const [recall, , f1] = await sureOf(single('RARE', 0, 8));
    // t² = 5.5915 for 7 degrees of freedom: t² / (8 + t²), and 2p / (1 + p) of it, which is t² / (4 + t²).
    expect(recall!.interval).toMatchObject({ low: 0, high: expect.closeTo(0.4114, 4) });
    expect(f1!.interval).toMatchObject({ low: 0, high: expect.closeTo(0.583, 4) });
    const { high } = recall!.interval!;
    expect(f1!.interval!.high).toBeCloseTo((2 * high) / (1 + high), 12);
  });

  it('rests on twice as many cases for an F1 of 1, which one miss moves half as far', async () => {
    const [recall, , f1] = await sureOf(single('RARE', 8, 8));
    // 8 / (8 + t²), and 2p / (1 + p) of it, which is 16 / (16 + t²).
    expect(recall!.interval).toMatchObject({ low: expect.closeTo(0.5886, 4), high: 1 });
    expect(f1!.interval).toMatchObject({ low: expect.closeTo(0.741, 4), high: 1 });
    const { low } = recall!.interval!;
    expect(f1!.interval!.low).toBeCloseTo((2 * low) / (1 + low), 12);
  });

  it('rests on its cases for an F2 of 1, which a miss moves further than a false alarm', async () => {
    const { measures: f2 } = buildMeasures({ macro: { of: 'macro', measure: 'f2' }, f2: { of: 'f1', beta: 2 } }, null);
    const table = labelTable(f2, single('RARE', 8, 8));
    const [[macro] = []] = await measureIntervals(table, f2, false, { ...SETTINGS, method: 'percentile' });
    expect(macro!.interval).toMatchObject({ low: expect.closeTo(0.5886, 4), high: 1 });
  });

  it('that differs between systems has an interval from its labels, turned round if the systems are swapped', async () => {
    const [a, b] = [
      labelTable(measures, [...single('COMMON', 60, 80), ...single('RARE', 8, 8)]),
      labelTable(measures, [...single('COMMON', 70, 80), ...single('RARE', 8, 8)]),
    ];
    const parts = measures.map((measure) => ({ measure, label: -1 }));
    const settings = { ...SETTINGS, method: 'percentile' } as const;
    const [there, back] = [await comparePaired(a, b, parts, settings), await comparePaired(b, a, parts, settings)];
    // Precision is 1 in both: equal on every case.
    expect(there[1]!.interval).toBeNull();
    for (const at of [0, 2]) {
      const { interval } = there[at]!;
      expect(interval!.method).toBe('wilson-mover');
      // RARE has no miss in either system, which eight cases do not make certain.
      expect(interval!.low).toBeLessThan(-0.05);
      expect(back[at]!.interval!.low).toBeCloseTo(-interval!.high, 12);
    }
  });
});

describe('studentised', () => {
  const { measures } = buildMeasures({ recall: {}, f1: {} }, null);
  const SPANS = [
    [3, 4],
    [4, 4],
    [2, 3],
    [1, 3],
    [4, 4],
    [0, 2],
    [3, 3],
    [2, 3],
    [4, 5],
    [4, 4],
    [3, 3],
    [2, 2],
  ] as const;
  const OTHER = [3, 4, 1, 1, 4, 0, 3, 3, 4, 4, 2, 2];
  const spans: LabelledCase[] = SPANS.map(([hit, gold]) => ({ X: [hit, gold - hit, 0] }));
  const settings = { ...SETTINGS, method: 'studentised' } as const;
  const recallOf = async (cases: readonly LabelledCase[]) =>
    (await measureIntervals(labelTable(measures, cases), measures, true, settings)).map(([recall]) => recall!);

  // Computed with numpy 2.4.6 and scipy from the formulas in docs/intervals.md.
  it.each<[string, LabelledCase[], number, number]>([
    ['nine cases of ten', single('X', 9, 10), 0.4097492064220371, 0.991502516239138],
    ['32 spans of 40 in twelve cases', spans, 0.5991344776373105, 0.9145678106312247],
    ['eight cases of eight, exact', single('X', 8, 8), 0.6305833, 1],
    ['none of eight cases', single('X', 0, 8), 0, 1 - 0.6305833],
  ])('recall of %s, of the whole and of the label', async (_, cases, low, high) => {
    for (const { interval } of await recallOf(cases)) {
      expect(interval!.method).toBe('studentised');
      expect(interval!.low).toBeCloseTo(low, 6);
      expect(interval!.high).toBeCloseTo(high, 6);
    }
  });

  it('one missed span shows no more than none: a value that few cases decide is no surer than a perfect one', async () => {
    // 10 documents of 20 spans; resampling, or the error alone, would put the low end above 0.95.
    const documents = Array.from({ length: 10 }, (_, at): LabelledCase => ({ X: at === 0 ? [19, 1, 0] : [20, 0, 0] }));
    const perfect = documents.map((): LabelledCase => ({ X: [20, 0, 0] }));
    const [whole] = await recallOf(documents);
    expect(whole!.interval!.low).toBeCloseTo(0.025 ** (1 / 10), 12);
    expect(whole!.interval!.low).toBeLessThanOrEqual((await recallOf(perfect))[0]!.interval!.low);
    const missed = documents.map(({ X }): LabelledCase => ({ X: [X![1], X![0], 0] }));
    expect((await recallOf(missed))[0]!.interval!.high).toBeCloseTo(1 - 0.025 ** (1 / 10), 12);
  });

  // Computed with Python's math module: t 2.306 for 8 degrees of freedom, k 1.68.
  it.each<[string, [number | null, null], number, number]>([
    ['without ends', [null, null], 0.6691532420345125, 5.060515616784469],
    ['from 0', [0, null], 1.0854882069308414, 5.060515616784469],
  ])('a mean of times %s reaches further up if a few are long', async (_, range, low, high) => {
    const times = [1, 2, 1, 3, 1, 2, 1, 1, 2, 9, 1, 2];
    const intervalOf = async (sign: number, of: readonly (number | null)[]) => {
      const form = { of: 'field-mean', kind: 'trace', field: 'ms', direction: 'lower', range: of };
      const { measures: means } = buildMeasures({ mean: form }, null);
      const tally = new Tally(means, []);
      times.forEach((ms, at) => tally.add({ case: `c${at}` }, null, [line('trace', { ms: sign * ms })]));
      const [[mean] = []] = await measureIntervals(tally.groups()[0]!.table, means, false, settings);
      return mean!.interval!;
    };
    const [up, down] = [await intervalOf(1, range), await intervalOf(-1, [null, range[0] === null ? null : 0])];
    expect([up.low, up.high]).toEqual([expect.closeTo(low, 9), expect.closeTo(high, 9)]);
    expect([down.low, down.high]).toEqual([expect.closeTo(-high, 9), expect.closeTo(-low, 9)]);
  });

  it('differences reach as far as if four more cases differed', async () => {
    const after = SPANS.map(([, gold], at): LabelledCase => ({ X: [OTHER[at]!, gold - OTHER[at]!, 0] }));
    const parts = measures.map((measure) => ({ measure, label: -1 }));
    const [recall] = await comparePaired(labelTable(measures, spans), labelTable(measures, after), parts, settings);
    expect(recall!.interval).toMatchObject({ method: 'studentised' });
    expect([recall!.interval!.low, recall!.interval!.high]).toEqual([
      expect.closeTo(-0.17298975520341983, 10),
      expect.closeTo(0.12298975520341984, 10),
    ]);
  });

  it('is of all measures, percentiles of numbers included', () => {
    const form = { of: 'field-percentile', p: 50, kind: 'trace', field: 'ms', direction: 'lower', pooled: true };
    const [median] = buildMeasures({ median: form }, null).measures;
    expect(isJackknifed(median!, 'studentised')).toBe(true);
    expect(isJackknifed(median!, 'percentile')).toBe(false);
    expect(measures.map((measure) => isJackknifed(measure, 'studentised'))).toEqual([true, true]);
    expect(measures.map((measure) => isJackknifed(measure, 'percentile'))).toEqual([false, false]);
  });
});
