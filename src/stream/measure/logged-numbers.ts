import type { Case, ItemKind } from '../../index.ts';
import { pairwiseSum } from '../../stats.ts';

/** The numbers that a case's logged items of a kind have under a name, in their order. */
export function loggedNumbers({ logged = [] }: Pick<Case, 'logged'>, kind: ItemKind, field: string): number[] {
  return logged.flatMap(({ item }) => {
    const value = item.kind === kind ? item.fields[field] : undefined;
    return typeof value === 'number' ? [value] : [];
  });
}

/** Of one number or more. */
export function endsAndMean(numbers: readonly number[]): Record<'count' | 'min' | 'max' | 'mean', number> {
  const [min, max] = [Math.min, Math.max].map((end) => numbers.reduce((one, other) => end(one, other)));
  return { count: numbers.length, min: min!, max: max!, mean: pairwiseSum(numbers) / numbers.length };
}

/** Distributions that are pooled over cases: name, and the field of its numbers. */
export const POOLED: readonly { readonly name: string; readonly kind: ItemKind; readonly field: string }[] = [
  { name: 'summary_latency_ms', kind: 'summary', field: 'latency_ms' },
  { name: 'decision_latency_ms', kind: 'decision', field: 'latency_ms' },
  { name: 'flush_ctu', kind: 'flush', field: 'ctu' },
  { name: 'flush_interval_ms', kind: 'flush', field: 'interval_ms' },
];

export const LOGGED_SHARES = [0.5, 0.9, 0.95, 0.99] as const;
