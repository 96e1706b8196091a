import { canonicalJson } from './canonical-json.ts';
import type { Manifest } from './run.ts';

/** What keeps the values of two runs from being comparable, in words; empty where nothing does. */
export function signatureDifferences(a: Manifest, b: Manifest): string[] {
  if (a.comparable === b.comparable) return [];
  const [before, after] = [partsOf(a.comparable), partsOf(b.comparable)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => {
    const [one, other] = [before.get(name) ?? 'none', after.get(name) ?? 'none'];
    if (one === other) return [];
    if (name === 'recipe') return [`recipe: ${recipeDifferences(a, b)}`];
    return [`${name}: ${one} and ${other}`];
  });
}

function partsOf(signature: string): Map<string, string> {
  return new Map(
    signature.split('|').map((part): [string, string] => {
      const at = part.indexOf(':');
      return [part.slice(0, at), part.slice(at + 1)];
    }),
  );
}

const SHOWN = 5;
/** What the recipe's hash leaves out: words, how sure the numbers are, and how files are read. */
const UNHASHED = /^(?:about|interval|data\.(?:format|columns|maxRecordMiB))(?:\.|$)/;

/** The settings that are not the same, by path. */
function recipeDifferences(a: Manifest, b: Manifest): string {
  const [before, after] = [leaves(a.recipe.resolved), leaves(b.recipe.resolved)];
  const apart = [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => !UNHASHED.test(path))
    .flatMap((path) => {
      const [one, other] = [before.get(path) ?? 'not set', after.get(path) ?? 'not set'];
      return one === other ? [] : [`${path} is ${one} and ${other}`];
    });
  const more = apart.length > SHOWN ? `, and ${apart.length - SHOWN} more settings` : '';
  return apart.length === 0 ? 'its settings differ' : `${apart.slice(0, SHOWN).join(', ')}${more}`;
}

function leaves(value: unknown, path: string[] = [], found = new Map<string, string>()): Map<string, string> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    for (const [key, inner] of Object.entries(value)) leaves(inner, [...path, key], found);
  else found.set(path.join('.'), canonicalJson(value));
  return found;
}
