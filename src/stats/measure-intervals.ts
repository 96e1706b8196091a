import type { Measure, Outcome } from '../measure/measure.ts';
import type { Group, GroupSureness, Sureness } from '../measure/results.ts';
import { type ColumnSums, sumsAt, totals, type UnitSums, unitsWith } from '../measure/unit-sums.ts';
import { inGroups, USUAL_GROUPS_ABOVE } from './in-groups.ts';
import { intervalFrom, none, resamplingMethod } from './interval.ts';
import { isJackknifed, jackknifeInterval } from './jackknife-intervals.ts';
import type { PairedSettings } from './paired-comparison.ts';
import { type Breathe, resampledMeans, ResampledValues } from './resample.ts';
import { resampleParts } from './resample-parts.ts';
import { eachUnitSums, type MeasuredPart, unitValues, withoutEachUnit } from './unit-by-unit.ts';
import { wilson } from './wilson.ts';

export interface IntervalSettings extends PairedSettings {
  /** What a unit is called: `case`, or the column that clusters them. */
  readonly unit: string;
}

/** Beyond this, intervals by label and of means over labels would take longer than anybody waits. */
const MOST_LABELS = 2_000;

/** The values of so many resamples are held at once, or those of a few cells. */
const MOST_VALUES = 2 ** 22;
const FEWEST_CELLS = 16;

type IntervalGroup = Pick<Group, 'table' | 'byLabel'>;

/**
 * How sure each measure is, over the units of a table: each resample draws units, adds up their counts and works the
 * measure out again. A plain proportion, one yes or no a unit, gets Wilson's interval instead, which also holds if all
 * answers are the same; means over labels and `studentised` leave out units instead (`isJackknifed`). A mean of the cases' own values is resampled from those values, as numpy would and with its bits.
 */
export async function measureIntervals(
  table: UnitSums,
  measures: readonly Measure[],
  byLabel: boolean,
  settings: IntervalSettings,
  breathe?: Breathe,
): Promise<GroupSureness> {
  const [sure] = await groupIntervals([{ table, byLabel }], measures, settings, breathe);
  return sure!;
}

/** The same for all groups of a tally. Draws depend on seed and number of units alone, so groups of one size share them. */
export async function groupIntervals(
  groups: readonly IntervalGroup[],
  measures: readonly Measure[],
  settings: IntervalSettings,
  breathe?: Breathe,
): Promise<GroupSureness[]> {
  const cells = groups.map((group) => cellsOf(group, measures, settings));
  const resampled = cells.flat(2).filter(({ sure }) => sure === null);
  const most = Math.max(FEWEST_CELLS, Math.floor(MOST_VALUES / settings.resamples));
  const together = Map.groupBy(resampled, ({ drawn, list }) => `${list === null} ${drawn.units.length}`);
  let done = 0;
  for (const cellsAlike of together.values())
    for (let from = 0; from < cellsAlike.length; from += most) {
      const batch = cellsAlike.slice(from, from + most);
      const tell: Breathe = (share) => breathe?.((done + share * batch.length) / resampled.length);
      const values = await resampledValues(batch, settings, tell);
      for (const [at, cell] of batch.entries()) cell.sure = surenessOfCell(cell, values[at]!, settings);
      done += batch.length;
    }
  return cells.map((rows) => rows.map((row) => row.map(({ sure }) => sure!)));
}

/** A measure of the whole or of a label, whose interval is known or has to be resampled. */
interface IntervalCell extends MeasuredPart {
  readonly outcome: Outcome;
  readonly all: ColumnSums;
  /** The units that are drawn: those of the table, or groups of them. */
  readonly drawn: UnitSums;
  /** One value a unit, where it is a mean of these. */
  readonly list: Float64Array | null;
  sure: Sureness | null;
}

function cellsOf(
  { table, byLabel }: IntervalGroup,
  measures: readonly Measure[],
  settings: IntervalSettings,
): IntervalCell[][] {
  const { groupsAbove = USUAL_GROUPS_ABOVE, method } = settings;
  const all = totals(table);
  const drawn = inGroups(table, groupsAbove);
  // One value a unit: not where units hold several cases, or are drawn in groups.
  const hasUnitValues = method === 'percentile' && drawn === table && !table.clustered;
  return [-1, ...(byLabel ? table.labels.keys() : [])].map((label) => {
    const sums = sumsAt(table, all, label);
    return measures.map((measure): IntervalCell => {
      const outcome = measure.value(sums);
      const sure =
        label < 0 || measure.byLabel
          ? withoutResampling(table, drawn, all, { measure, label }, outcome, settings)
          : none('it has no value by label');
      const isMean = sure === null && hasUnitValues && measure.meanOfCases === true;
      const values = isMean ? unitValues(table, { measure, label }).filter((value) => value !== null) : null;
      return { measure, label, outcome, all, drawn, list: values && Float64Array.from(values), sure };
    });
  });
}

/** The values that resamples give the cells, all of which are drawn from as many units; cells that are alike share them. */
async function resampledValues(
  cells: readonly IntervalCell[],
  settings: IntervalSettings,
  breathe: Breathe,
): Promise<ResampledValues[]> {
  const found: ResampledValues[] = [];
  const add = (places: readonly number[], [values]: readonly Float64Array[]): void => {
    const own = found[places[0]!] ?? new ResampledValues(settings.resamples);
    own.addAll(values!);
    for (const place of places) found[place] = own;
  };
  const lists = cells.flatMap(({ list }) => list ?? []);
  const parts = cells.map(({ measure, label, drawn }) => ({ measure, label, tables: [drawn] }));
  if (lists.length === 0) await resampleParts(parts, settings, add, breathe);
  else for (const [at, means] of (await resampledMeans(lists, settings, breathe)).entries()) add([at], [means]);
  return found;
}

function surenessOfCell(cell: IntervalCell, resampled: ResampledValues, settings: IntervalSettings): Sureness {
  const { measure, outcome, all, drawn } = cell;
  const sure = intervalFrom(
    resampled,
    outcome.value ?? Number.NaN,
    settings.level,
    resamplingMethod(settings.method),
    () => withoutEachUnit(drawn, all, cell).filter((value) => value !== null),
  );
  const { interval } = sure;
  if (interval === null || measure.everyCase !== true) return sure;
  // A count is a whole number, and so are the ends between which it lies.
  return { ...sure, interval: { ...interval, low: Math.floor(interval.low), high: Math.ceil(interval.high) } };
}

/** For parts that resampling cannot cover, or for which there is something better. */
function withoutResampling(
  table: UnitSums,
  drawn: UnitSums,
  all: ColumnSums,
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
  if (isJackknifed(measure, settings.method)) return jackknifeInterval(drawn, all, part, settings);
  if (!measure.proportion || table.clustered || outcome.n > units) return null;
  let yes = 0;
  for (const sums of eachUnitSums(table, part)) {
    const own = measure.value(sums);
    if (own.n > 1 || (own.value !== null && own.value !== 0 && own.value !== 1)) return null;
    yes += own.value ?? 0;
  }
  return wilson(yes, outcome.n, settings.level);
}
