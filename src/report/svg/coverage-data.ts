import { estimateOf, type VariantValues } from './variant-values.ts';
import type { Estimate } from './estimate.ts';

export interface CoverageData {
  readonly variants: readonly CoverageVariant[];
  /** What else the reader must know, one sentence each. */
  readonly notes?: readonly string[];
}

export interface CoverageVariant {
  readonly name: string;
  /** By budget, rising. */
  readonly points: readonly { readonly budget: number; readonly coverage: Estimate }[];
}

const MEASURE = /^coverage_at_([1-9][0-9]{0,8})$/;

/** The coverage of measured variants at every budget that one of them has. */
export function coverageData(variants: readonly VariantValues[], notes: readonly string[] = []): CoverageData {
  const found = variants.flatMap(({ measures }) => measures.map(({ name }) => Number(MEASURE.exec(name)?.[1] ?? 0)));
  const budgets = [...new Set(found)].filter((budget) => budget > 0).sort((a, b) => a - b);
  return {
    notes,
    variants: variants.map((variant) => ({
      name: variant.name,
      points: budgets.map((budget) => ({ budget, coverage: estimateOf(variant, `coverage_at_${budget}`) })),
    })),
  };
}
