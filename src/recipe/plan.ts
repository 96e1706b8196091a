import {
  type DataOptions,
  DEFAULT_DATA_OPTIONS,
  type OffsetConvention,
  type UnknownPolicy,
} from '../data/data-options.ts';
import type { ReadOptions } from '../data/format.ts';
import { type Attribute, attributeJudge } from '../judge/attributes.ts';
import type { JudgeStep } from '../judge/step.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Measure } from '../measure/measure.ts';
import { buildMeasures } from '../measure/measures.ts';
import { SettingError, settingError, type SettingProblems } from '../prepare/setting-error.ts';
import type { PrepareStep } from '../prepare/step.ts';
import { checkNames } from './check-names.ts';
import { type ConsultSection, PLAIN_CONSULT } from './consult-section.ts';
import { type Definition, definitionFacts } from './definition.ts';
import { customFormats, customMeasures, loadDefinitions, rulesOf, takeDefinitions } from './definitions.ts';
import { type LoadedRecipe, readWithProblems, type RecipeSections } from './load.ts';
import { isOff, isPlainOn } from './on-off.ts';
import type { ReviewSection } from './review-section.ts';
import { type IntervalSection, PLAIN_ATTRIBUTE, PLAIN_INTERVAL, type Recipe } from './schema.ts';
import { pairedOfTask, type Scheme, schemesOf } from './schemes.ts';
import { type ScoresSection, withScoreMeasures } from './scores-section.ts';
import { type NamedStep, stageSteps } from './stage.ts';
import { PLAIN_STREAM, type StreamSection, withStreamMeasures } from './stream-section.ts';
import { taskTitle } from './task-title.ts';

export type { Scheme } from './schemes.ts';
export type { NamedStep } from './stage.ts';
export type { ConsultSection } from './consult-section.ts';
export type { ReviewSection } from './review-section.ts';
export type { ReportedValue, ScoresSection } from './scores-section.ts';
export type { StreamSection } from './stream-section.ts';

/** What to call `planRecipe` with. */
export type PlanOrigin = Readonly<{ recipe: string; set: readonly string[] }>;

/** A recipe made ready to run: every section turned into functions, every default filled in. */
export interface Plan {
  readonly name: string;
  readonly task: Recipe['task'];
  readonly about: string;
  /** What the numbers do not claim, for the report. */
  readonly limits: string | null;
  /** What is special to a stream recipe; null for the others. */
  readonly stream: StreamSection | null;
  /** What is special to a consult recipe; null for the others. */
  readonly consult: ConsultSection | null;
  /** The scores of another tool's log; null where nothing was imported. */
  readonly scores: ScoresSection | null;
  /** The form that reviewers fill in; null where the recipe has none. */
  readonly review: ReviewSection | null;
  /** What found the concepts, where the task has any. */
  readonly concepts: Readonly<Record<string, unknown>> | null;
  readonly data: ReadOptions;
  readonly prepare: readonly NamedStep<PrepareStep>[];
  readonly schemes: readonly Scheme[];
  readonly judge: readonly NamedStep<JudgeStep>[];
  readonly attributes: readonly Attribute[];
  judgeAttributes(verdicts: readonly Verdict[]): readonly Verdict[];
  readonly measures: readonly Measure[];
  readonly slices: readonly string[];
  /** How intervals are made; null where none are wanted. */
  readonly interval: IntervalSection | null;
  /** The whole recipe with its defaults, as the manifest shows it and the signature hashes it. */
  readonly resolved: Readonly<Record<string, unknown>>;
  /** The recipe as it was read, changes included: plain data that gives the same plan, but for user code. */
  readonly source: Recipe;
  /** What user code adds to the recipe language. */
  readonly definitions: readonly Definition[];
  /** A recipe by its name or file, with the `--set` lines, that gives this plan in another thread; null for other plans. */
  readonly origin: PlanOrigin | null;
  /** The same recipe with something changed: a rule less, another threshold. */
  variant(change: (recipe: Recipe) => Recipe): Promise<Plan>;
}

/**
 * Reads a recipe, lays the `--set` lines over it, and makes it ready to run. Sections in `sections` then take the place of
 * the recipe's own: what a program knows and no recipe writes, such as which extractor it has found the concepts with.
 * In a recipe object, `modules` may also hold definitions themselves.
 */
export async function planRecipe(
  given: string | object,
  set: readonly string[] = [],
  sections: RecipeSections = {},
): Promise<Plan> {
  const { recipe: plain, define } = takeDefinitions(given);
  const { loaded, problems, placeOf } = readWithProblems(plain, set, sections);
  const isWhole = problems.all.length === 0;
  const definitions = loaded === null ? define : await loadDefinitions(loaded.recipe.modules, loaded.folder, define);
  try {
    if (loaded !== null && isWhole) {
      const plan = await planLoaded(loaded, definitions);
      const isPlain = typeof given === 'string' && Object.keys(sections).length === 0 && definitions.length === 0;
      return isPlain ? { ...plan, origin: { recipe: given, set } } : plan;
    }
  } catch (error) {
    problems.add(error);
  }
  if (loaded !== null) await addProblems(loaded, definitions, isWhole, problems);
  throw new SettingError(problems.all, placeOf);
}

/** All that keeps a recipe from being planned; names across sections are only checked in a whole one. */
async function addProblems(
  { recipe, folder }: LoadedRecipe,
  definitions: readonly Definition[],
  isWhole: boolean,
  problems: SettingProblems,
): Promise<void> {
  const rules = rulesOf(definitions);
  problems.attempt(() => stageSteps(recipe.prepare, rules.prepare, 'prepare'));
  // A module that cannot be loaded is reported once the rest is right.
  const pairing = await schemesOf(recipe, folder, definitions).catch((error: unknown) => {
    if (error instanceof SettingError) problems.add(error);
  });
  problems.attempt(() => stageSteps(recipe.judge, rules.judge, 'judge'));
  const stream = problems.attempt(() => sectionOf(recipe, 'stream', PLAIN_STREAM)) ?? null;
  problems.attempt(() => sectionOf(recipe, 'consult', PLAIN_CONSULT));
  const scores = problems.attempt(() => sectionOf(recipe, 'scores', null)) ?? null;
  const built = problems.attempt(() =>
    buildMeasures(measuresOf(recipe, stream, scores), null, customMeasures(definitions)),
  );
  if (isWhole && pairing !== undefined && built !== undefined)
    problems.attempt(() => checkNames(recipe, pairing.schemes, attributesOf(recipe), built.params, definitions));
}

async function planLoaded(loaded: LoadedRecipe, definitions: readonly Definition[]): Promise<Plan> {
  const { recipe, name, folder } = loaded;
  const rules = rulesOf(definitions);
  const prepare = stageSteps(recipe.prepare, rules.prepare, 'prepare');
  const { schemes, modules } = await schemesOf(recipe, folder, definitions);
  const judge = stageSteps(recipe.judge, rules.judge, 'judge');
  const attributes = attributesOf(recipe);
  const stream = sectionOf(recipe, 'stream', PLAIN_STREAM);
  const consult = sectionOf(recipe, 'consult', PLAIN_CONSULT);
  const scores = sectionOf(recipe, 'scores', null);
  const review = recipe.review ?? null;
  const { measures, params: measureParams } = buildMeasures(
    measuresOf(recipe, stream, scores),
    recipe.zeroDivision === 'undefined' ? null : recipe.zeroDivision,
    customMeasures(definitions),
  );
  checkNames(recipe, schemes, attributes, measureParams, definitions);
  const data = dataOptionsOf(recipe);
  const formats = customFormats(definitions);
  const { task, about, limits, concepts, primary, spread, slice, zeroDivision, audit } = recipe;
  const interval = isOff(recipe.interval) ? null : isPlainOn(recipe.interval) ? PLAIN_INTERVAL : recipe.interval;
  return {
    name,
    task,
    about,
    limits: limits ?? null,
    stream,
    consult,
    scores,
    review,
    concepts: concepts ?? null,
    data: { ...data, kinds: pairedOfTask(task), ...(formats.length === 0 ? {} : { formats }) },
    prepare: prepare.steps,
    schemes,
    judge: judge.steps,
    attributes,
    judgeAttributes: attributeJudge(attributes),
    measures,
    slices: slice,
    interval,
    source: recipe,
    definitions,
    resolved: {
      task,
      about,
      ...(limits === undefined ? {} : { limits }),
      data,
      ...(stream === null ? {} : { stream }),
      // In a consultation the form defines who is expected to rate what; elsewhere it changes no number.
      ...(consult === null ? {} : { consult, review }),
      ...(scores === null ? {} : { scores }),
      ...(concepts === undefined ? {} : { concepts }),
      prepare: prepare.params,
      pair: Object.fromEntries(schemes[0]?.pair ?? []),
      schemes: Object.fromEntries(schemes.slice(1).map((scheme) => [scheme.name, Object.fromEntries(scheme.pair)])),
      attributes: Object.fromEntries(attributes.map(({ name: attribute, ...rest }) => [attribute, rest])),
      judge: judge.params,
      measure: measureParams,
      ...(primary === undefined ? {} : { primary }),
      ...(spread === undefined ? {} : { spread }),
      slice,
      zeroDivision,
      interval: interval ?? 'off',
      ...(audit === undefined ? {} : { audit }),
      ...(Object.keys(modules).length > 0 ? { modules } : {}),
      ...(definitions.length > 0 ? { custom: definitionFacts(definitions) } : {}),
    },
    origin: null,
    variant: (change) => planLoaded({ ...loaded, recipe: change(recipe) }, definitions),
  };
}

/** The section that is special to one task; `fallback` where its recipe leaves it out. */
function sectionOf<Name extends 'stream' | 'consult' | 'scores'>(
  recipe: Recipe,
  name: Name,
  fallback: NonNullable<Recipe[Name]> | null,
): NonNullable<Recipe[Name]> | null {
  const section = recipe[name];
  if (recipe.task === name) return section ?? fallback;
  if (section === undefined) return null;
  throw settingError(
    [name],
    `a recipe for ${taskTitle(recipe.task)} has no such section`,
    `leave it out, or say task: ${name}`,
  );
}

function attributesOf(recipe: Recipe): Attribute[] {
  return Object.entries(recipe.attributes).flatMap(([name, given]) => {
    if (isOff(given)) return [];
    const params = isPlainOn(given) ? PLAIN_ATTRIBUTE : given;
    return [{ ...params, name, field: params.field ?? name }];
  });
}

function measuresOf(
  { measure }: Recipe,
  stream: StreamSection | null,
  scores: ScoresSection | null,
): Record<string, unknown> {
  const named = Array.isArray(measure) ? Object.fromEntries(measure.map((name) => [name, {}])) : measure;
  const ofTask = stream === null ? named : withStreamMeasures(named, stream);
  const all = scores === null ? ofTask : withScoreMeasures(ofTask, scores);
  return Object.fromEntries(Object.entries(all).filter(([, params]) => !isOff(params)));
}

type BySide = DataOptions['unknownLabel'];

/** The recipe's `data` section with its defaults. */
function dataOptionsOf({ data }: Recipe): DataOptions {
  const usual = DEFAULT_DATA_OPTIONS;
  return {
    format: data.format ?? usual.format,
    ...offsetsOf(data.offsets),
    columns: data.columns ?? usual.columns,
    ...(data.tagNames === undefined ? {} : { tagNames: data.tagNames }),
    ...(data.fuzzyQuotes === undefined ? {} : { fuzzyQuotes: data.fuzzyQuotes }),
    system: data.system ?? usual.system,
    unknownCase: data.unknownCase ?? usual.unknownCase,
    missingGold: data.missingGold ?? usual.missingGold,
    missingPrediction: data.missingPrediction ?? usual.missingPrediction,
    failed: data.failed ?? usual.failed,
    badSpan: data.badSpan ?? usual.badSpan,
    ...(data.places === undefined ? {} : { places: data.places }),
    mojibake: data.mojibake ?? usual.mojibake,
    labels: data.labels ?? usual.labels,
    unknownLabel: bySide(data.unknownLabel, usual.unknownLabel),
    values: data.values ?? usual.values,
    unknownValue: bySide(data.unknownValue, usual.unknownValue),
    strayInside: data.strayInside ?? usual.strayInside,
    maxRecordMiB: data.maxRecordMiB ?? usual.maxRecordMiB,
  };
}

/** Places in the ledger are in gold's unit. A plain unit is for what the files' formats leave open. */
function offsetsOf(given: Recipe['data']['offsets']): Pick<DataOptions, 'offsets' | 'conventions'> {
  if (given === undefined) return { offsets: DEFAULT_DATA_OPTIONS.offsets };
  const sides = typeof given === 'string' ? { gold: given, predicted: given } : given;
  const gold = sides.gold === undefined ? undefined : convention(sides.gold);
  const predicted = sides.predicted === undefined ? undefined : convention(sides.predicted);
  const offsets = gold?.unit ?? DEFAULT_DATA_OPTIONS.offsets;
  if (typeof given === 'string' && given === offsets) return { offsets };
  return { offsets, conventions: { ...(gold && { gold }), ...(predicted && { predicted }) } };
}

function convention(words: string): OffsetConvention {
  const has = (word: string): boolean => words.split(' ').includes(word);
  const unit = (['utf16', 'byte'] as const).find(has) ?? 'codepoint';
  return { unit, ...(has('inclusive') && { inclusive: true }), ...(has('one-based') && { oneBased: true }) };
}

function bySide(given: Recipe['data']['unknownLabel'], fallback: BySide): BySide {
  if (given === undefined) return fallback;
  if (typeof given === 'string') return both(given);
  return { gold: given.gold ?? fallback.gold, predicted: given.predicted ?? fallback.predicted };
}

function both(policy: UnknownPolicy): BySide {
  return { gold: policy, predicted: policy };
}
