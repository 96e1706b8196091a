import type { Verdict } from '../judge/verdict.ts';
import { hitCredit, verdictCount, WHOLE } from '../measure/hit-measures.ts';
import { total } from '../measure/measure.ts';

const CREDIT = hitCredit(WHOLE);
const HITS = verdictCount('hit', WHOLE);
const MISSED = verdictCount('missed', WHOLE);
const SPURIOUS = verdictCount('spurious', WHOLE);

/** What F1 is made of, counted as measures count it. */
export interface F1Counts {
  /** In the units of `hitCredit`, whose sums are exact. */
  credit: number;
  hit: number;
  missed: number;
  spurious: number;
}

export function noCounts(): F1Counts {
  return { credit: 0, hit: 0, missed: 0, spurious: 0 };
}

export function countVerdict(counts: F1Counts, verdict: Verdict): void {
  counts.credit += CREDIT.of(verdict);
  counts.hit += HITS.of(verdict);
  counts.missed += MISSED.of(verdict);
  counts.spurious += SPURIOUS.of(verdict);
}

/** The counts of another case on top. */
export function addCounts(counts: F1Counts, more: Readonly<F1Counts>): void {
  counts.credit += more.credit;
  counts.hit += more.hit;
  counts.missed += more.missed;
  counts.spurious += more.spurious;
}

/** The counts of a key, from nothing the first time. */
export function countsOf<Key>(counts: Map<Key, F1Counts>, key: Key): F1Counts {
  const own = counts.get(key) ?? noCounts();
  counts.set(key, own);
  return own;
}

/** What the hits are worth. */
export function creditOf({ credit }: Pick<F1Counts, 'credit'>): number {
  return total({ get: () => credit, labels: () => [] }, CREDIT);
}

/** Gold and predicted together, a hit being one of each: what F1 divides by. */
export function sizeOf({ hit, missed, spurious }: F1Counts): number {
  return 2 * hit + missed + spurious;
}

/** 2 TP / (2 TP + FP + FN), as decision 6 has it; null where there is neither gold nor a prediction. */
export function f1Of(counts: F1Counts): number | null {
  const size = sizeOf(counts);
  return size === 0 ? null : (2 * creditOf(counts)) / size;
}
