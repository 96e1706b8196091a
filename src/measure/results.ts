import type { VerdictKind } from '../judge/verdict.ts';
import type { CaseSpread } from './case-spread.ts';
import type { Direction, Range } from './measure.ts';
import type { UnitSums } from './unit-sums.ts';

/** Where the value would lie if cases like these were drawn again. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly level: number;
  readonly method: string;
}

/** An interval, or why there is none. */
export interface Sureness {
  readonly interval: Interval | null;
  readonly noInterval: string | null;
}

/** What `noInterval` says where the recipe wants none. */
export const NOT_ASKED_FOR = 'not asked for';

/** How sure each measure of a group is: of the whole, and of each label. */
export interface GroupSureness {
  readonly whole: readonly Sureness[];
  readonly labels: readonly (readonly Sureness[])[];
}

/** The sums of one slice, unit by unit. */
export interface Group {
  readonly slice: Slice;
  readonly table: UnitSums;
  /** Whether the labels have values of their own. */
  readonly byLabel: boolean;
}

export type Slice = Readonly<Record<string, string>>;

/** Whether a slice is no part but the whole. */
export function isOverall(slice: Slice): boolean {
  return Object.keys(slice).length === 0;
}

/** One measure of one slice, as measures.json holds it. */
export interface MeasureValue {
  readonly name: string;
  /** Empty: overall. */
  readonly slice: Slice;
  readonly value: number | null;
  readonly undefined: string | null;
  readonly n: number;
  /** How many cases (or clusters of them) have anything to do with it: what resampling draws from. */
  readonly units: number;
  readonly interval: Interval | null;
  /** Why there is no interval. */
  readonly noInterval: string | null;
  readonly direction: Direction;
  readonly range: Range;
  /** What it is measured in, where it is not a share or a plain number. */
  readonly unit?: string;
  /** The best value where it is at neither end of the range. */
  readonly best?: number;
  readonly note: string | null;
  /** How the measure spreads over cases; only for overall values. */
  readonly cases: CaseSpread | null;
}

export type Counts = Readonly<Record<VerdictKind, number>>;

/** What of a case matters to adding up, beside its verdicts. */
export interface CaseFacts {
  readonly case: string;
  /** The case in the files that this is a variant of. */
  readonly from?: string;
  readonly failed: string | null;
  /** Why the system failed, where the case counts as an empty answer all the same. */
  readonly failedAsEmpty?: string;
  readonly answered: boolean;
  /** Its values of the columns that slice; null where the recipe slices by none. */
  readonly slices: Readonly<Record<string, string>> | null;
  /** What it shares with the cases it is not independent of: its value of the cluster column, or the case it is made from. */
  readonly cluster: string | null;
}

/** What one case adds up to, as cases.jsonl holds it. */
export interface CaseResult extends CaseFacts {
  readonly counts: Counts;
  readonly kinds: Readonly<Record<string, Counts>> | null;
  readonly measures: Readonly<Record<string, number | null>>;
}

/** The overall values if failed cases counted the other way (`data.failed`). */
export interface FailedOtherwise {
  readonly failed: 'leave-out' | 'empty';
  readonly measures: readonly Pick<MeasureValue, 'name' | 'value' | 'undefined' | 'n'>[];
}
