import { type CaseSpread, isOverall, type MeasureValue, spreadOverCases, type Sureness } from '../measure/results.ts';
import { meanOverCases } from '../measure/case-measures.ts';
import type { Direction } from '../measure/measure.ts';
import { SumLog } from '../measure/sum-log.ts';
import { unitOf } from '../measure/results.ts';
import type { Breathe } from '../stats/resample.ts';
import { measureIntervals } from '../stats/measure-intervals.ts';
import { resampleSettings, type ResampleSettings } from '../stats/resample-settings.ts';
import { defined } from './defined.ts';

/** One measure's average over the items of a run: each item counts the same, whatever its size. */
export interface ItemAverage extends Omit<CaseSpread, 'undefined'>, Sureness {
  readonly name: string;
  /** Why there is no mean. */
  readonly undefined: string | null;
  /** Items that were scored and have no value. */
  readonly without: number;
  /** Items that failed: counted, never averaged. */
  readonly failed: number;
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
  const keys = new Map<string, number>();
  let columns: readonly ReturnType<typeof columnOf>[] = [];
  let log: SumLog | null = null;
  let failed = 0;
  for await (const item of cases) {
    if (log === null) {
      // A run gives every case the same measures, so the first shows which they are.
      columns = Object.keys(item.measures).map((name) => columnOf(name, keys));
      log = new SumLog(keys);
    }
    if (item.failed != null) {
      failed += 1;
      continue;
    }
    for (const { measure, values, sum, count } of columns) {
      const value = Object.hasOwn(item.measures, measure.name) ? (item.measures[measure.name] ?? null) : null;
      values.push(value ?? NaN);
      if (value === null) continue;
      log.set(sum, value);
      log.set(count, 1);
    }
    log.keep(unitOf({ case: item.case, cluster: item.cluster ?? undefined }));
  }
  if (log === null) return [];
  const all = columns.map(({ measure }) => measure);
  const how = { ...settings, method: 'percentile', unit: 'item' } as const;
  const [whole = []] = await measureIntervals(log.byUnit(), all, false, how, breathe);
  return columns.map(({ measure: { name }, values }, at) => {
    const { n, undefined: without, mean, min, max, sd } = spreadOverCases(values);
    const reason = mean !== null ? null : without > 0 ? 'no item has a value' : 'no item was scored';
    const { interval, noInterval } = whole[at]!;
    const { direction, best } = measures.find((one) => one.name === name && isOverall(one.slice)) ?? {};
    const sureness = { interval, noInterval, ...defined({ direction, best }) };
    return { name, mean, undefined: reason, n, without, failed, min, max, sd, ...sureness };
  });
}

/** The values of one measure, kept as the tally of a run keeps them, so that means are resampled by the same code. */
function columnOf(name: string, keys: Map<string, number>) {
  const about = `mean over items of ${name}`;
  const own = meanOverCases(name, () => null, { about, range: [null, null], nothing: 'no item has a value' });
  /** Places in the log of its sum and of how many items have a value. */
  const [sum = 0, count = 0] = own.counters.map(({ key }) => keys.set(key, keys.size).size - 1);
  /** NaN where an item has none. */
  const values: number[] = [];
  return { measure: { ...own, name }, values, sum, count };
}
