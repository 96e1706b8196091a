import type { Estimate } from './estimate.ts';
import { estimateOf, type VariantValues } from './variant-values.ts';

export interface FaithfulnessData {
  readonly variants: readonly FaithfulnessVariant[];
  /** What else the reader must know, one sentence each. */
  readonly notes?: readonly string[];
}

export interface FaithfulnessVariant {
  readonly name: string;
  readonly compression: Estimate;
  readonly inWindow: Estimate;
  readonly inContract: Estimate;
  readonly cases: readonly FaithfulnessCase[];
}

/** The values of one case. */
export interface FaithfulnessCase {
  readonly compression: number | null;
  readonly inWindow: number | null;
  readonly inContract: number | null;
}

const NAMES = {
  compression: 'compression_ratio',
  inWindow: 'unsupported_in_window',
  inContract: 'unsupported_in_contract',
} as const;

/** Compression and unsupported shares of measured variants, over all and case by case. */
export function faithfulnessData(variants: readonly VariantValues[], notes: readonly string[] = []): FaithfulnessData {
  return {
    notes,
    variants: variants.map((variant) => ({
      name: variant.name,
      compression: estimateOf(variant, NAMES.compression),
      inWindow: estimateOf(variant, NAMES.inWindow),
      inContract: estimateOf(variant, NAMES.inContract),
      cases: variant.cases.map(({ measures }) => ({
        compression: measures[NAMES.compression] ?? null,
        inWindow: measures[NAMES.inWindow] ?? null,
        inContract: measures[NAMES.inContract] ?? null,
      })),
    })),
  };
}
