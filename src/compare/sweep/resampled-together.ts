import { distanceFromBest, type Measure } from '../../measure/measure.ts';
import { EMPTY_COLUMN, sumsAt, totals, type UnitSums } from '../../measure/unit-sums.ts';
import { type Breathe, eachResample } from '../../stats/resample.ts';
import { inGroups, USUAL_GROUPS_ABOVE } from '../../stats/in-groups.ts';
import { intervalFrom, ROUNDING } from '../../stats/interval.ts';
import type { PairedSettings } from '../../stats/paired-comparison.ts';
import { differenceBetween } from '../../stats/paired-difference.ts';
import { valueColumns } from '../../stats/unit-by-unit.ts';
import type { PointDifference } from './paired-points.ts';

/**
 * Whether the settings of one system can be resampled in one go: the same units, a measure that looks at the whole only,
 * and intervals that need nothing but the resamples.
 */
export function canResampleTogether(tables: readonly UnitSums[], measure: Measure, settings: PairedSettings): boolean {
  const [first] = tables;
  return (
    first !== undefined &&
    first.units.length > 1 &&
    settings.method === 'percentile' &&
    measure.byLabel &&
    measure.meanOfCases !== true &&
    tables.every(
      (table) => table.units.length === first.units.length && table.units.every((unit, at) => unit === first.units[at]),
    )
  );
}

/**
 * The difference of each table from one of them, as `pairedPoints` gives it one by one: the same draws for all, which are
 * made once.
 */
export async function resampledTogether(
  tables: readonly UnitSums[],
  from: number,
  given: Measure,
  settings: PairedSettings,
  breathe: Breathe,
): Promise<PointDifference[]> {
  const measure = distanceFromBest(given);
  const { groupsAbove = USUAL_GROUPS_ABOVE, resamples, level, method } = settings;
  const drawn = tables.map((table) => wholeOnly(inGroups(table, groupsAbove), measure));
  const width = drawn[0]!.columns.length;
  const values = drawn.map(() => new Float64Array(resamples));
  let draw = 0;
  let views: ReturnType<typeof sumsAt>[] | null = null;
  await eachResample(
    drawn[0]!.units.length,
    drawn.flatMap(({ columns }) => columns),
    settings,
    (sums) => {
      views ??= drawn.map((table, at) => sumsAt(table, sums.subarray(at * width, (at + 1) * width), -1));
      for (const [at, view] of views.entries()) values[at]![draw] = measure.value(view).value ?? Number.NaN;
      draw += 1;
    },
    breathe,
  );
  const whole = tables.map((table) => measure.value(sumsAt(table, totals(table), -1)).value);
  return tables.map((_, at) => {
    const [before, after] = [whole[from]!, whole[at]!];
    if (before === null || after === null)
      return { difference: null, interval: null, noInterval: 'there is no difference', shown: false };
    const difference = differenceBetween(before, after);
    const apart = differences(values[from]!, values[at]!);
    const [least, most] = [
      apart.reduce((a, b) => Math.min(a, b), Infinity),
      apart.reduce((a, b) => Math.max(a, b), -Infinity),
    ];
    const isFlat = most - least <= ROUNDING * Math.max(Math.abs(least), Math.abs(most));
    const { interval, noInterval } = intervalFrom(
      { values: apart, undefined: resamples - apart.length },
      difference,
      level,
      method,
      () => [],
    );
    const shown = interval === null ? isFlat && difference !== 0 : interval.low > 0 || interval.high < 0;
    return { difference, interval, noInterval, shown };
  });
}

/** Of the resamples in which both have a value. */
function differences(from: Float64Array, to: Float64Array): Float64Array {
  const found = new Float64Array(from.length);
  let count = 0;
  for (let at = 0; at < from.length; at += 1) {
    const [before, after] = [from[at]!, to[at]!];
    if (Number.isNaN(before) || Number.isNaN(after)) continue;
    found[count] = differenceBetween(before, after);
    count += 1;
  }
  return found.subarray(0, count);
}

/** Without the columns of labels, and with nothing in those that the measure does not look at. */
function wholeOnly(table: UnitSums, measure: Measure): UnitSums {
  const wanted = new Set(valueColumns(table, measure, -1));
  const columns = table.columns.slice(0, table.width).map((column, at) => (wanted.has(at) ? column : EMPTY_COLUMN));
  return { ...table, labels: [], columns };
}
