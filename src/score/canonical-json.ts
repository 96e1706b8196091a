import { isRecord } from '../data/record-fields.ts';
import { compareText } from '../text/compare.ts';

/** JSON with sorted keys, except under the stages where order is part of the recipe. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value, ''));
}

function sorted(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => sorted(inner, ''));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [name, sorted(inner, name)]);
  // Rules run from top to bottom: their order is part of what they mean, so it is kept as a list.
  if (key === 'prepare' || key === 'judge' || key === 'accept') return entries;
  return Object.fromEntries(entries.sort(([a], [b]) => compareText(a, b)));
}
