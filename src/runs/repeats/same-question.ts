import { isRecord } from '../../data/record-fields.ts';
import { shorten } from '../../data/visible.ts';
import type { Run } from '../run.ts';

const SETTINGS_NAMED = 4;
/** What a recipe says of itself, how intervals are made and how a file is read: no part of the question. */
const APART = new Set(['about', 'interval', 'data.format', 'data.columns', 'data.maxRecordMiB']);

/** What keeps later runs from being repeats of the first, one sentence each; none when they are. */
export function differencesOf(runs: readonly Run[]): string[] {
  const [first, ...others] = runs;
  if (first === undefined) return [];
  return others.flatMap((other) => {
    if (other.manifest.comparable === first.manifest.comparable) return [];
    const parts = differingParts(first, other);
    return [`${other.folder} is no repeat of ${first.folder}: ${parts.join('; ')}`];
  });
}

/** `comparable` is a line of named parts; the hash of a recipe says little, so its settings are named instead. */
function differingParts(first: Run, other: Run): string[] {
  const before = signatureParts(first.manifest.comparable);
  const after = signatureParts(other.manifest.comparable);
  const out: string[] = [];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const recipeDiffers = before.get('recipe') !== after.get('recipe');
  for (const name of names) {
    const [was, is] = [before.get(name) ?? 'none', after.get(name) ?? 'none'];
    if (was === is) continue;
    if (name === 'recipe') out.push(...settingsText(first.manifest.recipe.resolved, other.manifest.recipe.resolved));
    else if (name === 'gold') out.push(`the cases or their gold differ (${was} there, ${is} here)`);
    // What the recipe says is named by its settings already.
    else if (!(recipeDiffers && ['prepare', 'pair', 'schemes', 'judge'].includes(name)))
      out.push(`${name} differs (${was} there, ${is} here)`);
  }
  return out.length > 0 ? out : ['their signatures differ'];
}

/** The named part of a signature, `predicted` of the full one for instance. */
export function signatureParts(signature: string): ReadonlyMap<string, string> {
  return new Map(
    signature.split('|').map((part) => {
      const at = part.indexOf(':');
      return at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
    }),
  );
}

function settingsText(before: unknown, after: unknown): string[] {
  const found: string[] = [];
  collect(before, after, '', found);
  if (found.length === 0) return ['the recipe differs'];
  const rest = found.length - SETTINGS_NAMED;
  return [...found.slice(0, SETTINGS_NAMED), ...(rest > 0 ? [`and ${rest} more settings`] : [])];
}

function collect(before: unknown, after: unknown, path: string, found: string[]): void {
  if (APART.has(path) || JSON.stringify(before) === JSON.stringify(after)) return;
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      collect(before[key], after[key], path === '' ? key : `${path}.${key}`, found);
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length && before.some(isRecord)) {
    before.forEach((one: unknown, at) => collect(one, after[at], `${path}.${at}`, found));
    return;
  }
  found.push(`${path} differs (${shown(before)} there, ${shown(after)} here)`);
}

function shown(value: unknown): string {
  return value === undefined ? 'not given' : shorten(JSON.stringify(value));
}
