import { isRecord } from '../data/record-fields.ts';
import { settingError } from '../prepare/setting-error.ts';
import { isOff, isPlainOn } from './on-off.ts';

/**
 * Lays one recipe over another: sections merge key by key, lists and single values are replaced, and a key written
 * with a plus (`symmetric+: [ally_of]`) adds to the list below it. `off` replaces an entry; `on`, or nothing after the
 * colon, keeps the settings below. New keys come last, so a stage keeps its order.
 */
export function mergeRecipe(base: unknown, over: unknown, path: readonly string[] = []): unknown {
  if (!isRecord(over)) return over;
  const out = new Map(isRecord(base) ? Object.entries(base) : []);
  for (const [key, value] of Object.entries(over)) {
    if (key.length > 1 && key.endsWith('+')) {
      const own = key.slice(0, -1);
      out.set(own, extended(out.get(own), value, [...path, key]));
    } else out.set(key, merged(key, out.get(key), value, [...path, key]));
  }
  return Object.fromEntries(out);
}

function merged(key: string, below: unknown, value: unknown, path: readonly string[]): unknown {
  if (isOff(value)) return value;
  if (isRecord(below) && isPlainOn(value)) return below;
  if (!isRecord(value)) return value;
  // A threshold for one label, laid over a plain number, keeps that number for the others.
  if (key === 'threshold' && typeof below === 'number') return { default: below, ...value };
  // `measure` may be a list of names below and settings by name above.
  if (key === 'measure' && Array.isArray(below)) return mergeRecipe(byName(below), value, path);
  return mergeRecipe(below, value, path);
}

function extended(below: unknown, value: unknown, path: readonly string[]): unknown {
  const more: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (below === undefined || below === null) return more;
  if (Array.isArray(below)) return below.concat(more);
  if (path.join('.') === 'measure+') return mergeRecipe(below, byName(more), path);
  throw settingError(path, 'a name with a plus adds to a list, but there is no list to add to');
}

/** Measures given as a list of names, with their default settings. */
export function byName(list: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(list.map((name) => [String(name), {}]));
}
