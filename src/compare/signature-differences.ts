import { UsageError } from '../data/problems.ts';
import { isRecord } from '../data/record-fields.ts';
import { harmless, shorten } from '../data/visible.ts';
import { formatOf } from '../formats/case-formats.ts';
import { canonicalJson } from '../score/fingerprint.ts';
import type { Manifest, Run } from '../score/run.ts';
import { hashedSettings } from '../score/signature.ts';

/** Parts that say in a word what the recipe's settings say in full. */
const SAID_BY_RECIPE = new Set(['prepare', 'pair', 'schemes', 'judge']);
const MADE_BY_RULES = new Set(['recipe', 'prepare', 'judge']);
const SHOWN = 5;
const ORDER = ['the first', 'the second'] as const;
const LONGEST_VALUE = 60;
const LONGEST_NAME = 80;
/** A string that needs no quotes to be one. */
const PLAIN_WORD = /^(?!(?:true|false|null)$)[\p{L}][\p{L}\p{N} ./:_-]*$/u;
/** How a difference of the cases begins. */
const OTHER_CASES = 'the cases or their gold differ';

/**
 * Numbers with different signatures are not compared unless the user insists (`cases`: unless they differ in the cases
 * alone); but the same predictions under other rules are, since then the rules are all that differs.
 */
export function signatureNotices([baseline, ...others]: readonly Run[], force: boolean | 'cases'): string[] {
  const { folder, manifest } = baseline!;
  return others.flatMap((other) => {
    const [before, after] = [manifest, other.manifest].map((of) => signatureParts(of.signature).get('predicted'));
    const isSamePredictions = before === after;
    const rules = isSamePredictions ? ruleDifferences(manifest, other.manifest, [folder, other.folder]) : null;
    if (rules !== null)
      return `${folder} and ${other.folder} hold the same predictions and differ in rules of the recipe: ${rules}. What is compared is the rules`;
    const shares = force === 'cases' || haveSameCaseFile(manifest, other.manifest);
    const apart = signatureDifferences(manifest, other.manifest).filter(
      (what) => !shares || !what.startsWith(OTHER_CASES),
    );
    const what = `${other.folder} was not scored as ${folder} was: ${apart.join('; ')}`;
    if (apart.length > 0 && force !== true)
      throw new UsageError(what, 'score both in the same way, or compare anyway with --force');
    return [
      ...(apart.length === 0 ? [] : [`${what}. Compared anyway, since --force was given`]),
      ...(isSamePredictions ? [`${other.folder} and ${folder} hold the same predictions`] : []),
      ...toolNotices(manifest, other.manifest),
    ];
  });
}

/** Scores of another tool are what its version made them: worth knowing, but nobody can score a log again. */
function toolNotices(...both: [Manifest, Manifest]): string[] {
  const [one, other] = both.map(({ signature }) => signatureParts(signature).get('tool'));
  return one === undefined || other === undefined || one === other
    ? []
    : [`the scores were logged by ${one} and ${other}: a scorer may have changed in between`];
}

/** If answers are cases, runs of one case file may have different ones: those that both have are compared. */
function haveSameCaseFile(...both: [Manifest, Manifest]): boolean {
  const [one, other] = both.map(({ inputs }) =>
    inputs.flatMap(({ role, sha256 }) => (role === 'predictions' ? [] : [`${role} ${sha256}`])).join(),
  );
  return both.every((manifest) => formatOf(manifest).answered !== undefined) && one === other;
}

/** What keeps the values of two runs from being comparable, in words; empty where nothing does. */
export function signatureDifferences(a: Manifest, b: Manifest): string[] {
  if (a.comparable === b.comparable) return [];
  // Recipes of two tasks differ in nearly everything: to list it would hide what is wrong.
  if (a.task !== b.task) return [`task: ${a.task} and ${b.task}`];
  const apart = partDifferences(a, b);
  return apart.flatMap(([name, one, other]) => {
    if (SAID_BY_RECIPE.has(name) && apart.some(([part]) => part === 'recipe')) return [];
    if (name === 'recipe') return [recipeDifferences(a, b)];
    if (name === 'concepts') return [`the concept extractors differ: ${extractorDifferences(a, b)}`];
    if (name === 'gold') return [`${OTHER_CASES} (${one} and ${other})`];
    return [`${name}: ${one} and ${other}`];
  });
}

/**
 * The rules in which two recipes differ, in words; null where anything else differs too, or nothing. Rules are the entries
 * of `judge`, and those of `prepare` that work on predictions alone: they change neither the question (cases, gold) nor
 * the way in which items are paired and counted.
 */
function ruleDifferences(a: Manifest, b: Manifest, owners: readonly [string, string]): string | null {
  if (a.task !== b.task || partDifferences(a, b).some(([name]) => !MADE_BY_RULES.has(name))) return null;
  const apart = [...recipeSettings(a, b)];
  if (!apart.every(({ path }) => isRule(path, a, b)) || orderDifference(a, b, 'prepare').length > 0) return null;
  const said = [...(apart.length === 0 ? [] : [listed(apart, owners)]), ...orderDifference(a, b, 'judge')];
  return said.length === 0 ? null : said.join('; ');
}

function isRule(path: string, ...both: readonly Manifest[]): boolean {
  const [stage, name = ''] = path.split('.');
  if (stage !== 'prepare' || name === '') return stage === 'judge' && name !== '';
  return both.every(({ recipe: { resolved } }) => {
    const rules = isRecord(resolved['prepare']) ? resolved['prepare'] : {};
    const params = Object.hasOwn(rules, name) ? rules[name] : { side: 'predicted' };
    return isRecord(params) && params['side'] === 'predicted';
  });
}

/** The orders of a stage, in words; none where the rules that both have come in one order. */
function orderDifference(a: Manifest, b: Manifest, stage: string): string[] {
  const [one = '', other = ''] = [a, b].map(({ comparable }) => signatureParts(comparable).get(stage));
  const [before, after] = [new Set(one.split('+')), new Set(other.split('+'))];
  const isSame =
    [...before].filter((name) => after.has(name)).join() === [...after].filter((name) => before.has(name)).join();
  return isSame ? [] : [`the order of ${stage} is ${one} and ${other}`];
}

/** The named parts of a signature. */
export function signatureParts(signature: string): ReadonlyMap<string, string> {
  return new Map(
    signature.split('|').map((part): [string, string] => {
      const at = part.indexOf(':');
      return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    }),
  );
}

/** The parts in which two signatures differ, with the value in each. */
function partDifferences(a: Manifest, b: Manifest): [name: string, one: string, other: string][] {
  const [before, after] = [signatureParts(a.comparable), signatureParts(b.comparable)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name): [string, string, string] => [name, before.get(name) ?? 'none', after.get(name) ?? 'none'])
    .filter(([, one, other]) => one !== other);
}

/** What the recipes are called, and the settings that are not the same, by path. */
function recipeDifferences(a: Manifest, b: Manifest): string {
  const [one = '', other = ''] = [a, b].map(({ recipe }) => shorten(harmless(recipe.name), LONGEST_NAME));
  // A path as a recipe writes it: the kind of item only where there are several, and no place in a list of one.
  const kinds = new Set([a, b].flatMap(({ recipe: { resolved } }) => Object.keys(resolved['pair'] ?? {})));
  const apart = [...recipeSettings(a, b)].map((difference) => {
    const path = difference.path.replace(/^(pair\.\w+\.)accept\.0\./, '$1');
    return { ...difference, path: kinds.size === 1 ? path.replace(/^pair\.\w+\./, 'pair.') : path };
  });
  return one === other
    ? `the recipe ${one} has other settings: ${listed(apart, ORDER)}`
    : `the recipes are ${one} and ${other}: ${listed(apart, [one, other])}`;
}

function extractorDifferences(a: Manifest, b: Manifest): string {
  const [before, after] = [a.recipe.resolved['concepts'], b.recipe.resolved['concepts']];
  if (before === undefined || after === undefined)
    return `only ${before === undefined ? 'the second' : 'the first'} run records what found its concepts`;
  return listed([...settingDifferences(before, after, '')], ORDER);
}

interface Difference {
  readonly path: string;
  /** The two values in words; null where only one of the two has this part, or they cannot be told apart in short. */
  readonly values: readonly [string, string] | null;
  /** Which of the two. */
  readonly only: 0 | 1 | null;
}

/** Settings with both values first, then the parts that only one of the two has. */
function listed(apart: readonly Difference[], owners: readonly [string, string]): string {
  const both = apart
    .filter(({ only }) => only === null)
    .map(({ path, values }) => `${path} ${values === null ? 'differs' : `is ${values.join(' and ')}`}`);
  const said = both.length === 0 ? [] : [first(both, 'more settings')];
  for (const [side, owner] of owners.entries()) {
    const paths = apart.filter(({ only }) => only === side).map(({ path }) => path);
    if (paths.length > 0) said.push(`only ${owner} has ${first(paths, 'more')}`);
  }
  return said.length === 0 ? 'its settings differ' : said.join('; ');
}

function first(names: readonly string[], more: string): string {
  return `${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? `, and ${names.length - SHOWN} ${more}` : ''}`;
}

function recipeSettings(a: Manifest, b: Manifest): Iterable<Difference> {
  return settingDifferences(hashedSettings(a.recipe.resolved), hashedSettings(b.recipe.resolved), '');
}

function* settingDifferences(before: unknown, after: unknown, path: string): Generator<Difference> {
  if (canonicalJson([before]) === canonicalJson([after])) return;
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* settingDifferences(before[key], after[key], below(key));
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length && before.some(isRecord)) {
    for (const [at, one] of before.entries()) yield* settingDifferences(one, after[at], below(String(at)));
  } else if (before === undefined && isRecord(after)) yield { path, values: null, only: 1 };
  else if (after === undefined && isRecord(before)) yield { path, values: null, only: 0 };
  else {
    const [one, other] = [shorten(inWords(before), LONGEST_VALUE), shorten(inWords(after), LONGEST_VALUE)];
    yield { path, values: one === other ? null : [one, other], only: null };
  }
}

/** As one would write it in a recipe. */
function inWords(value: unknown): string {
  if (value === undefined) return 'not set';
  if (Array.isArray(value)) return `[${value.map(inWords).join(', ')}]`;
  if (isRecord(value))
    return `{${Object.entries(value)
      .map(([key, of]) => `${inWords(key)}: ${inWords(of)}`)
      .join(', ')}}`;
  return typeof value === 'string' && PLAIN_WORD.test(value) ? value : harmless(canonicalJson(value));
}
