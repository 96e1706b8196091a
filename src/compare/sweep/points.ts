import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { refuseUse } from '../../formats/case-formats.ts';
import { type Criterion, type PairSettings, type Threshold, thresholdFor } from '../../pair/criterion.ts';
import { loadRecipe } from '../../recipe/load.ts';
import { type Plan, planRecipe } from '../../recipe/plan.ts';
import { parseAssignment } from '../../recipe/set-value.ts';
import { canonicalJson } from '../../score/canonical-json.ts';
import { recipeHash } from '../../score/signature.ts';
import { areRising, type OverLine, valueOf } from './axes.ts';
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
  refuseUse('sweep', base, base.name);
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

/** What the recipe says at a path, or falls back to where it says nothing; undefined where that is not one value. */
function ownSetting(recipe: string | object, set: readonly string[], plan: Plan, path: string): unknown {
  const loaded: unknown = loadRecipe(recipe, set).recipe;
  const { path: steps } = parseAssignment(loaded, `${path}=`);
  const of = (own: readonly string[]): unknown =>
    valueAt(loaded, own) ?? (own[0] === 'pair' ? pairDefault(plan, own.slice(1)) : valueAt(plan.resolved, own));
  const said = of(steps);
  if (said !== undefined || steps.at(-2) !== 'threshold') return said;
  // A label without a threshold of its own has that of the others.
  const threshold = of(steps.slice(0, -1));
  return isThreshold(threshold) ? thresholdFor(threshold, steps.at(-1)!) : undefined;
}

function isThreshold(value: unknown): value is Threshold {
  return typeof value === 'number' || (isRecord(value) && Object.values(value).every((one) => typeof one === 'number'));
}

function valueAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value;
  return isRecord(value) && Object.hasOwn(value, step) ? valueAt(value[step], rest) : undefined;
}

/** Pairing is resolved kind by kind, with its criteria in a list: one value where all of them agree. */
function pairDefault({ schemes }: Plan, steps: readonly string[]): unknown {
  const found = [...(schemes[0]?.pair ?? [])].flatMap(([kind, settings]) => {
    const own = steps[0] === kind ? steps.slice(1) : steps;
    return [settings, ...settings.accept].map((part) => valueAt(part, own)).filter((value) => value !== undefined);
  });
  return new Set(found.map(canonicalJson)).size === 1 ? found[0] : undefined;
}

/** Similarities that are 1 or 0: no threshold and no partial credit tells two of them apart. */
const YES_OR_NO = new Set(['exact', 'containment', 'predicted-in-gold', 'gold-in-predicted']);

/**
 * What the numbers may depend on, as a text to compare: the recipe without words, and without the settings of `pair` that
 * its similarity or its unit does not read.
 */
function readSettings(plan: Plan): string {
  const { data, prepare, judge } = plan.resolved;
  const pair = Object.fromEntries(
    [...(plan.schemes[0]?.pair ?? [])].map(([kind, settings]) => [kind, readPair(kind, settings)]),
  );
  const resolved = { ...plan.resolved, pair, prepare: withoutReasons(prepare), judge: withoutReasons(judge) };
  // The recipe's hash leaves out how files are read.
  const reading = isRecord(data) ? [data['format'], data['columns']] : [];
  return canonicalJson([recipeHash({ ...plan, resolved }), ...reading]);
}

function readPair(kind: string, { accept, assign, ties, partial, unit, tokens, cover }: PairSettings): unknown {
  const isCover = unit === 'cover' || unit === 'cover-token';
  if (unit !== 'item')
    return accept.map(({ name, gate, words, threshold }) => [
      [unit, name],
      isCover ? [threshold, cover ?? null] : gate.includes('label'),
      unit === 'token' ? [words, tokens ?? null] : null,
    ]);
  const credits = accept.every(isYesOrNo) ? null : partial;
  return { accept: accept.map((criterion) => readCriterion(kind, criterion)), assign, ties, partial: credits };
}

function readCriterion(kind: string, criterion: Criterion): unknown {
  const { name, gate, similarity, threshold, tolerance, words, normalise, own, ...relations } = criterion;
  const byText = similarity === 'levenshtein' || similarity === 'relation' || (isYesOrNo(criterion) && kind !== 'span');
  const byPlace = kind === 'span' && (similarity === 'iou' || isYesOrNo(criterion));
  return {
    name,
    gate,
    similarity,
    threshold: isYesOrNo(criterion) ? null : threshold,
    // A custom similarity reads the items alone.
    tolerance: own === null && byPlace ? tolerance : null,
    words: own === null && similarity === 'jaccard' ? words : null,
    normalise: own === null && byText ? normalise : null,
    relations: similarity === 'relation' ? relations : null,
  };
}

function isYesOrNo({ similarity, own }: Criterion): boolean {
  return own === null && YES_OR_NO.has(similarity);
}

/** Rules without the reasons that they give for a verdict. */
function withoutReasons(rules: unknown): unknown {
  if (!isRecord(rules)) return rules;
  return Object.fromEntries(
    Object.entries(rules).map(([name, params]) => [name, isRecord(params) ? { ...params, because: null } : params]),
  );
}
