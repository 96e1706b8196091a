import type { Case } from '../data/case.ts';
import type { CaseFacts } from './results.ts';

/** What a tally keeps of a case beside its verdicts: its values of the columns that slice and of the one that clusters. */
export function caseFacts(given: Case, fields: readonly string[], cluster: string | null): CaseFacts {
  const { id, failed, failedAsEmpty, answered, from } = given;
  const column = cluster === null ? null : fieldValue(given, cluster);
  const slices = fields.flatMap((field) => {
    const value = fieldValue(given, field);
    return value === null ? [] : [[field, value] as const];
  });
  return {
    case: id,
    from,
    failed: failed ?? undefined,
    failedAsEmpty,
    answered: answered ? undefined : false,
    slices: fields.length === 0 ? undefined : Object.fromEntries(slices),
    cluster: column ?? from,
  };
}

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
