import { isRecord } from '../data/record-fields.ts';
import { shorten } from '../data/visible.ts';
import { canonicalJson } from './canonical-json.ts';
import type { Manifest } from './run.ts';
import { isMeasureWord } from './signature.ts';

/** Parts that say in a word what the recipe's settings say in full. */
const SAID_BY_RECIPE = new Set(['prepare', 'pair', 'schemes', 'judge']);
/** What the recipe's hash leaves out: words, how sure the numbers are, and how files are read. */
const UNHASHED = new Set([
  'about',
  'limits',
  'primary',
  'audit',
  'interval',
  'data.format',
  'data.columns',
  'data.maxRecordMiB',
]);
/** What the signature has a part of its own for. */
const OWN_PART = new Set(['concepts']);
const SHOWN = 5;

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
    if (name === 'recipe') return [`recipe: ${recipeDifferences(a, b)}`];
    if (name === 'concepts') return [`the concept extractors differ: ${extractorDifferences(a, b)}`];
    if (name === 'gold') return [`${OTHER_CASES} (${one} and ${other})`];
    return [`${name}: ${one} and ${other}`];
  });
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

/** The settings that are not the same, by path. */
function recipeDifferences(a: Manifest, b: Manifest): string {
  return listed([...settingDifferences(a.recipe.resolved, b.recipe.resolved, '')]);
}

function extractorDifferences(a: Manifest, b: Manifest): string {
  const [before, after] = [a.recipe.resolved['concepts'], b.recipe.resolved['concepts']];
  if (before === undefined || after === undefined)
    return `only ${before === undefined ? 'the second' : 'the first'} run says what found its concepts`;
  return listed([...settingDifferences(before, after, '')]);
}

function listed(apart: readonly string[]): string {
  const more = apart.length > SHOWN ? `, and ${apart.length - SHOWN} more settings` : '';
  return apart.length === 0 ? 'its settings differ' : `${apart.slice(0, SHOWN).join(', ')}${more}`;
}

function* settingDifferences(before: unknown, after: unknown, path: string): Generator<string> {
  if (UNHASHED.has(path) || textOf(before) === textOf(after)) return;
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
  } else yield `${path} is ${shorten(textOf(before))} and ${shorten(textOf(after))}`;
}

function textOf(value: unknown): string {
  return value === undefined ? 'not set' : canonicalJson(value);
}
