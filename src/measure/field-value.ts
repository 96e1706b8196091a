import type { Case } from '../data/case.ts';

/** A case's value of a column, also nested (`metadata.difficulty`); null when it has none. */
export function fieldValue(given: Case, path: string): string | null {
  let value: unknown = given.fields;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return null;
    value = Reflect.get(value, part);
  }
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The places of each value of a column; a case without one is in none. */
export function placesByValue(values: readonly (string | null)[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  values.forEach((value, at) => {
    if (value === null) return;
    const own = places.get(value);
    if (own === undefined) places.set(value, [at]);
    else own.push(at);
  });
  return places;
}
