import { UsageError } from '../../data/problems.ts';
import type { CaseSources } from '../../data/read-cases.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { Measure } from '../../measure/measure.ts';
import { measureValue, type MeasureValue } from '../../measure/results.ts';
import { sumsAt, totals, type UnitSums, unitsWith } from '../../measure/unit-sums.ts';
import type { Plan } from '../../recipe/plan.ts';
import { canonicalJson } from '../../score/fingerprint.ts';
import { measureIntervals } from '../../stats/measure-intervals.ts';
import type { Breathe } from '../../stats/resample.ts';
import { pairedSettings } from '../compare-verdict.ts';
import { declaredPrimary, namedMeasures, usualMeasures } from '../wanted-measures.ts';
import { overLines } from './axes.ts';
import { comparedSystems } from './compared-systems.ts';
import { shapeOf } from './curve.ts';
import { planSweep } from './points.ts';
import { measuresIn, readingGroups, sumSystem } from './system-sums.ts';

export type { SweepAxis } from './axes.ts';
export type { SweepDifference, SweepFlips, SweepStretch } from './compared-systems.ts';
export type { SweepBest, SweepStep } from './curve.ts';

export interface SweepSystem {
  readonly name: string;
  readonly sources: CaseSources;
}

export interface SweepOptions {
  /** A preset, a file, or a recipe object. */
  readonly recipe: string | object;
  /** `path=range`, once or twice: `pair.threshold=0.1..0.9`, `pair.assign=greedy,optimal`. */
  readonly over: readonly string[];
  /** Systems over the same cases; the first is the one that the others are compared with. */
  readonly systems: readonly SweepSystem[];
  readonly set?: readonly string[];
  /** Which measures to show and, of several systems, to test; the first is drawn. */
  readonly measures?: readonly string[];
  /** Told how much of the work after reading is done. */
  readonly breathe?: Breathe;
}

/** A measure at a point, overall: what `score` with these settings gives, to the last bit. */
export type SweepValue = Pick<MeasureValue, 'name' | 'value' | 'undefined' | 'n' | 'units' | 'interval' | 'noInterval'>;

export type Sweep = Awaited<ReturnType<typeof sweepRecipe>>;
export type SweepPoint = Sweep['points'][number];
export type SweptSystem = Sweep['systems'][number];

/** Scores a recipe at every value of one of its parameters, or of two: the files are read once, what is shared is paired once. */
export async function sweepRecipe(options: SweepOptions) {
  const { set = [], systems: given, breathe = () => undefined } = options;
  if (given.length === 0) throw new UsageError('there is no system to score', 'give --predictions FILE');
  const planned = await planSweep(options.recipe, set, overLines(options.over));
  const { base, axes, points, own } = planned;
  const candidates = candidatesOf(base, options.measures);
  // If the recipe itself is not one of the points, it is scored as well.
  const plans = [...points.map(({ plan }) => plan), ...(own === null ? [base] : [])];
  refuseReadingAgain(plans, given);

  const sums = [];
  for (const { sources } of given) sums.push(await sumSystem(plans, candidates, sources));
  const tables = sums.map((system) => system.tables());
  const valueAt = ({ measures }: Plan, table: UnitSums, name: string): number | null =>
    measures.find((one) => one.name === name)?.value(sumsAt(table, totals(table))).value ?? null;
  const changing = candidates.filter((name) =>
    tables.some((system) => new Set(system.map((table, at) => valueAt(plans[at]!, table, name))).size > 1),
  );
  const names = options.measures !== undefined || changing.length === 0 ? candidates : changing;

  // The comparison takes as long as the values and shapes of all systems together.
  const share = (given.length < 2 ? 1 : 0.5) / (2 * given.length);
  const settings = base.interval === null ? null : pairedSettings(base.interval);
  const [drawn = ''] = names;
  const isOne = new Set(plans.map((plan) => definitionOf(plan, drawn))).size === 1;
  const notPaired = isOne ? null : 'the measure itself changes from point to point';
  const values: SweepValue[][][] = [];
  const swept = [];
  for (const [at, system] of given.entries()) {
    const found = await measurePoints(plans, tables[at]!, names, (done) => breathe(share * (2 * at + done)));
    const curve = { measure: measureIn(plans, drawn), values: found.map((row) => row[0]!.value), tables: tables[at]! };
    const shape = await shapeOf(planned, { ...curve, settings, notPaired }, (done) =>
      breathe(share * (2 * at + 1 + done)),
    );
    values.push(found);
    swept.push({ name: system.name, cases: sums[at]!.cases, ...shape });
  }
  const tested = options.measures === undefined ? names.slice(0, 1) : names;
  const compared = await comparedSystems(planned, sums, tested, (done) => breathe(0.5 + done / 2));
  const valuesAt = (place: number): SweepValue[][] => values.map((system) => system[place]!);
  return {
    format: 1 as const,
    recipe: base.name,
    task: base.task,
    /** The --set lines that hold everywhere. */
    set,
    axes,
    /** The first is the one that the figure shows. */
    measures: names.map((name) => shownMeasure(measureIn(plans, name))),
    /** Measures that are the same at every point, and so are not shown. */
    constant: candidates.filter((name) => !changing.includes(name)),
    /** The first axis runs fastest. */
    points: points.map(({ at, set: lines }, place) => ({
      /** Its place on each axis. */
      at,
      /** The lines of --set that give it. */
      set: lines,
      /** Whether it is the recipe as it stands. */
      own: place === own,
      /** By system, the measures in their order. */
      systems: valuesAt(place),
      differences: compared.differences[place] ?? [],
    })),
    /** The recipe as it stands; `point`: where it is one of the points. */
    own: { point: own, systems: valuesAt(own ?? points.length) },
    systems: swept,
    /** Null with one system. */
    tests: compared.tests,
    flips: compared.flips,
    notices: [...compared.notices, ...(base.limits === null ? [] : [base.limits])],
  };
}

/** The measures asked for; else the recipe's primary ones, or those that are usual. */
function candidatesOf({ measures, name, resolved }: Plan, asked: readonly string[] | undefined): string[] {
  const primary = declaredPrimary(measures, resolved['primary']);
  const usual = primary.length > 0 ? primary : usualMeasures(measures);
  return (asked === undefined ? usual : namedMeasures(measures, asked, `${name} has`)).map((one) => one.name);
}

function measureIn(plans: readonly Plan[], name: string): Measure {
  return plans.flatMap(({ measures }) => measures).find((measure) => measure.name === name)!;
}

/** What a measure is under a plan: only values of one function can be subtracted. */
function definitionOf({ resolved: { measure, zeroDivision } }: Plan, name: string): string {
  return canonicalJson([isRecord(measure) ? measure[name] : null, zeroDivision]);
}

type ShownMeasure = Pick<MeasureValue, 'name' | 'direction' | 'range' | 'best' | 'unit' | 'meanOfCases'>;

function shownMeasure({ name, direction, range, best, unit, meanOfCases }: Measure): ShownMeasure {
  return {
    name,
    direction,
    range,
    ...(best === undefined ? {} : { best }),
    ...(unit === undefined ? {} : { unit }),
    ...(meanOfCases === true ? { meanOfCases } : {}),
  };
}

/** What cannot be opened twice can be read once only. */
function refuseReadingAgain(plans: readonly Plan[], systems: readonly SweepSystem[]): void {
  const times = readingGroups(plans).length;
  if (times === 1 && systems.length === 1) return;
  const sources = systems.flatMap(({ sources: { cases, gold, predictions } }) => [cases, gold, predictions]);
  if (!sources.some((source) => source?.name === 'standard input' && source.path === null)) return;
  throw new UsageError(
    times > 1
      ? 'what is swept over changes how the files are read, so that they are read again for each value'
      : 'the files of several systems are read more than once',
    'standard input can be read once only: give a file',
  );
}

/** The measures of every plan with their intervals, as `score` makes them. */
async function measurePoints(
  plans: readonly Plan[],
  tables: readonly UnitSums[],
  names: readonly string[],
  breathe: Breathe,
): Promise<SweepValue[][]> {
  const known = new Map<UnitSums, SweepValue[]>();
  for (const [at, plan] of plans.entries()) {
    const table = tables[at]!;
    if (known.has(table)) continue;
    const measures = measuresIn(plan, names);
    const settings = plan.interval && { ...plan.interval, unit: plan.interval.cluster ?? 'case' };
    const sure =
      settings &&
      (await measureIntervals(table, measures, false, settings, (share) => breathe((at + share) / plans.length)));
    const whole = sumsAt(table, totals(table));
    known.set(
      table,
      names.map((name) => {
        const place = measures.findIndex((measure) => measure.name === name);
        const measure = measures[place];
        const why = 'the recipe has no such measure here';
        if (measure === undefined)
          return { name, value: null, undefined: why, n: 0, units: 0, interval: null, noInterval: why };
        const found = measureValue(measure, {}, whole, unitsWith(table, measure), sure?.[0]?.[place]);
        const { value, undefined: reason, n, units, interval, noInterval } = found;
        return { name, value, undefined: reason, n, units, interval, noInterval };
      }),
    );
  }
  return tables.map((table) => known.get(table)!);
}
