import { isRecord } from '../data/record-fields.ts';
import { harmless, shorten } from '../data/visible.ts';
import { canonicalJson } from '../score/canonical-json.ts';
import type { Manifest } from '../score/run.ts';
import { isMeasureWord } from '../score/signature.ts';

/** Parts that say in a word what the recipe's settings say in full. */
const SAID_BY_RECIPE = new Set(['prepare', 'pair', 'schemes', 'judge']);
/** What the recipe's hash leaves out: words, how sure the numbers are, and how files are read. */
const UNHASHED = new Set([
  'about',
  'limits',
  'primary',
  'spread',
  'audit',
  'interval',
  'data.format',
  'data.columns',
  'data.maxRecordMiB',
]);
/** What the signature has a part of its own for. */
const OWN_PART = new Set(['concepts']);
const SHOWN = 5;
const ORDER = ['the first', 'the second'] as const;
const LONGEST_VALUE = 60;
const LONGEST_NAME = 80;
/** A string that needs no quotes to be one. */
const PLAIN_WORD = /^(?!(?:true|false|null)$)[\p{L}][\p{L}\p{N} ./:_-]*$/u;

/** How a difference of the cases begins. */
export const OTHER_CASES = 'the cases or their gold differ';

/** What keeps the values of two runs from being comparable, in words; empty where nothing does. */
export function signatureDifferences(a: Manifest, b: Manifest): string[] {
  if (a.comparable === b.comparable) return [];
  const [before, after] = [signatureParts(a.comparable), signatureParts(b.comparable)];
  // Recipes of two tasks differ in nearly everything: to list it would hide what is wrong.
  if (a.task !== b.task) return [`task: ${a.task} and ${b.task}`];
  const recipesDiffer = before.get('recipe') !== after.get('recipe');
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => {
    const [one, other] = [before.get(name) ?? 'none', after.get(name) ?? 'none'];
    if (one === other || (recipesDiffer && SAID_BY_RECIPE.has(name))) return [];
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
export function ruleDifferences(a: Manifest, b: Manifest, owners: readonly [string, string] = ORDER): string | null {
  const [before, after] = [signatureParts(a.comparable), signatureParts(b.comparable)];
  const parts = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  if (parts.length === 0 || a.task !== b.task || parts.some((name) => !MADE_BY_RULES.has(name))) return null;
  const apart = [...settingDifferences(a.recipe.resolved, b.recipe.resolved, '')];
  if (!apart.every(({ path }) => isRule(path, a, b)) || !isSameOrder(before, after, 'prepare')) return null;
  const said = apart.length === 0 ? [] : [listed(apart, owners)];
  if (!isSameOrder(before, after, 'judge'))
    said.push(`the order of judge is ${before.get('judge') ?? ''} and ${after.get('judge') ?? ''}`);
  return said.length === 0 ? null : said.join('; ');
}

const MADE_BY_RULES = new Set(['recipe', 'prepare', 'judge']);

function isRule(path: string, a: Manifest, b: Manifest): boolean {
  const [stage, name = ''] = path.split('.');
  if (stage === 'judge') return name !== '';
  if (stage !== 'prepare' || name === '') return false;
  const settings = [a, b].flatMap(({ recipe: { resolved } }) => {
    const rules = resolved['prepare'];
    return isRecord(rules) && Object.hasOwn(rules, name) ? [rules[name]] : [];
  });
  return settings.every((params) => isRecord(params) && params['side'] === 'predicted');
}

/** Whether the rules that both have come in one order. */
function isSameOrder(before: SignatureParts, after: SignatureParts, stage: string): boolean {
  const [one, other] = [before, after].map((parts) => (parts.get(stage) ?? '').split('+'));
  const shared = one!.filter((name) => other!.includes(name));
  return other!.filter((name) => shared.includes(name)).join('+') === shared.join('+');
}

type SignatureParts = ReadonlyMap<string, string>;

/** The named parts of a signature. */
export function signatureParts(signature: string): ReadonlyMap<string, string> {
  return new Map(
    signature.split('|').map((part): [string, string] => {
      const at = part.indexOf(':');
      return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    }),
  );
}

/** What the recipes are called, and the settings that are not the same, by path. */
function recipeDifferences(a: Manifest, b: Manifest): string {
  const nameOf = ({ recipe }: Manifest): string => shorten(harmless(recipe.name), LONGEST_NAME);
  const [one, other] = [nameOf(a), nameOf(b)];
  const apart = settingDifferences(a.recipe.resolved, b.recipe.resolved, '');
  return one === other
    ? `the recipe ${one} has other settings: ${listed(apart, ORDER, pathIn(a, b))}`
    : `the recipes are ${one} and ${other}: ${listed(apart, [one, other], pathIn(a, b))}`;
}

function extractorDifferences(a: Manifest, b: Manifest): string {
  const [before, after] = [a.recipe.resolved['concepts'], b.recipe.resolved['concepts']];
  if (before === undefined || after === undefined)
    return `only ${before === undefined ? 'the second' : 'the first'} run says what found its concepts`;
  return listed(settingDifferences(before, after, ''), ORDER);
}

/** A path as a recipe writes it: the kind of item only where there are several, and no place in a list of one. */
function pathIn(a: Manifest, b: Manifest): (path: string) => string {
  const kinds = new Set([a, b].flatMap(({ recipe: { resolved } }) => Object.keys(resolved['pair'] ?? {})));
  const plain = kinds.size === 1 ? /^pair\.\w+\./ : /^(?!)/;
  return (path) => path.replace(/^(pair\.\w+\.)accept\.0\./, '$1').replace(plain, 'pair.');
}

interface Difference {
  readonly path: string;
  /** The two values in words; null where only one of the two has this part, or they cannot be told apart in short. */
  readonly values: readonly [string, string] | null;
  /** Which of the two. */
  readonly only: 0 | 1 | null;
}

/** Settings with both values first, then the parts that only one of the two has. */
function listed(
  apart: Iterable<Difference>,
  owners: readonly [string, string],
  name = (path: string): string => path,
): string {
  const all = [...apart];
  const both = all.flatMap(({ path, values, only }) =>
    only !== null ? [] : [`${name(path)} ${values === null ? 'differs' : `is ${values.join(' and ')}`}`],
  );
  const said = both.length === 0 ? [] : [first(both, 'more settings')];
  for (const [side, owner] of owners.entries()) {
    const paths = all.filter(({ only }) => only === side).map(({ path }) => name(path));
    if (paths.length > 0) said.push(`only ${owner} has ${first(paths, 'more')}`);
  }
  return said.length === 0 ? 'its settings differ' : said.join('; ');
}

function first(names: readonly string[], more: string): string {
  return `${names.slice(0, SHOWN).join(', ')}${names.length > SHOWN ? `, and ${names.length - SHOWN} ${more}` : ''}`;
}

function* settingDifferences(before: unknown, after: unknown, path: string): Generator<Difference> {
  if (UNHASHED.has(path) || canonical(before) === canonical(after)) return;
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const place = below(key);
      if (OWN_PART.has(place) || (place.startsWith('measure.') && isMeasureWord(key, before[key] ?? after[key])))
        continue;
      yield* settingDifferences(before[key], after[key], place);
    }
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length && before.some(isRecord)) {
    for (const [at, one] of before.entries()) yield* settingDifferences(one, after[at], below(String(at)));
  } else if (before === undefined && isRecord(after)) yield { path, values: null, only: 1 };
  else if (after === undefined && isRecord(before)) yield { path, values: null, only: 0 };
  else {
    const [one, other] = [shorten(inWords(before), LONGEST_VALUE), shorten(inWords(after), LONGEST_VALUE)];
    yield { path, values: one === other ? null : [one, other], only: null };
  }
}

function canonical(value: unknown): string {
  return value === undefined ? '' : canonicalJson(value);
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
