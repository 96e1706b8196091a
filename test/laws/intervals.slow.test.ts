import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { buildMeasures } from '../../src/measure/measures.ts';
import type { GroupSureness } from '../../src/measure/results.ts';
import { type CaseFacts, Tally } from '../../src/measure/tally.ts';
import type { UnitSums } from '../../src/measure/unit-sums.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { scoreCases } from '../../src/score/score.ts';
import { alignTables } from '../../src/stats/align-tables.ts';
import { measureIntervals } from '../../src/stats/measure-intervals.ts';
import { comparePaired } from '../../src/stats/paired-comparison.ts';
import type { PairedDifference } from '../../src/stats/paired-difference.ts';
import { type Counts, verdictsOf } from '../stats/made-up-counts.ts';
import { made, runs, spanSides } from './arbitrary-cases.ts';

const few = { ...runs, numRuns: 150 };
const SETTINGS = { resamples: 40, level: 0.9, seed: 42, method: 'percentile', unit: 'case' } as const;
const { measures: MEASURES } = buildMeasures(
  { f1: {}, precision: {}, macro_f1: {}, accuracy: { of: 'accuracy', attributes: ['right'] } },
  null,
);

interface Unit {
  readonly id: string;
  readonly cluster: string | null;
  readonly labels: Readonly<Record<string, Counts>>;
}

const counts: fc.Arbitrary<Counts> = fc
  .tuple(fc.nat(4), fc.nat(3), fc.nat(3), fc.nat(4))
  .map(([hit, spurious, missed, right]): Counts => [hit, spurious, missed, Math.min(hit, right)]);

const labelled = fc.dictionary(fc.constantFrom('X', 'Y', 'Z'), counts, { maxKeys: 3 });

function unitsOf(size: { minLength: number; maxLength: number }): fc.Arbitrary<Unit[]> {
  return fc
    .array(fc.record({ cluster: fc.constantFrom(null, null, 'p', 'q'), labels: labelled }), size)
    .map((rows) => rows.map((row, at) => ({ id: `c${at}`, ...row })));
}

function tableOf(units: readonly Unit[], measures = MEASURES): UnitSums {
  const tally = new Tally(measures, []);
  for (const { id, cluster, labels } of units) {
    const facts: CaseFacts = { case: id, cluster: cluster ?? undefined };
    tally.add(
      facts,
      null,
      Object.entries(labels).flatMap(([label, row]) => verdictsOf(row, label)),
    );
  }
  return tally.groups()[0]!.table;
}

async function sureOf(units: readonly Unit[], method: 'percentile' | 'bca' = 'percentile'): Promise<GroupSureness> {
  return measureIntervals(tableOf(units), MEASURES, true, { ...SETTINGS, method });
}

describe('intervals', () => {
  test.each(['percentile', 'bca'] as const)('the order of the cases changes none (%s)', async (method) => {
    const given = unitsOf({ minLength: 0, maxLength: 8 }).chain((units) =>
      fc.tuple(fc.constant(units), fc.shuffledSubarray(units, { minLength: units.length })),
    );
    await fc.assert(
      fc.asyncProperty(given, async ([units, shuffled]) => {
        expect(await sureOf(shuffled, method)).toEqual(await sureOf(units, method));
      }),
      few,
    );
  });

  test('the order of gold and of predictions changes none', async () => {
    const plan = await planRecipe('pii/iou', ['interval.resamples=40']);
    const given = fc.array(spanSides, { minLength: 2, maxLength: 5 }).chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.tuple(
          ...all.map(({ text, gold, predicted }) =>
            fc.record({
              text: fc.constant(text),
              gold: fc.shuffledSubarray([...gold], { minLength: gold.length }),
              predicted: fc.shuffledSubarray([...predicted], { minLength: predicted.length }),
            }),
          ),
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(given, async ([before, after]) => {
        const [one, other] = [before, after].map((all) => all.map((sides, at) => made(sides, `c${at}`)));
        expect((await scoreCases(plan, other!)).measures).toEqual((await scoreCases(plan, one!)).measures);
      }),
      { ...few, numRuns: 60 },
    );
  });

  test('a slice has those of its cases scored alone', async () => {
    const recipe = { extends: 'pii/iou', slice: ['lang'], measure: ['precision', 'recall', 'f1', 'macro_f1'] };
    const plan = await planRecipe(recipe, ['interval.resamples=40']);
    const given = fc.array(fc.tuple(spanSides, fc.constantFrom('de', 'en')), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(given, async (all) => {
        const cases = all.map(([sides, lang], at) => ({ ...made(sides, `c${at}`), fields: { lang } }));
        const { measures } = await scoreCases(plan, cases);
        for (const lang of new Set(all.map(([, own]) => own))) {
          const alone = await scoreCases(
            plan,
            cases.filter(({ fields }) => fields.lang === lang),
          );
          const plain = (slice: Readonly<Record<string, string>>) => Object.keys(slice).length === 0;
          expect(measures.filter(({ slice }) => slice['lang'] === lang).map((one) => ({ ...one, slice: {} }))).toEqual(
            alone.measures.filter(({ slice }) => plain(slice)).map((one) => ({ ...one, cases: null })),
          );
        }
      }),
      { ...few, numRuns: 60 },
    );
  });

  test('a copy of each case in the same cluster makes nothing surer: not one bit moves', async () => {
    await fc.assert(
      fc.asyncProperty(unitsOf({ minLength: 1, maxLength: 7 }), async (units) => {
        const clustered = units.map((unit) => ({ ...unit, cluster: unit.cluster ?? unit.id }));
        const twice = [...clustered, ...clustered.map((unit) => ({ ...unit, id: `${unit.id} again` }))];
        const [one, two] = [await sureOf(clustered), await sureOf(twice)];
        // One yes or no a cluster is a plain proportion, its copy is not.
        const resampled = [...one[0]!.entries()].filter(([, { interval }]) => interval?.method !== 'wilson');
        for (const [at, { interval }] of resampled) expect(two[0]![at]!.interval).toEqual(interval);
      }),
      few,
    );
  });

  test('a copy of each case as a case of its own keeps the value and makes the interval narrower', async () => {
    // Four gold items a case: recall is a mean, whose variance a copy halves; a step of it is 1 / 4n. At 2,000 resamples
    // the ends of an interval of 3.9 standard errors are uncertain by 0.06 of one, the copy's interval has 2.8.
    const { measures } = buildMeasures({ recall: {} }, null);
    const rows = fc.array(fc.nat(4), { minLength: 6, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rows, async (hits) => {
        const units = hits.map((hit, at): Unit => ({ id: `c${at}`, cluster: null, labels: { X: [hit, 0, 4 - hit] } }));
        const copies = units.map((unit) => ({ ...unit, id: `${unit.id} again` }));
        const width = async (all: readonly Unit[]): Promise<number> => {
          const settings = { ...SETTINGS, resamples: 2000, level: 0.95 };
          const { interval } = (await measureIntervals(tableOf(all, measures), measures, false, settings))[0]![0]!;
          return interval === null ? 0 : interval.high - interval.low;
        };
        const [one, two] = [await width(units), await width([...units, ...copies])];
        expect(two).toBeLessThanOrEqual(one + 1 / (4 * hits.length));
        expect(two === 0).toBe(one === 0);
      }),
      { ...few, numRuns: 40 },
    );
  });
});

describe('differences', () => {
  const both = fc
    .array(fc.record({ cluster: fc.constantFrom(null, null, 'p'), a: labelled, b: labelled }), {
      minLength: 1,
      maxLength: 8,
    })
    .map((rows) => ({
      a: rows.map(({ cluster, a }, at): Unit => ({ id: `c${at}`, cluster, labels: a })),
      b: rows.map(({ cluster, b }, at): Unit => ({ id: `c${at}`, cluster, labels: b })),
    }));

  async function compared(
    a: readonly Unit[],
    b: readonly Unit[],
    resamples = 256,
    measures = MEASURES,
  ): Promise<PairedDifference[]> {
    const [one, other] = alignTables(tableOf(a, measures), tableOf(b, measures));
    const parts = measures.map((measure) => ({ measure, label: -1 }));
    // 256 swaps: exact up to eight units; above, random.
    return comparePaired(one, other, parts, { ...SETTINGS, resamples });
  }

  const negative = (value: number | null): number | null => (value === null ? null : 0 - value);

  test('swapping the systems turns the difference and its interval round and keeps p', async () => {
    await fc.assert(
      fc.asyncProperty(both, async ({ a, b }) => {
        const [there, back] = [await compared(a, b), await compared(b, a)];
        there.forEach((one, at) => {
          const other = back[at]!;
          expect([other.baseline, other.other]).toEqual([one.other, one.baseline]);
          expect(other.difference).toBe(negative(one.difference));
          expect(other.permutation.pValue).toBe(one.permutation.pValue);
          expect(other.wilcoxon.pValue ?? -1).toBeCloseTo(one.wilcoxon.pValue ?? -1, 12);
          expect(other.mcnemar?.pValue).toBe(one.mcnemar?.pValue);
          expect([other.wins, other.losses, other.ties, other.withoutPair]).toEqual([
            one.losses,
            one.wins,
            one.ties,
            one.withoutPair,
          ]);
          expect(other.interval === null).toBe(one.interval === null);
          if (one.interval === null || other.interval === null) return;
          expect(other.interval.low).toBeCloseTo(-one.interval.high, 12);
          expect(other.interval.high).toBeCloseTo(-one.interval.low, 12);
        });
      }),
      few,
    );
  });

  test('the order of the cases changes nothing', async () => {
    const given = both.chain(({ a, b }) =>
      fc.tuple(fc.constant({ a, b }), fc.shuffledSubarray([...a.keys()], { minLength: a.length })),
    );
    await fc.assert(
      fc.asyncProperty(given, async ([{ a, b }, order]) => {
        expect(
          await compared(
            order.map((at) => a[at]!),
            order.map((at) => b[at]!),
          ),
        ).toEqual(await compared(a, b));
      }),
      few,
    );
  });

  test('p and interval of a measure are the same alone and among others', async () => {
    await fc.assert(
      fc.asyncProperty(both, async ({ a, b }) => {
        // 20 swaps: exact up to four units, so that some of the measures are and others are not.
        const together = await compared(a, b, 20);
        for (const [at, measure] of MEASURES.entries())
          expect(await compared(a, b, 20, [measure])).toEqual([together[at]]);
      }),
      few,
    );
  });

  test('an exact p is no smaller than 2 of the 2ᵏ swaps, and 1 where nothing differs', async () => {
    await fc.assert(
      fc.asyncProperty(both, async ({ a, b }) => {
        for (const { permutation, differing, difference } of await compared(a, b)) {
          if (permutation.pValue === null || difference === null) continue;
          expect(permutation.method).toBe('exact');
          expect(permutation.pValue).toBeGreaterThanOrEqual(difference === 0 ? 1 : Math.min(1, 2 ** (1 - differing)));
        }
      }),
      few,
    );
  });
});
