import type { DataOptions, UnknownPolicy } from '../data/data-options.ts';
import { DEFAULT_DATA_OPTIONS } from '../data/data-options.ts';
import { ITEM_KINDS, type ItemKind } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { type Attribute, attributeJudge } from '../judge/attributes.ts';
import { JUDGE_RULES } from '../judge/rules.ts';
import type { JudgeStep } from '../judge/step.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Measure } from '../measure/measure.ts';
import { buildMeasures } from '../measure/measures.ts';
import type { Criterion, PairSettings } from '../pair/criterion.ts';
import { isOwnSimilarity, similarityNamed } from '../pair/similarity.ts';
import { findRule, type Rule } from '../prepare/rule.ts';
import { PREPARE_RULES } from '../prepare/rules.ts';
import type { PrepareStep } from '../prepare/step.ts';
import { nearestNames } from '../text/nearest.ts';
import { type LoadedRecipe, loadRecipe } from './load.ts';
import { isOff } from './merge-recipe.ts';
import { loadOwnSimilarity } from './own-module.ts';
import type { CriterionSection, PairSection, Recipe } from './schema.ts';

export interface NamedStep<Step> {
  readonly name: string;
  readonly step: Step;
}

/** One way of pairing: the recipe's own (`name` null) or a scheme beside it. */
export interface Scheme {
  readonly name: string | null;
  readonly pair: ReadonlyMap<ItemKind, PairSettings>;
}

/** A recipe made ready to run: every section turned into functions, every default filled in. */
export interface Plan {
  readonly name: string;
  readonly task: Recipe['task'];
  readonly about: string;
  readonly data: DataOptions;
  readonly prepare: readonly NamedStep<PrepareStep>[];
  readonly schemes: readonly Scheme[];
  readonly judge: readonly NamedStep<JudgeStep>[];
  readonly attributes: readonly Attribute[];
  judgeAttributes(verdicts: readonly Verdict[]): readonly Verdict[];
  readonly measures: readonly Measure[];
  readonly slices: readonly string[];
  /** The whole recipe with its defaults, as the manifest shows it and the signature hashes it. */
  readonly resolved: Readonly<Record<string, unknown>>;
}

const KINDS_OF_TASK: Readonly<Record<Recipe['task'], readonly ItemKind[]>> = {
  journal: ['object'],
  pii: ['span'],
  graph: ['entity', 'relationship'],
};

export async function planRecipe(given: string | object, set: readonly string[] = []): Promise<Plan> {
  return planLoaded(loadRecipe(given, set));
}

async function planLoaded({ recipe, name, folder }: LoadedRecipe): Promise<Plan> {
  const prepare = stageSteps(recipe.prepare, PREPARE_RULES, 'prepare');
  const judge = stageSteps(recipe.judge, JUDGE_RULES, 'judge');
  const attributes = attributesOf(recipe);
  const measureSection = Array.isArray(recipe.measure)
    ? Object.fromEntries(recipe.measure.map((measure) => [measure, {}]))
    : recipe.measure;
  const wanted = Object.fromEntries(Object.entries(measureSection).filter(([, params]) => !isOff(params)));
  const { measures, params: measureParams } = buildMeasures(
    wanted,
    recipe.zeroDivision === 'undefined' ? null : recipe.zeroDivision,
  );
  checkMeasures(measureParams, attributes);
  const modules: Record<string, string> = {};
  const schemes: Scheme[] = [await schemeOf(null, recipe.pair, recipe.task, folder, modules)];
  for (const [schemeName, section] of Object.entries(recipe.schemes)) {
    if (section === null || section === false || section === 'off') continue;
    // A scheme starts from the recipe's own pairing settings, less the alternatives and the kinds' own.
    const { accept: _, ...base } = recipe.pair;
    schemes.push(await schemeOf(schemeName, { ...base, unit: 'item', ...section }, recipe.task, folder, modules));
  }
  const data = dataOptionsOf(recipe);
  const resolved = {
    task: recipe.task,
    about: recipe.about,
    data,
    prepare: prepare.params,
    pair: Object.fromEntries(schemes[0]?.pair ?? []),
    schemes: Object.fromEntries(schemes.slice(1).map((scheme) => [scheme.name, Object.fromEntries(scheme.pair)])),
    attributes: Object.fromEntries(attributes.map(({ name: attribute, ...rest }) => [attribute, rest])),
    judge: judge.params,
    measure: measureParams,
    slice: recipe.slice,
    zeroDivision: recipe.zeroDivision,
    ...(Object.keys(modules).length > 0 ? { modules } : {}),
  };
  return {
    name,
    task: recipe.task,
    about: recipe.about,
    data,
    prepare: prepare.steps,
    schemes,
    judge: judge.steps,
    attributes,
    judgeAttributes: attributeJudge(attributes),
    measures,
    slices: recipe.slice,
    resolved,
  };
}

/** The steps of a stage in their order, each under its own name; `rule:` lets one rule stand twice. */
function stageSteps<Step>(
  section: Readonly<Record<string, unknown>>,
  rules: readonly Rule<Step>[],
  stage: string,
): { steps: NamedStep<Step>[]; params: Record<string, unknown> } {
  const { order, ...entries } = section;
  const active = Object.entries(entries).filter(([, params]) => !isOff(params));
  for (const [name, params] of Object.entries(entries))
    if (isOff(params)) findRuleUnlessNamed(name, rules, stage, active.length);
  const names = active.map(([name]) => name);
  const ordered = order === undefined ? names : orderOf(order, names, stage);
  const steps: NamedStep<Step>[] = [];
  const resolved: Record<string, unknown> = {};
  for (const name of ordered) {
    const raw = entries[name];
    const { rule = name, ...params } =
      typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? (raw as Record<string, unknown>) : {};
    const found = findRule(rules, String(rule), stage);
    const shorthand = raw === true || raw === 'on' ? {} : typeof raw === 'object' ? params : raw;
    const built = found.build(shorthand, `${stage}.${name}`);
    steps.push({ name, step: found.build(shorthand, name).step });
    resolved[name] = rule === name ? built.params : { rule, ...(built.params as object) };
  }
  return { steps, params: resolved };
}

function findRuleUnlessNamed<Step>(name: string, rules: readonly Rule<Step>[], stage: string, others: number): void {
  // Switching off a rule that does not exist is a typing mistake, unless it is a second name for one.
  if (others === 0 || rules.some((rule) => rule.name === name)) return;
  const near = nearestNames(
    name,
    rules.map((rule) => rule.name),
  );
  if (near.length > 0)
    throw new UsageError(`${stage}: there is no rule called ${name}`, `did you mean ${near.join(' or ')}?`);
}

function orderOf(order: unknown, names: readonly string[], stage: string): readonly string[] {
  if (!Array.isArray(order) || order.some((name) => typeof name !== 'string'))
    throw new UsageError(`${stage}.order is a list of rule names`, `for example [${names.join(', ')}]`);
  const wanted = order as readonly string[];
  const missing = names.filter((name) => !wanted.includes(name));
  const unknown = wanted.filter((name, at) => !names.includes(name) || wanted.indexOf(name) !== at);
  if (missing.length > 0 || unknown.length > 0) {
    throw new UsageError(
      `${stage}.order must name each active rule once${missing.length > 0 ? `; missing: ${missing.join(', ')}` : ''}${unknown.length > 0 ? `; not active or twice: ${unknown.join(', ')}` : ''}`,
      `active rules: ${names.join(', ')}`,
    );
  }
  return wanted;
}

async function schemeOf(
  name: string | null,
  section: Recipe['pair'],
  task: Recipe['task'],
  folder: string,
  modules: Record<string, string>,
): Promise<Scheme> {
  const pair = new Map<ItemKind, PairSettings>();
  const shared = Object.fromEntries(
    Object.entries(section).filter(([key]) => !ITEM_KINDS.some((kind) => kind === key)),
  ) as PairSection;
  for (const kind of KINDS_OF_TASK[task]) {
    const settings: PairSection = { ...shared, ...section[kind] };
    pair.set(kind, await pairSettingsOf(settings, folder, modules));
  }
  return { name, pair };
}

async function pairSettingsOf(
  section: PairSection,
  folder: string,
  modules: Record<string, string>,
): Promise<PairSettings> {
  const { accept, assign = 'greedy', ties = 'content', partial = 1, unit = 'item', ...own } = section;
  const alternatives: [string, CriterionSection][] =
    accept === undefined
      ? [['pair', own]]
      : Object.entries(accept).flatMap(([name, criterion]): [string, CriterionSection][] =>
          criterion === null || criterion === false || criterion === 'off' ? [] : [[name, { ...own, ...criterion }]],
        );
  if (alternatives.length === 0)
    throw new UsageError('pair.accept: every alternative is off', 'leave at least one, or remove accept');
  const criteria: Criterion[] = [];
  for (const [name, settings] of alternatives) {
    const similarity = settings.similarity ?? 'exact';
    const module = isOwnSimilarity(similarity) ? await loadOwnSimilarity(similarity, folder) : null;
    if (module === null) similarityNamed(similarity);
    else modules[similarity] = module.sha256;
    criteria.push({
      name,
      gate: settings.gate ?? [],
      similarity,
      threshold: settings.threshold ?? 0.5,
      tolerance: settings.tolerance ?? 0,
      words: settings.words ?? 'whitespace',
      normalise: settings.normalise ?? [],
      inverse: settings.inverse ?? [],
      symmetric: settings.symmetric ?? [],
      equivalent: settings.equivalent ?? [],
      own: module?.similarity ?? null,
    });
  }
  return { accept: criteria, assign, ties, partial, unit };
}

function attributesOf(recipe: Recipe): Attribute[] {
  return Object.entries(recipe.attributes).flatMap(([name, params]) =>
    params === null || params === false || params === 'off' ? [] : [{ name, ...params, field: params.field ?? name }],
  );
}

function checkMeasures(params: Readonly<Record<string, unknown>>, attributes: readonly Attribute[]): void {
  const names = attributes.map((attribute) => attribute.name);
  for (const [measure, own] of Object.entries(params)) {
    if (typeof own !== 'object' || own === null) continue;
    const asked = [
      ...('attributes' in own && Array.isArray(own.attributes) ? own.attributes : []),
      ...('require' in own && Array.isArray(own.require) ? own.require : []),
    ] as unknown[];
    for (const name of asked) {
      if (names.includes(String(name))) continue;
      const near = nearestNames(String(name), names);
      throw new UsageError(
        `measure.${measure}: there is no attribute called ${String(name)}`,
        near.length > 0
          ? `did you mean ${near[0]}?`
          : `attributes: ${names.join(', ') || 'none; declare them under attributes'}`,
      );
    }
  }
}

function dataOptionsOf(recipe: Recipe): DataOptions {
  const { unknownLabel, unknownValue, ...rest } = recipe.data;
  const given = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  ) as Partial<DataOptions>;
  return {
    ...DEFAULT_DATA_OPTIONS,
    ...given,
    unknownLabel: sides(unknownLabel, DEFAULT_DATA_OPTIONS.unknownLabel),
    unknownValue: sides(unknownValue, DEFAULT_DATA_OPTIONS.unknownValue),
  };
}

type BySide = { readonly gold: UnknownPolicy; readonly predicted: UnknownPolicy };

function sides(
  given: UnknownPolicy | { gold?: UnknownPolicy | undefined; predicted?: UnknownPolicy | undefined } | undefined,
  usual: BySide,
): BySide {
  if (given === undefined) return usual;
  if (typeof given === 'string') return { gold: given, predicted: given };
  return { gold: given.gold ?? usual.gold, predicted: given.predicted ?? usual.predicted };
}
