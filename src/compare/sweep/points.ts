import { UsageError } from '../../data/problems.ts';
import { type Plan, planRecipe } from '../../recipe/plan.ts';
import { canonicalJson } from '../../score/canonical-json.ts';
import { areRising, type OverLine, valueOf } from './axis.ts';
import { ownSetting } from './own-setting.ts';
import { readSettings } from './read-settings.ts';
import type { SweepAxis } from './result.ts';

/** The recipe at one point. */
export interface PlannedPoint {
  readonly at: readonly number[];
  readonly set: readonly string[];
  readonly plan: Plan;
}

export interface PlannedSweep {
  /** The recipe as it stands. */
  readonly base: Plan;
  readonly axes: readonly SweepAxis[];
  readonly points: readonly PlannedPoint[];
  /** Which point the recipe as it stands is. */
  readonly own: number | null;
}

/** The recipe at every point, all of them checked before anything is read. */
export async function planSweep(
  recipe: string | object,
  set: readonly string[],
  lines: readonly OverLine[],
): Promise<PlannedSweep> {
  const base = withoutSchemes(await planRecipe(recipe, set));
  refuseStream(base);
  const points: PlannedPoint[] = [];
  for (const at of placesOf(lines)) {
    const own = lines.map(({ path, texts }, axis) => `${path}=${texts[at[axis]!]!}`);
    points.push({ at, set: own, plan: withoutSchemes(await planned(recipe, set, own)) });
  }
  const resolved = points.map(({ plan }) => canonicalJson(plan.resolved));
  refuseNoEffect(lines, points);
  const stands = resolved.indexOf(canonicalJson(base.resolved));
  const own = stands === -1 ? null : stands;
  return { base, points, own, axes: lines.map((line, axis) => axisOf(line, axis, recipe, set, base, points, own)) };
}

/** Every combination, the first axis fastest. */
function placesOf(lines: readonly OverLine[]): number[][] {
  return lines.reduce<number[][]>(
    (all, { texts }) => texts.flatMap((_, place) => all.map((at) => [...at, place])),
    [[]],
  );
}

async function planned(recipe: string | object, set: readonly string[], own: readonly string[]): Promise<Plan> {
  try {
    return await planRecipe(recipe, [...set, ...own]);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const said = own.reduce((text, line) => text.replaceAll(`--set ${line}`, `--over ${line}`), error.message);
    const named = own.some((line) => said.includes(`--over ${line}`));
    const [first = '', ...rest] = said.split('\n');
    throw new UsageError([named ? first : `--over ${own.join(' and ')}: ${first}`, ...rest], error.next);
  }
}

/** A sweep looks at the recipe's own pairing alone. */
function withoutSchemes(plan: Plan): Plan {
  return { ...plan, schemes: plan.schemes.slice(0, 1) };
}

function refuseStream({ task, name }: Plan): void {
  if (task !== 'stream') return;
  throw new UsageError(
    `${name} is a stream recipe, which assay sweep does not read`,
    'assay stream calibrate sweeps over the policies of a gate',
  );
}

/** A parameter on which nothing depends here is a slip: a flat curve would pass for an answer. */
function refuseNoEffect(lines: readonly OverLine[], points: readonly PlannedPoint[]): void {
  const settings = points.map(({ plan }) => readSettings(plan));
  for (const [axis, { path, texts }] of lines.entries()) {
    const groups = Map.groupBy(points.keys(), (point) => points[point]!.at.filter((_, other) => other !== axis).join());
    if (texts.length < 2 || [...groups.values()].some((own) => new Set(own.map((at) => settings[at])).size > 1))
      continue;
    throw new UsageError(
      `--over ${path}: every value gives the same numbers, nothing in the recipe depends on ${path}`,
      'its similarity or unit may not read it, or a kind of item or an alternative under pair.accept has a setting of its own',
    );
  }
}

function axisOf(
  { path, written, texts }: OverLine,
  axis: number,
  recipe: string | object,
  set: readonly string[],
  base: Plan,
  points: readonly PlannedPoint[],
  own: number | null,
): SweepAxis {
  const values = texts.map(valueOf);
  const setting = ownSetting(recipe, set, base, path);
  const known =
    setting === undefined ? -1 : values.findIndex((value) => canonicalJson(value) === canonicalJson(setting));
  const at = own !== null ? points[own]!.at[axis]! : known === -1 ? null : known;
  const value = at === null ? setting : values[at];
  return {
    path,
    written,
    values,
    texts,
    numeric: areRising(values),
    own: value === undefined ? null : { value, text: at === null ? textOf(value) : texts[at]!, at },
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
