import type { Verdict } from '../judge/verdict.ts';
import { hitCredit, verdictCount, WHOLE } from '../measure/hit-measures.ts';
import { total } from '../measure/measure.ts';

const NONE = { credit: 0, hit: 0, missed: 0, spurious: 0 };

/** What F1 is made of, counted as measures count it; credit in units whose sums are exact. */
export type F1Counts = typeof NONE;

const COUNTERS = {
  credit: hitCredit(WHOLE),
  hit: verdictCount('hit', WHOLE),
  missed: verdictCount('missed', WHOLE),
  spurious: verdictCount('spurious', WHOLE),
};
const NAMES = ['credit', 'hit', 'missed', 'spurious'] as const;

export function noCounts(): F1Counts {
  return { ...NONE };
}

/** Adds a verdict, or so many that count alike. */
export function countVerdict(counts: F1Counts, verdict: Verdict, n = 1): void {
  if (verdict.verdict === 'excused') return;
  counts[verdict.verdict] += n * COUNTERS[verdict.verdict].of(verdict);
  if (verdict.verdict === 'hit') counts.credit += n * COUNTERS.credit.of(verdict);
}

/** The counts of another case on top. */
export function addCounts(counts: F1Counts, more: Readonly<F1Counts>): void {
  for (const name of NAMES) counts[name] += more[name];
}

/** The counts of a key, from nothing the first time. */
export function countsOf<Key>(counts: Map<Key, F1Counts>, key: Key): F1Counts {
  const own = counts.get(key) ?? noCounts();
  counts.set(key, own);
  return own;
}

/** What the hits are worth. */
export function creditOf({ credit }: Pick<F1Counts, 'credit'>): number {
  return total({ get: () => credit }, COUNTERS.credit);
}

/** Gold and predicted together, a hit being one of each: what F1 divides by. */
export function sizeOf({ hit, missed, spurious }: F1Counts): number {
  return 2 * hit + missed + spurious;
}
