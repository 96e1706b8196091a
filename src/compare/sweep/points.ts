import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { refuseUse } from '../../formats/case-formats.ts';
import { type Criterion, type PairSettings, type Threshold, thresholdFor } from '../../pair/criterion.ts';
import { comparesPlaces } from '../../pair/end-places.ts';
import { loadRecipe } from '../../recipe/load.ts';
import { type Plan, planRecipe } from '../../recipe/plan.ts';
import { parseAssignment } from '../../recipe/set-value.ts';
import { yamlPackage } from '../../recipe/yaml-package.ts';
import { canonicalJson } from '../../score/fingerprint.ts';
import { hashedSettings } from '../../score/signature.ts';
import type { OverLine, SweepAxis } from './axes.ts';

export type PlannedSweep = Awaited<ReturnType<typeof planSweep>>;

/** The recipe at every point, all of them checked before anything is read. */
export async function planSweep(recipe: string | object, set: readonly string[], lines: readonly OverLine[]) {
  const base = withoutSchemes(await planRecipe(recipe, set));
  refuseUse('sweep', base, base.name);
  // Every combination, the first axis fastest.
  const places = lines.reduce<number[][]>(
    (all, { texts }) => texts.flatMap((_, place) => all.map((at) => [...at, place])),
    [[]],
  );
  const points: { at: readonly number[]; set: readonly string[]; plan: Plan }[] = [];
  for (const at of places) {
    const own = lines.map(({ path, texts }, axis) => `${path}=${texts[at[axis]!]!}`);
    const plan = await planRecipe(recipe, [...set, ...own]).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      const said = own.reduce((text, line) => text.replaceAll(`--set ${line}`, `--over ${line}`), error.message);
      const named = own.some((line) => said.includes(`--over ${line}`));
      throw new UsageError(`${named ? '' : `--over ${own.join(' and ')}: `}${said}`.split('\n'), error.next);
    });
    points.push({ at, set: own, plan: withoutSchemes(plan) });
  }
  refuseNoEffect(lines, points);
  const stands = points.findIndex(({ plan }) => canonicalJson(plan.resolved) === canonicalJson(base.resolved));
  const axes = lines.map((line, axis): SweepAxis => {
    const values = line.texts.map((text): unknown => yamlPackage().parse(text, { maxAliasCount: 0 }));
    const setting = ownSetting(recipe, set, base, line.path);
    const known =
      setting === undefined ? -1 : values.findIndex((value) => canonicalJson(value) === canonicalJson(setting));
    const at = stands >= 0 ? points[stands]!.at[axis]! : known;
    const value = at < 0 ? setting : values[at];
    const text = line.texts[at] ?? (typeof value === 'string' ? value : JSON.stringify(value));
    return {
      path: line.path,
      written: line.written,
      values,
      texts: line.texts,
      numeric: values.every(
        (one, place) => typeof one === 'number' && (place === 0 || Number(values[place - 1]) < one),
      ),
      own: value === undefined ? null : { value, text, at: at < 0 ? null : at },
    };
  });
  // `base` is the recipe as it stands, `own` the point that it is.
  return { base, points, own: stands < 0 ? null : stands, axes };
}

/** A sweep looks at the recipe's own pairing alone. */
function withoutSchemes(plan: Plan): Plan {
  return { ...plan, schemes: plan.schemes.slice(0, 1) };
}

/** A parameter on which nothing depends here is a slip: a flat curve would pass for an answer. */
function refuseNoEffect(lines: readonly OverLine[], points: readonly { at: readonly number[]; plan: Plan }[]): void {
  const settings = points.map(({ plan }) => readSettings(plan));
  for (const [axis, { path, texts }] of lines.entries()) {
    const groups = Map.groupBy(points.keys(), (point) => points[point]!.at.filter((_, other) => other !== axis).join());
    if (texts.length < 2 || [...groups.values()].some((own) => new Set(own.map((at) => settings[at])).size > 1))
      continue;
    throw new UsageError(
      `--over ${path}: every value gives the same numbers, nothing in the recipe depends on ${path}`,
      'its similarity or unit may not read it, or a kind of item or an alternative under pair.accept has its own setting',
    );
  }
}

/** The recipe's setting at a path, or the one it falls back to; undefined if that is not one value. */
function ownSetting(recipe: string | object, set: readonly string[], plan: Plan, path: string): unknown {
  const loaded: unknown = loadRecipe(recipe, set).recipe;
  const { path: steps } = parseAssignment(loaded, `${path}=`);
  const of = (own: readonly string[]): unknown =>
    valueAt(loaded, own) ?? (own[0] === 'pair' ? pairDefault(plan, own.slice(1)) : valueAt(plan.resolved, own));
  const said = of(steps);
  if (said !== undefined || steps.at(-2) !== 'threshold') return said;
  // A label without its own threshold has that of the others.
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

/** Similarities that are 1 or 0: no threshold and no partial credit separates two of them. */
const YES_OR_NO = new Set(['exact', 'containment', 'predicted-in-gold', 'gold-in-predicted']);

/**
 * What the numbers may depend on, as a text to compare: the recipe without words, and without the settings of `pair` that
 * its similarity or its unit does not read.
 */
function readSettings({ resolved, schemes }: Plan): string {
  const { data, prepare, judge } = resolved;
  const pair = Object.fromEntries([...(schemes[0]?.pair ?? [])].map(([kind, own]) => [kind, readPair(kind, own)]));
  // The recipe's hash leaves out how files are read.
  const reading = isRecord(data) ? [data['format'], data['columns']] : [];
  const rules = { prepare: withoutReasons(prepare), judge: withoutReasons(judge) };
  return canonicalJson([hashedSettings({ ...resolved, pair, ...rules }), ...reading]);
}

function readPair(kind: string, { accept, assign, ties, partial, unit, tokens, cover }: PairSettings): unknown {
  if (unit === 'item')
    return {
      accept: accept.map((criterion) => readCriterion(kind, criterion)),
      assign,
      ties,
      partial: accept.every(isYesOrNo) ? null : partial,
    };
  return accept.map(({ name, gate, words, threshold }) => [
    [unit, name],
    unit.startsWith('cover') ? [threshold, cover ?? null] : gate.includes('label'),
    unit === 'token' ? [words, tokens ?? null] : null,
  ]);
}

/** A custom similarity reads the items alone. */
function readCriterion(kind: string, criterion: Criterion): unknown {
  const { name, gate, similarity, threshold, tolerance, words, normalise, own, ...relations } = criterion;
  const yesOrNo = isYesOrNo(criterion);
  const byText = similarity === 'levenshtein' || similarity === 'relation' || (yesOrNo && kind !== 'span');
  const byPlace = similarity === 'iou' || (kind === 'span' && yesOrNo) || comparesPlaces(criterion);
  return [
    [name, gate, similarity, yesOrNo ? null : threshold],
    own === null && [byPlace && tolerance, similarity === 'jaccard' && words, byText && normalise],
    similarity === 'relation' && relations,
  ];
}

function isYesOrNo({ similarity, own }: Criterion): boolean {
  return own === null && YES_OR_NO.has(similarity);
}

/** Rules without the reasons that they give for a verdict. */
function withoutReasons(rules: unknown): unknown {
  const entries = Object.entries(isRecord(rules) ? rules : {});
  return Object.fromEntries(entries.map(([name, of]) => [name, isRecord(of) ? { ...of, because: null } : of]));
}
