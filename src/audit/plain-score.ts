import { PAIRED_KINDS } from '../data/item.ts';

/** What precision, recall and F1 are made of, weights included. */
export interface PlainCounts {
  readonly hits: number;
  /** What the hits are worth; less than `hits` where a scheme gives partial credit. */
  readonly worth: number;
  readonly missed: number;
  readonly spurious: number;
}

export interface PlainScore {
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

/** P = worth / (hits + spurious), R = worth / (hits + missed), F1 their harmonic mean; null where there is nothing below. */
export function plainScore({ hits, worth, missed, spurious }: PlainCounts): PlainScore {
  const precision = hits + spurious > 0 ? worth / (hits + spurious) : null;
  const recall = hits + missed > 0 ? worth / (hits + missed) : null;
  const all = hits + spurious + (hits + missed);
  return { precision, recall, f1: all > 0 ? (2 * worth) / all : null };
}

/** Whether items of a kind are paired with gold; the others tell what a system did. */
export function isPaired(kind: string): boolean {
  return PAIRED_KINDS.some((known) => known === kind);
}
