import type { Measure, Outcome } from '../measure/measure.ts';
import type { Group, GroupSureness, Sureness } from '../measure/results.ts';
import { sumsAt, totals, type UnitSums, unitsWith } from '../measure/unit-sums.ts';
import { inGroups, USUAL_GROUPS_ABOVE } from './in-groups.ts';
import { intervalFrom, none } from './interval.ts';
import type { PairedSettings } from './paired-comparison.ts';
import { type Breathe, resampledMeans, ResampledValues } from './resample.ts';
import { eachUnitSums, type MeasuredPart, resampleParts, unitValues, withoutEachUnit } from './unit-by-unit.ts';
import { wilson } from './wilson.ts';

export interface IntervalSettings extends PairedSettings {
  /** What a unit is called: `case`, or the column that clusters them. */
  readonly unit: string;
}

/** Beyond this, intervals by label and of means over labels would take longer than anybody waits. */
const MOST_LABELS = 2_000;

/**
 * How sure each measure is, over the units of a table: each resample draws units, adds up their counts and works the
 * measure out again. A plain proportion, one yes or no a unit, gets Wilson's interval instead, which also holds if all
 * answers are the same. A mean of the cases' own values is resampled from those values, as numpy would and with its bits.
 */
export async function measureIntervals(
  table: UnitSums,
  measures: readonly Measure[],
  byLabel: boolean,
  settings: IntervalSettings,
  breathe?: Breathe,
): Promise<GroupSureness> {
  const all = totals(table);
  const rows = [-1, ...(byLabel ? table.labels.keys() : [])].map((label) => {
    const sums = sumsAt(table, all, label);
    return measures.map((measure) => {
      const hasValue = label < 0 || measure.byLabel;
      const outcome = measure.value(sums);
      /** Where the interval does not come from resamples. */
      const known = hasValue
        ? withoutResampling(table, { measure, label }, outcome, settings)
        : none('it has no value by label');
      const resampled = new ResampledValues(known === null ? settings.resamples : 0, measure);
      return { measure, label, outcome, known, resampled };
    });
  });
  const { groupsAbove = USUAL_GROUPS_ABOVE, method } = settings;
  const drawn = inGroups(table, groupsAbove);
  const cells = rows.flat().filter(({ known }) => known === null);
  // One value a unit: not where units hold several cases, or are drawn in groups.
  const hasUnitValues = method === 'percentile' && drawn === table && !table.clustered;
  const means = cells.filter(({ measure }) => hasUnitValues && measure.meanOfCases === true);
  const others = cells.filter((cell) => !means.includes(cell));
  await resampleParts(
    [drawn],
    others,
    settings,
    ([values]) => others.forEach(({ resampled }, at) => resampled.add(values![at]!)),
    (share) => breathe?.((share * others.length) / cells.length),
  );
  const lists = means.map((cell) => Float64Array.from(unitValues(table, cell).filter((value) => value !== null)));
  const drawnMeans = await resampledMeans(lists, settings, (share) =>
    breathe?.((others.length + share * means.length) / cells.length),
  );
  for (const [at, { resampled }] of means.entries()) for (const mean of drawnMeans[at]!) resampled.add(mean);
  return rows.map((row) =>
    row.map((cell): Sureness => {
      const { known, resampled, outcome, measure } = cell;
      if (known !== null) return known;
      const sure = intervalFrom(resampled, outcome.value ?? Number.NaN, settings.level, method, () =>
        withoutEachUnit(drawn, all, cell).filter((value) => value !== null),
      );
      const { interval } = sure;
      if (interval === null || measure.everyCase !== true) return sure;
      // A count is a whole number, and so are the ends between which it lies.
      return { ...sure, interval: { ...interval, low: Math.floor(interval.low), high: Math.ceil(interval.high) } };
    }),
  );
}

/** The same for all groups of a tally. */
export async function groupIntervals(
  groups: readonly Group[],
  measures: readonly Measure[],
  settings: IntervalSettings,
  breathe?: Breathe,
): Promise<GroupSureness[]> {
  const units = groups.reduce((sum, { table }) => sum + table.units.length, 0);
  let done = 0;
  return await Array.fromAsync(groups, async ({ table, byLabel }) => {
    const from = done;
    done += table.units.length;
    const tell: Breathe = (share) => breathe?.((from + share * table.units.length) / units);
    return measureIntervals(table, measures, byLabel, settings, tell);
  });
}

/** For parts that resampling cannot cover, or for which there is something better. */
function withoutResampling(
  table: UnitSums,
  part: MeasuredPart,
  outcome: Outcome,
  settings: IntervalSettings,
): Sureness | null {
  const { measure, label } = part;
  if (outcome.value === null) return none('there is no value');
  if (table.labels.length > MOST_LABELS && (label >= 0 || measure.overLabels === true))
    return none(`there are more than ${MOST_LABELS} labels`);
  const units = unitsWith(table, measure, label);
  if (units === 0) return none(`no ${settings.unit} has anything to measure`);
  if (units === 1)
    return none(
      table.units.length === 1
        ? `there is one ${settings.unit} only: nothing to resample`
        : `only one ${settings.unit} has anything to measure: nothing to resample`,
    );
  if (!measure.proportion || table.clustered || outcome.n > units) return null;
  let yes = 0;
  for (const { sums } of eachUnitSums(table, part)) {
    const own = measure.value(sums);
    if (own.n > 1 || (own.value !== null && own.value !== 0 && own.value !== 1)) return null;
    yes += own.value ?? 0;
  }
  return wilson(yes, outcome.n, settings.level);
}
