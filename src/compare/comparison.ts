import type { Direction } from '../measure/measure.ts';
import type { FailedOtherwise, Slice } from '../measure/results.ts';
import type { PairedDifference } from '../stats/paired-difference.ts';

export type { PairedDifference, PairedTest, YesNoTest } from '../stats/paired-difference.ts';

/** What a comparison comes to, in one word. */
export type ComparisonVerdict = 'better' | 'worse' | 'no difference shown' | 'too little data';

/** One system of a comparison. */
export interface ComparedSystem {
  /** Short and unlike the others: the folder's name, or as much of its path as it takes. */
  readonly name: string;
  readonly folder: string;
  readonly signature: string;
  readonly cases: number;
  readonly failed: number;
  /** Cases without a prediction record, scored as empty. */
  readonly unanswered: number;
  /** Cases of this run that are not compared since another run lacks them: how many, and the first few. */
  readonly unpaired: { readonly n: number; readonly cases: readonly string[] };
}

/** One measure of one slice: a system beside the baseline. */
export interface MeasureComparison extends PairedDifference {
  readonly name: string;
  readonly slice: Slice;
  readonly direction: Direction;
  /** The best value where it is at neither end: nearer to it is better. */
  readonly best?: number;
  /** Place in `systems`; the baseline is 0. */
  readonly system: number;
  /** The permutation test's p value after Holm's correction over the family. */
  readonly adjusted: number | null;
  readonly verdict: ComparisonVerdict;
  /** Cases that would be needed to show a difference of this size, at 80 % power; null where there is none to show. */
  readonly needed: number | null;
}

/** Where each system stands by one measure: 1 + the number of systems shown to be better. */
export interface Ranking {
  readonly name: string;
  readonly direction: Direction;
  readonly best?: number;
  readonly places: readonly {
    readonly system: number;
    readonly place: number;
    readonly value: number | null;
    /** Whether another system has the same place. */
    readonly tied: boolean;
  }[];
}

/** A case whose value changed. */
export interface MovedCase {
  readonly case: string;
  readonly system: number;
  readonly name: string;
  readonly baseline: number;
  readonly other: number;
  /** other − baseline. */
  readonly difference: number;
  readonly change: 'better' | 'worse';
}

/** Two or more runs over the same cases. */
export interface Comparison {
  readonly systems: readonly ComparedSystem[];
  /** Cases that all systems have and none failed on. */
  readonly paired: number;
  /** Cases that all have but some system failed on: in no figure. */
  readonly failed: number;
  /** Each system's own overall values if failed cases counted the other way; only where that changes one. */
  readonly failedOtherwise?: {
    readonly failed: FailedOtherwise['failed'];
    readonly measures: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
  };
  /** What is resampled and swapped: `case`, or the column that clusters them; and how many there are. */
  readonly unit: string;
  readonly units: number;
  readonly level: number;
  readonly resamples: number;
  readonly seed: number;
  /** Tests that Holm's correction went over. */
  readonly family: number;
  readonly measures: readonly MeasureComparison[];
  /** Only of three systems or more. */
  readonly ranking: readonly Ranking[];
  /** By the first measure that has a value per case, the largest change first. */
  readonly moved: readonly MovedCase[];
  /** What a reader should mind: signatures that differ, cases left out, and the like. */
  readonly notices: readonly string[];
}
