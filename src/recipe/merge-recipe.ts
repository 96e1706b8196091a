import { isRecord } from '../data/record-fields.ts';

/**
 * Lays one recipe over another: sections merge key by key, lists and single values are replaced, and a key written
 * with a plus (`symmetric+: [ally_of]`) adds to the list below it. New keys come last, so a stage keeps its order.
 */
export function mergeRecipe(base: unknown, over: unknown): unknown {
  if (!isRecord(base) || !isRecord(over)) return over;
  const out = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) {
    if (key.endsWith('+')) {
      const own = key.slice(0, -1);
      const below = out.get(own);
      if (Array.isArray(below) && Array.isArray(value))
        out.set(own, [...(below as unknown[]), ...(value as unknown[])]);
      else if (Array.isArray(value)) out.set(own, value);
      else out.set(key, value);
    } else out.set(key, isOff(value) ? value : mergeValue(key, out.get(key), value));
  }
  return Object.fromEntries(out);
}

function mergeValue(key: string, below: unknown, value: unknown): unknown {
  // A threshold for one label, laid over a plain number, keeps that number for the others.
  if (key === 'threshold' && typeof below === 'number' && isRecord(value)) return { default: below, ...value };
  // `measure` may be a list of names below and settings by name above.
  if (key === 'measure' && Array.isArray(below) && isRecord(value))
    return mergeRecipe(Object.fromEntries((below as unknown[]).map((name) => [String(name), {}])), value);
  return below === undefined ? stripPlus(value) : mergeRecipe(below, value);
}

function stripPlus(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return mergeRecipe({}, value);
}

export function isOff(value: unknown): boolean {
  return value === 'off' || value === false || value === null;
}
