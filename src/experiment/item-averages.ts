import { type Interval, type MeasureValue, SpreadOverCases } from '../measure/results.ts';
import { caseValues } from '../measure/case-measures.ts';
import { declareQuotient, type Direction, type Measure } from '../measure/measure.ts';
import { SumLog } from '../measure/sum-log.ts';
import { unitOf } from '../measure/tally.ts';
import type { Breathe } from '../stats/resample.ts';
import { measureIntervals } from '../stats/measure-intervals.ts';
import { resampleSettings, type ResampleSettings } from '../stats/resample-settings.ts';

/** One measure's average over the items of a run: each item counts the same, whatever its size. */
export interface ItemAverage {
  readonly name: string;
  readonly mean: number | null;
  /** Why there is no mean. */
  readonly undefined: string | null;
  /** Items with a value. */
  readonly n: number;
  /** Items that were scored and have no value. */
  readonly without: number;
  /** Items that failed: counted, never averaged. */
  readonly failed: number;
  readonly min: number | null;
  readonly max: number | null;
  /** Sample standard deviation; null with fewer than two values. */
  readonly sd: number | null;
  readonly interval: Interval | null;
  /** Why there is no interval. */
  readonly noInterval: string | null;
  readonly direction?: Direction;
  /** The best value where it is at neither end of the range. */
  readonly best?: number;
}

/** What of a line of cases.jsonl an average needs. */
export interface ScoredItem {
  readonly case: string;
  readonly measures: Readonly<Record<string, number | null>>;
  readonly failed?: string | null | undefined;
  readonly cluster?: string | null | undefined;
}

export interface ItemAveragesOptions extends Partial<ResampleSettings> {
  /** The run's overall values, which know the direction of each measure. */
  readonly measures?: readonly MeasureValue[];
  readonly breathe?: Breathe;
}

/**
 * mean over items of each measure's value for the item, with the interval of resampled items (percentile); undefined
 * where no item has a value. Items that failed are in no mean. Items of one cluster, or several lines of one item, are
 * drawn together, as in the scored run itself.
 * Example: recall 1/2, 1, undefined and failed: mean 0.75, n 2, without 1, failed 1.
 */
export async function itemAverages(
  cases: AsyncIterable<ScoredItem> | Iterable<ScoredItem>,
  { measures = [], breathe, ...given }: ItemAveragesOptions = {},
): Promise<ItemAverage[]> {
  const settings = resampleSettings(given);
  let values: ItemValues | null = null;
  for await (const item of cases) {
    values ??= new ItemValues(Object.keys(item.measures));
    values.add(item);
  }
  if (values === null) return [];
  const averages = await values.averages(settings, breathe);
  return averages.map((average) => {
    const known = measures.find(({ name, slice }) => name === average.name && Object.keys(slice).length === 0);
    if (known === undefined) return average;
    return { ...average, direction: known.direction, ...(known.best === undefined ? {} : { best: known.best }) };
  });
}

/** The values of items, kept as the tally of a run keeps them, so that means are resampled by the same code. */
class ItemValues {
  readonly #measures: readonly { readonly measure: Measure; readonly sum: number; readonly count: number }[];
  readonly #spreads: readonly SpreadOverCases[];
  readonly #log: SumLog;
  #failed = 0;

  /** A run gives every case the same measures, so the first says which they are. */
  constructor(names: readonly string[]) {
    const keys = new Map<string, number>();
    this.#measures = names.map((name) => {
      const { sum, count } = caseValues(name, () => null);
      const place = ({ key }: { readonly key: string }): number => keys.set(key, keys.size).size - 1;
      const measure = declareQuotient({
        name,
        about: `mean over items of ${name}`,
        range: [null, null],
        over: [sum],
        under: [count],
        nothing: 'no item has a value',
        byLabel: false,
        proportion: false,
        meanOfCases: true,
      });
      return { measure, sum: place(sum), count: place(count) };
    });
    this.#spreads = names.map(() => new SpreadOverCases());
    this.#log = new SumLog(keys);
  }

  add(item: ScoredItem): void {
    if (item.failed !== undefined && item.failed !== null) {
      this.#failed += 1;
      return;
    }
    this.#measures.forEach(({ measure, sum, count }, at) => {
      const value = Object.hasOwn(item.measures, measure.name) ? (item.measures[measure.name] ?? null) : null;
      this.#spreads[at]!.add(value);
      if (value === null) return;
      this.#log.set(sum, value);
      this.#log.set(count, 1);
    });
    this.#log.keep(unitOf({ case: item.case, cluster: item.cluster ?? null }));
  }

  async averages(settings: ResampleSettings, breathe?: Breathe): Promise<ItemAverage[]> {
    const { whole } = await measureIntervals(
      this.#log.byUnit(),
      this.#measures.map(({ measure }) => measure),
      false,
      { ...settings, method: 'percentile', unit: 'item' },
      breathe,
    );
    return this.#measures.map(({ measure: { name } }, at) => {
      const { n, undefined: without, mean, min, max, sd } = this.#spreads[at]!.summary();
      const reason = without > 0 ? 'no item has a value' : 'no item was scored';
      const { interval, noInterval } = whole[at]!;
      return {
        name,
        mean,
        undefined: mean === null ? reason : null,
        n,
        without,
        failed: this.#failed,
        min,
        max,
        sd,
        interval,
        noInterval,
      };
    });
  }
}
