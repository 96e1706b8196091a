import { compareText } from '../text/compare.ts';
import { isRecord } from './record-fields.ts';

/** Compact JSON with the keys of every object in text order: the same data always gives the same bytes. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => compareText(a, b))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
