import { UsageError } from '../../data/problems.ts';
import type { Measure } from '../../measure/measure.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { UnitSums } from '../../measure/unit-sums.ts';
import type { Breathe } from '../../stats/resample.ts';
import { pairedSettings } from '../compare-verdict.ts';
import { declaredPrimary, namedMeasures, usualMeasures } from '../wanted-measures.ts';
import { overLines } from './axes.ts';
import { comparedSystems, NOT_COMPARED } from './compared-systems.ts';
import { bestPoint, stepsAlong } from './curve.ts';
import { type PlannedSweep, planSweep } from './points.ts';
import type { Sweep, SweepMeasure, SweepOptions, SweepSystem, SweepValue, SweptSystem } from './result.ts';
import { isOneMeasure, measurePoints, readingGroups, sumSystem, type SystemSums } from './system-sums.ts';

export type * from './result.ts';

/** Scores a recipe at every value of one of its parameters, or of two: the files are read once, what is shared is paired once. */
export async function sweepRecipe(options: SweepOptions): Promise<Sweep> {
  const { set = [], systems: given, breathe = () => undefined } = options;
  if (given.length === 0) throw new UsageError('there is no system to score', 'give --predictions FILE');
  const planned = await planSweep(options.recipe, set, overLines(options.over));
  const { base, axes, points, own } = planned;
  const candidates = candidatesOf(base, options.measures);
  // Where the recipe as it stands is no point, it is scored beside them.
  const plans = [...points.map(({ plan }) => plan), ...(own === null ? [base] : [])];
  refuseReadingAgain(plans, given);

  const sums: SystemSums[] = [];
  for (const { sources } of given) sums.push(await sumSystem(plans, candidates, sources));
  const plain: SweepValue[][][] = [];
  for (const { tables } of sums) plain.push(await measurePoints(plans, tables, candidates, null));
  const changing = candidates.filter((_, at) => plain.some((system) => changes(system, at)));
  const names = options.measures !== undefined || changing.length === 0 ? candidates : changing;

  // Equal parts for every system: values, then the best of them; the comparison as long as all of these together.
  const share = partsOf(given.length, breathe);
  const values: SweepValue[][][] = [];
  const swept: SweptSystem[] = [];
  for (const [at, { name }] of given.entries()) {
    const { tables, cases } = sums[at]!;
    const systemValues = await measurePoints(plans, tables, names, share());
    values.push(systemValues);
    swept.push({ name, cases, ...(await shapeOf(planned, plans, names[0]!, systemValues, tables, share())) });
  }
  const tested = options.measures === undefined ? names.slice(0, 1) : names;
  const compared =
    given.length < 2
      ? NOT_COMPARED
      : await comparedSystems({ planned, plans, given, sums, candidates, tested, breathe: share() });
  const valuesAt = (place: number): SweepValue[][] => values.map((system) => system[place]!);
  return {
    format: 1,
    recipe: base.name,
    task: base.task,
    set,
    axes,
    measures: names.map((name) => shownMeasure(measureIn(plans, name))),
    constant: candidates.filter((name) => !changing.includes(name)),
    points: points.map(({ at, set: lines }, place) => ({
      at,
      set: lines,
      own: place === own,
      systems: valuesAt(place),
      differences: compared.differences[place] ?? [],
    })),
    own: { point: own, systems: valuesAt(own ?? points.length) },
    systems: swept,
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

/** The best point of one system, and how the only axis falls and rises. */
async function shapeOf(
  { axes, points, own }: PlannedSweep,
  plans: readonly Plan[],
  name: string,
  values: readonly (readonly SweepValue[])[],
  tables: readonly UnitSums[],
  breathe: Breathe,
): Promise<Omit<SweptSystem, 'name' | 'cases'>> {
  const measure = measureIn(plans, name);
  const first = values.map((row) => row[0]!.value);
  const interval = plans[0]!.interval;
  const settings = interval === null ? null : pairedSettings(interval);
  const notPaired = isOneMeasure(plans, name) ? null : 'the measure itself changes from point to point';
  const best = await bestPoint(
    first.slice(0, points.length),
    tables.slice(0, points.length),
    measure,
    settings,
    notPaired,
    breathe,
  );
  if (axes.length > 1 || notPaired !== null) return { best, steepest: null, besideOwn: [], cliff: null };
  const places = plans.map((_, at) => ({
    point: at < points.length ? at : null,
    value: first[at]!,
    table: tables[at]!,
  }));
  const stands = places[own ?? points.length]!;
  return { best, ...(await stepsAlong(axes[0]!, places.slice(0, points.length), stands, measure, settings)) };
}

function changes(system: readonly (readonly SweepValue[])[], measure: number): boolean {
  return system.some((row) => row[measure]!.value !== system[0]![measure]!.value);
}

function measureIn(plans: readonly Plan[], name: string): Measure {
  return plans.flatMap(({ measures }) => measures).find((measure) => measure.name === name)!;
}

function shownMeasure({ name, direction, range, best, unit }: Measure): SweepMeasure {
  return {
    name,
    direction,
    range,
    ...(best === undefined ? {} : { best }),
    ...(unit === undefined ? {} : { unit }),
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

/** Shares the work out: two parts a system, and as much again for the comparison where there is one. */
function partsOf(systems: number, breathe: Breathe): () => Breathe {
  const total = systems < 2 ? 2 : 4 * systems;
  let begun = 0;
  return () => {
    const [from, size] = begun < 2 * systems ? [begun, 1] : [2 * systems, 2 * systems];
    begun += 1;
    return (share) => breathe((from + share * size) / total);
  };
}
