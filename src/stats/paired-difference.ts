import type { Sureness } from '../measure/results.ts';
import { ROUNDING } from './interval.ts';

/**
 * to − from, and 0 where only rounding sets them apart: F1 of 1 hit and 4 misses is 0.33333333333333337, that of 1 hit,
 * 3 misses and 1 spurious item 0.3333333333333333, and neither wins.
 */
export function differenceBetween(from: number, to: number): number {
  const difference = to - from;
  return Math.abs(difference) <= ROUNDING * Math.max(Math.abs(from), Math.abs(to)) ? 0 : difference;
}

/** A test of paired values, or why there is none. */
export interface PairedTest {
  readonly pValue: number | null;
  /** Why there is no p value. */
  readonly undefined: string | null;
  /** How it was worked out: `exact`, `permutation`, `approx`, `resampled`. */
  readonly method: string;
  readonly statistic: number | null;
  /** Pairs that the test looked at. */
  readonly n: number;
}

/** Yes or no per case: how often only the one system was right. */
export interface YesNoTest extends PairedTest {
  readonly onlyBaseline: number;
  readonly onlyOther: number;
}

/** What two systems' answers to the same cases say about one measure. */
export interface PairedDifference extends Sureness {
  readonly baseline: number | null;
  readonly other: number | null;
  /** other − baseline; for a measure whose best value lies between the ends, of their distances from it. */
  readonly difference: number | null;
  /** Why there is no difference to speak of. */
  readonly undefined: string | null;
  /** Whether every resample gave the same difference, which leaves an interval without width. */
  readonly constant: boolean;
  /** Units (cases or clusters) that have anything to do with the measure in either system. */
  readonly units: number;
  /** Units in which the two systems' counts are not the same. */
  readonly differing: number;
  /** Swaps the two systems' answers case by case and works the measure out anew: the test that decides. */
  readonly permutation: PairedTest;
  /** Signed ranks of the differences per case. */
  readonly wilcoxon: PairedTest;
  /** null where the outcome per case is not a yes or a no. */
  readonly mcnemar: YesNoTest | null;
  readonly effect: {
    /** Mean of the differences per case / their standard deviation. */
    readonly dz: number | null;
    readonly rankBiserial: number | null;
    /** The difference / (its standard error × √units): what the number of cases needed is worked out from. */
    readonly standardised: number | null;
  };
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** Cases that have no value in one of the two and so are no win, loss or tie. */
  readonly withoutPair: number;
}
