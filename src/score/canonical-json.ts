import { isRecord } from '../data/record-fields.ts';

/** JSON with sorted keys, except under the stages where order is part of the recipe. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value, ''));
}

function sorted(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => sorted(inner, ''));
  if (!isRecord(value)) return value;
  // Rules run from top to bottom: their order is part of what they mean, so it is kept as a list.
  if (key === 'prepare' || key === 'judge' || key === 'accept')
    return Object.entries(value).map(([name, inner]) => [name, sorted(inner, name)]);
  const names = Object.keys(value).sort();
  // A key of this name would not become a key of the copy.
  if (names.includes('__proto__')) return Object.fromEntries(names.map((name) => [name, sorted(value[name], name)]));
  const copy: Record<string, unknown> = {};
  for (const name of names) copy[name] = sorted(value[name], name);
  return copy;
}
