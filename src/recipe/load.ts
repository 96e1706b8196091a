import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

import { UsageError } from '../data/problems.ts';
import { readWritten } from '../data/read-file.ts';
import { isRecord } from '../data/record-fields.ts';
import { errorCode } from '../data/source.ts';
import { JUDGE_RULES } from '../judge/rules.ts';
import { PREPARE_RULES } from '../prepare/rules.ts';
import { schemaProblems } from '../prepare/schema-problems.ts';
import {
  SettingError,
  type SettingProblem,
  SettingProblems,
  settingError,
  suggestion,
} from '../prepare/setting-error.ts';
import { closestNames } from '../text/closest-names.ts';
import { checkPlain } from './check-plain.ts';
import { accuracyName, layOver } from './lay-over.ts';
import { isOff } from './on-off.ts';
import { type Layer, placeIn } from './place-in.ts';
import { presetAliases, presetNamed, presetNames, presetText, presetValue } from './presets.ts';
import { type Recipe, RECIPE_VERSION, recipeSchema } from './schema.ts';
import { type Assignment, checkEntry, layerOf, parseAssignment } from './set-value.ts';
import { parseYaml } from './yaml-document.ts';

export interface LoadedRecipe {
  readonly recipe: Recipe;
  /** Preset name or file name, for the report: without its folder, which differs from machine to machine. */
  readonly name: string;
  /** The folder that module paths start from. */
  readonly folder: string;
  /** The place that sets a setting: a file and line, or a --set line; null if none does. */
  readonly placeOf: (path: readonly string[]) => string | null;
}

/** Whole sections that take the place of a recipe's own. */
export type RecipeSections = Readonly<Partial<Pick<Recipe, 'concepts' | 'limits' | 'stream'>>>;

interface Own extends Layer {
  readonly value: unknown;
  readonly folder: string;
  /** Distinguishes it from all others, whatever way led to it. */
  readonly identity: string;
}

const SWITCHED_AS_A_WHOLE = new Set(['prepare', 'judge', 'schemes', 'attributes']);

/** A preset, a file, or a recipe object, with `--set` lines and whole sections laid over it and checked as a whole. */
export function loadRecipe(given: string | object, set: readonly string[] = []): LoadedRecipe {
  const { loaded, problems, placeOf } = readWithProblems(given, set, {});
  if (loaded === null || problems.all.length > 0) throw new SettingError(problems.all, placeOf);
  return loaded;
}

/** The same with what is wrong; the recipe is then without that, or null where nothing can be made of it. */
export function readWithProblems(
  given: string | object,
  set: readonly string[],
  sections: RecipeSections,
): Pick<LoadedRecipe, 'placeOf'> & { loaded: LoadedRecipe | null; problems: SettingProblems } {
  const layers: Own[] = [];
  const assignments: Assignment[] = [];
  const placeOf = (path: readonly string[]): string | null => placeIn(layers, assignments, path);
  try {
    const own = typeof given === 'string' ? readRecipe(given, process.cwd()) : inlineRecipe(given);
    const problems = new SettingProblems();
    const written = withParents(own, layers, problems);
    const value = set.reduce(
      (recipe, line) => problems.attempt(() => withAssignment(recipe, line, assignments)) ?? recipe,
      written,
    );
    checkPlain(sections);
    const whole = isRecord(value) ? { ...value, ...sections } : value;
    const recipe = problems.attempt(() => checked(whole)) ?? withoutProblems(whole, problems.all);
    const name = typeof given === 'string' ? displayName(given) : own.name;
    const loaded = recipe === null ? null : { recipe, name, folder: own.folder, placeOf };
    return { loaded, problems, placeOf };
  } catch (error) {
    if (error instanceof SettingError) throw new SettingError(error.problems, placeOf);
    throw error;
  }
}

/** The recipe without the settings that are wrong, so that the rest can be looked at; null where that is none. */
function withoutProblems(value: unknown, problems: readonly SettingProblem[]): Recipe | null {
  const rest = problems.reduce((recipe, { path }) => without(recipe, path), value);
  return new SettingProblems().attempt(() => checked(rest)) ?? null;
}

function without(value: unknown, [step, ...path]: readonly string[]): unknown {
  if (step === undefined || !isRecord(value)) return value;
  const { [step]: inner, ...rest } = value;
  return path.length === 0 ? rest : { ...value, [step]: without(inner, path) };
}

function withAssignment(recipe: unknown, line: string, assignments: Assignment[]): unknown {
  const assignment = parseAssignment(recipe, line);
  assignments.push(assignment);
  checkEntry(recipe, assignment);
  const over = layerOf(assignment);
  checkPlain(over);
  checkSwitchedOff(recipe, over);
  return layOver(recipe, over);
}

function checked(value: unknown): Recipe {
  // A section with nothing in it (`judge:`) is as good as none, and so is one that is switched off as a whole.
  const isEmpty = ([key, section]: [string, unknown]): boolean =>
    section === null || (SWITCHED_AS_A_WHOLE.has(key) && isOff(section));
  const filled = isRecord(value) ? Object.fromEntries(Object.entries(value).filter((entry) => !isEmpty(entry))) : value;
  const parsed = recipeSchema.safeParse(filled);
  if (parsed.success) {
    const { version: _version, ...recipe } = parsed.data;
    return recipe;
  }
  const problems = schemaProblems(recipeSchema, filled, parsed.error, []);
  throw new SettingError(
    problems.map((problem) => ({ ...problem, next: problem.next ?? 'assay schema recipe shows every setting' })),
  );
}

/** The recipe laid over what it extends; `layers` gets every file on the way, the recipe's own first. */
function withParents(own: Own, layers: Own[], problems: SettingProblems): unknown {
  const { value, name } = own;
  layers.push(own);
  if (!isRecord(value))
    throw new UsageError(
      `${name}: a recipe is a mapping (task, pair, judge, measure, …)`,
      'assay init TASK writes one to start from',
    );
  checkPlain(value);
  // Before anything else is checked: a newer recipe may have settings that are not known here.
  if (typeof value['version'] === 'number' && value['version'] > RECIPE_VERSION)
    throw new UsageError(
      `${name}: written for a newer Assay, in version ${value['version']} of recipes; this one reads version ${RECIPE_VERSION}`,
      'update Assay: npm install assay@latest',
    );
  const { extends: parent, ...rest } = value;
  if (parent === undefined) return layOver({}, value);
  if (typeof parent !== 'string') throw new UsageError(`${name}: extends names one preset or file`);
  const below = readRecipe(parent, own.folder);
  if (layers.some(({ identity }) => identity === below.identity)) {
    const round = [...layers.map((layer) => layer.name), parent].join(' -> ');
    throw new UsageError(`${name}: extends goes round in a circle (${round})`);
  }
  const base = withParents(below, layers, problems);
  problems.attempt(() => checkSwitchedOff(base, rest));
  return layOver(base, rest);
}

function inlineRecipe(value: object): Own {
  return { value, name: 'inline', folder: process.cwd(), identity: 'inline', lineOf: () => null };
}

function displayName(given: string): string {
  return presetNamed(given) === null ? basename(given) : given;
}

const LISTED = 'assay presets lists the presets';

function readRecipe(name: string, from: string): Own {
  const preset = presetNamed(name);
  if (preset !== null) {
    const lineOf: Own['lineOf'] = (path) => parseYaml(presetText(preset), name).lineOf(path);
    return { value: presetValue(preset), name, folder: process.cwd(), identity: `preset ${preset}`, lineOf };
  }
  const path = resolve(from, name);
  let text: string;
  try {
    if (statSync(path).isDirectory())
      throw new UsageError(`${name} is a folder, expected a recipe file or a preset`, LISTED);
    text = readWritten(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const near = closestNames(name, [...presetNames(), ...presetNames().flatMap(presetAliases)]);
    throw new UsageError(
      /\.ya?ml$/.test(name)
        ? `cannot read the recipe ${name} (${errorCode(error)})`
        : `there is no preset or recipe file called ${name}`,
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : LISTED,
    );
  }
  const { value, lineOf } = parseYaml(text, name);
  return { value, name, folder: dirname(path), identity: path, lineOf };
}

/** Sections whose entries can be switched off, with the names that are known without being in use. */
const SECTIONS: readonly { readonly path: readonly string[]; readonly known: readonly string[] }[] = [
  { path: ['prepare'], known: PREPARE_RULES.map((rule) => rule.name) },
  { path: ['judge'], known: JUDGE_RULES.map((rule) => rule.name) },
  { path: ['schemes'], known: [] },
  { path: ['attributes'], known: [] },
  { path: ['measure'], known: [] },
  { path: ['pair', 'accept'], known: [] },
];

/** To switch off what is not there is a typing mistake: the rule that was meant would go on working unseen. */
function checkSwitchedOff(base: unknown, over: unknown): void {
  const found = new SettingProblems();
  for (const { path, known } of SECTIONS) {
    const entries = recordAt(over, path);
    const below = sectionAt(base, path);
    const added = path[0] === 'measure' ? Object.keys(recordAt(over, ['attributes'])).map(accuracyName) : [];
    const names = [
      ...(Array.isArray(below) ? below.map(String) : isRecord(below) ? Object.keys(below) : []),
      ...known,
      ...added,
    ];
    for (const [name, value] of Object.entries(entries)) {
      if (!isOff(value) || names.includes(name)) continue;
      found.add(
        settingError([...path, name], `there is no ${name} to switch off`, suggestion(name, names, 'there are')),
      );
    }
  }
  found.throwIfAny();
}

function recordAt(recipe: unknown, path: readonly string[]): Readonly<Record<string, unknown>> {
  const section = sectionAt(recipe, path);
  return isRecord(section) ? section : {};
}

function sectionAt(recipe: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((section, part) => (isRecord(section) ? section[part] : undefined), recipe);
}
