import { isRecord } from './record-fields.ts';

/**
 * Compact JSON with the keys of every object in text order: the same data always gives the same bytes. What is under a key
 * of `ordered` becomes a list of its entries, since their order means something.
 */
export function sortedJson(value: unknown, ordered?: ReadonlySet<string>): string {
  return JSON.stringify(sorted(value, '', ordered));
}

function sorted(value: unknown, key: string, ordered?: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((inner) => sorted(inner, '', ordered));
  if (!isRecord(value)) return value;
  if (ordered?.has(key) === true)
    return Object.entries(value).map(([name, inner]) => [name, sorted(inner, name, ordered)]);
  const names = Object.keys(value);
  if (names.some((name, at) => at > 0 && name < names[at - 1]!)) names.sort();
  // A key of this name would not become a key of the copy.
  if (names.includes('__proto__'))
    return Object.fromEntries(names.map((name) => [name, sorted(value[name], name, ordered)]));
  const copy: Record<string, unknown> = {};
  for (const name of names) copy[name] = sorted(value[name], name, ordered);
  return copy;
}
