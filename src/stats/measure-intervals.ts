import { type Measure, type Outcome, type Sums, valueLike } from '../measure/measure.ts';
import type { GroupSureness, Sureness } from '../measure/results.ts';
import { type ColumnSums, EMPTY_COLUMN, sumsAt, totals, type UnitSums, unitsWith } from '../measure/unit-sums.ts';
import { inGroups, USUAL_GROUPS_ABOVE } from './in-groups.ts';
import { type IntervalMethod, intervalFrom, LABEL_MISSING, none } from './interval.ts';
import { type Breathe, eachResample, resampledMeans, ResampledValues } from './resample.ts';
import type { ResampleSettings } from './resample-settings.ts';
import { eachUnitSums, unitValues, valueColumns, withoutEachUnit } from './unit-by-unit.ts';
import { wilson } from './wilson.ts';

export interface IntervalSettings extends ResampleSettings {
  readonly method: IntervalMethod;
  /** What a unit is called: `case`, or the column that clusters them. */
  readonly unit: string;
  /** With more units than this they are drawn in groups; null: never. */
  readonly groupsAbove?: number | null;
}

/** Beyond this, intervals by label and of means over labels would take longer than anybody waits. */
const MOST_LABELS = 2_000;

/** A measure of the whole (label −1) or of one label, and the values that resamples gave it. */
interface Cell {
  readonly measure: Measure;
  readonly label: number;
  readonly outcome: Outcome;
  readonly resampled: ResampledValues;
}

/**
 * How sure each measure is, over the units of a table: each resample draws units, adds up their counts and works the
 * measure out anew, so that a ratio is a ratio of sums, never a mean of ratios. A plain proportion, one yes or no a
 * unit, gets Wilson's interval instead, which also holds where all answers are the same. A mean of the cases' own values
 * is resampled from those values, as numpy would and with its bits.
 */
export async function measureIntervals(
  table: UnitSums,
  measures: readonly Measure[],
  byLabel: boolean,
  settings: IntervalSettings,
  breathe?: Breathe,
): Promise<GroupSureness> {
  const sure = new Map<string, Sureness>();
  const place = (label: number, at: number): string => `${label} ${at}`;
  const cells: { cell: Cell; key: string }[] = [];
  const labels = byLabel ? [-1, ...table.labels.keys()] : [-1];
  const all = totals(table);
  for (const label of labels) {
    const sums = sumsAt(table, all, label);
    measures.forEach((measure, at) => {
      if (label >= 0 && !measure.byLabel) return undefined;
      const outcome = measure.value(sums);
      const known = withoutResampling(table, measure, label, outcome, settings);
      if (known !== null) return sure.set(place(label, at), known);
      const resampled = new ResampledValues(
        settings.resamples,
        measure.overLabels === true ? LABEL_MISSING : undefined,
      );
      return cells.push({ cell: { measure, label, outcome, resampled }, key: place(label, at) });
    });
  }
  const drawn = inGroups(table, settings.groupsAbove === undefined ? USUAL_GROUPS_ABOVE : settings.groupsAbove);
  const means = cells.filter(({ cell }) => isMeanOfUnits(table, drawn, cell.measure, settings));
  const others = cells.filter((cell) => !means.includes(cell));
  await resampleCells(
    drawn,
    others.map(({ cell }) => cell),
    settings,
    (share) => breathe?.((share * others.length) / cells.length),
  );
  await resampleMeans(
    table,
    means.map(({ cell }) => cell),
    settings,
    (share) => breathe?.((others.length + share * means.length) / cells.length),
  );
  for (const { cell, key } of cells) sure.set(key, cellInterval(drawn, all, cell, settings));
  const of = (label: number): Sureness[] =>
    measures.map((_, at) => sure.get(place(label, at)) ?? none('it has no value by label'));
  return { whole: of(-1), labels: byLabel ? [...table.labels.keys()].map(of) : [] };
}

async function resampleCells(
  table: UnitSums,
  cells: readonly Cell[],
  settings: IntervalSettings,
  breathe?: Breathe,
): Promise<void> {
  if (cells.length === 0) return;
  const views = new Map<number, Sums>();
  let seen: ColumnSums | null = null;
  const wanted = new Set(cells.flatMap(({ measure, label }) => valueColumns(table, measure, label)));
  await eachResample(
    table.units.length,
    // Columns that no measure looks at are not added up.
    table.columns.map((column, at) => (wanted.has(at) ? column : EMPTY_COLUMN)),
    settings,
    (sums) => {
      // The same array is filled anew for every resample, so the views on it are made once.
      if (seen === null) for (const { label } of cells) views.set(label, sumsAt(table, sums, label));
      seen = sums;
      for (const { measure, outcome, label, resampled } of cells)
        resampled.add(valueLike(measure, outcome, views.get(label)!));
    },
    breathe,
  );
}

/** Whether a measure is the mean of one value a unit: not where units hold several cases, or are drawn in groups. */
function isMeanOfUnits(table: UnitSums, drawn: UnitSums, measure: Measure, { method }: IntervalSettings): boolean {
  return measure.meanOfCases === true && method === 'percentile' && drawn === table && !table.clustered;
}

async function resampleMeans(
  table: UnitSums,
  cells: readonly Cell[],
  settings: IntervalSettings,
  breathe?: Breathe,
): Promise<void> {
  const lists = cells.map(({ measure, label }) =>
    Float64Array.from(unitValues(table, measure, label).filter((value) => value !== null)),
  );
  const means = await resampledMeans(lists, settings, breathe);
  for (const [at, { resampled }] of cells.entries()) for (const mean of means[at]!) resampled.add(mean);
}

/** Where resampling has nothing to say, or where there is something better. */
function withoutResampling(
  table: UnitSums,
  measure: Measure,
  label: number,
  outcome: Outcome,
  settings: IntervalSettings,
): Sureness | null {
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
  for (const { sums } of eachUnitSums(table, measure, label)) {
    const own = measure.value(sums);
    if (own.n > 1 || (own.value !== null && own.value !== 0 && own.value !== 1)) return null;
    yes += own.value ?? 0;
  }
  return wilson(yes, outcome.n, settings.level);
}

function cellInterval(table: UnitSums, all: ColumnSums, cell: Cell, settings: IntervalSettings): Sureness {
  const { measure, label, outcome, resampled } = cell;
  const sure = intervalFrom(resampled, outcome.value ?? Number.NaN, settings.level, settings.method, () =>
    withoutEachUnit(table, all, measure, label).filter((value) => value !== null),
  );
  const { interval } = sure;
  if (interval === null || measure.everyCase !== true) return sure;
  // A count is a whole number, and so are the ends between which it lies.
  return { ...sure, interval: { ...interval, low: Math.floor(interval.low), high: Math.ceil(interval.high) } };
}
