import type { RunView } from '../../../../src/report/html/report-data.ts';
import { ERROR_TYPES, type ErrorType } from '../../../../src/judge/error-type.ts';

/** The gaps of several runs in one kind of item, type by type. */
export interface BesideTable {
  readonly kind: string;
  readonly runs: readonly { readonly name: string; readonly f1: number | null }[];
  /** Types that occur in any run; null where the run has no taxonomy of the kind or no F1. */
  readonly types: readonly { readonly type: ErrorType; readonly gaps: readonly (number | null)[] }[];
}

export function besideTables(runs: readonly Pick<RunView, 'name' | 'figures'>[]): BesideTable[] {
  const kinds = new Set(runs.flatMap(({ figures }) => figures?.taxonomy.map(({ kind }) => kind) ?? []));
  return [...kinds].map((kind) => {
    const own = runs.map(({ name, figures }) => ({
      name,
      taxonomy: figures?.taxonomy.find((one) => one.kind === kind) ?? null,
    }));
    return {
      kind,
      runs: own.map(({ name, taxonomy }) => ({ name, f1: taxonomy?.f1 ?? null })),
      types: ERROR_TYPES.map((type) => ({
        type,
        gaps: own.map(({ taxonomy }) =>
          taxonomy === null || taxonomy.f1 === null
            ? null
            : (taxonomy.errors.find((one) => one.type === type)?.gap ?? 0),
        ),
      })).filter(({ gaps }) => gaps.some((gap) => gap !== null && gap !== 0)),
    };
  });
}
