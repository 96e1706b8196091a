import type { CaseSources } from '../../data/read-cases.ts';
import type { Measure } from '../../measure/measure.ts';
import type { MeasureValue } from '../../measure/results.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { CaseTotals } from '../../score/run.ts';
import type { ResampleSettings } from '../../stats/resample-settings.ts';
import type { Breathe } from '../../stats/resample.ts';
import type { ComparisonVerdict, MeasureComparison } from '../comparison.ts';
import type { SetDifference } from '../paired-sets.ts';

export interface SweepSystem {
  readonly name: string;
  readonly sources: CaseSources;
}

export interface SweepOptions {
  /** A preset, a file, or a recipe object. */
  readonly recipe: string | object;
  /** `path=range`, once or twice: `pair.threshold=0.1..0.9`, `pair.assign=greedy,optimal`. */
  readonly over: readonly string[];
  /** Systems over the same cases; the first is the one that the others are compared with. */
  readonly systems: readonly SweepSystem[];
  readonly set?: readonly string[];
  /** Which measures to show and, of several systems, to test; the first is drawn. */
  readonly measures?: readonly string[];
  /** Told how much of the work after reading is done. */
  readonly breathe?: Breathe;
}

/** A parameter of the recipe and the values it takes. */
export interface SweepAxis {
  /** As after --set: `pair.threshold`. */
  readonly path: string;
  /** The range as it was given: `0.1..0.9`. */
  readonly written: string;
  readonly values: readonly unknown[];
  /** The same as texts. */
  readonly texts: readonly string[];
  /** Whether all values are numbers, from low to high: only then lie some between others. */
  readonly numeric: boolean;
  /** What the recipe itself says, before anything is swept; null: that cannot be said in one value. */
  readonly own: { readonly value: unknown; readonly text: string; readonly at: number | null } | null;
}

export type SweepMeasure = Pick<Measure, 'name' | 'direction' | 'range' | 'best' | 'unit'>;

/** A measure at a point, overall: what `score` with these settings gives, to the last bit. */
export type SweepValue = Pick<MeasureValue, 'name' | 'value' | 'undefined' | 'n' | 'units' | 'interval' | 'noInterval'>;

/** A system beside the first, as `compare` puts it; the correction goes over all tests of the sweep. */
export type SweepDifference = Omit<MeasureComparison, 'slice'>;

export interface SweepPoint {
  /** Its place on each axis. */
  readonly at: readonly number[];
  /** The lines of --set that give it. */
  readonly set: readonly string[];
  /** Whether it is the recipe as it stands. */
  readonly own: boolean;
  /** By system, the measures in their order. */
  readonly systems: readonly (readonly SweepValue[])[];
  readonly differences: readonly SweepDifference[];
}

/** The difference between two settings of one system, over the same cases. */
export interface SweepStep extends SetDifference {
  /** Points; null: the recipe as it stands, which is no point. */
  readonly from: number | null;
  readonly to: number;
  readonly difference: number;
}

export interface SweepBest {
  readonly point: number;
  readonly value: number;
  /** Every point with that value. */
  readonly ties: readonly number[];
  /** Points that cannot be told from it: the interval of the paired difference holds 0. Null: see `notAlike`. */
  readonly alike: readonly number[] | null;
  readonly notAlike: string | null;
}

export interface SweptSystem {
  readonly name: string;
  readonly cases: CaseTotals;
  /** By the first measure; null where it has no value anywhere. */
  readonly best: SweepBest | null;
  /** From one point of the only axis to the next, where that changes most. */
  readonly steepest: SweepStep | null;
  /** From the recipe's own value to its neighbours on the only axis. */
  readonly besideOwn: readonly SweepStep[];
  /** The one of them that loses so much that the recipe's own value stands on a cliff. */
  readonly cliff: SweepStep | null;
}

/** Neighbouring points with the same verdict: places on the first axis. */
export type SweepStretch = { readonly verdict: ComparisonVerdict; readonly from: number; readonly to: number };

/** What becomes of one conclusion along the first axis. */
export interface SweepFlips {
  /** Place of the system that is compared with the first. */
  readonly system: number;
  readonly measure: string;
  /** Place on the second axis; null: there is none. */
  readonly row: number | null;
  readonly stretches: readonly SweepStretch[];
  /** Between these two places the sign of the difference turns; `to`: who is ahead afterwards. */
  readonly turns: readonly { readonly after: number; readonly before: number; readonly to: 'first' | 'other' }[];
}

/** A recipe scored at every value of one of its parameters, or of two. */
export interface Sweep {
  readonly format: 1;
  readonly recipe: string;
  readonly task: Plan['task'];
  /** The --set lines that hold everywhere. */
  readonly set: readonly string[];
  readonly axes: readonly SweepAxis[];
  /** The first is the one that the figure shows. */
  readonly measures: readonly SweepMeasure[];
  /** Measures that are the same at every point, and so are not shown. */
  readonly constant: readonly string[];
  /** The first axis runs fastest. */
  readonly points: readonly SweepPoint[];
  /** The recipe as it stands; `point`: where it is one of the points. */
  readonly own: { readonly point: number | null; readonly systems: SweepPoint['systems'] };
  readonly systems: readonly SweptSystem[];
  /**
   * Null with one system. `family`: tests that Holm's correction went over, points where nothing changes being one;
   * `paired`: cases that all systems have and none failed on, by point.
   */
  readonly tests:
    | (ResampleSettings & {
        readonly family: number;
        readonly measures: readonly string[];
        readonly paired: readonly number[];
      })
    | null;
  readonly flips: readonly SweepFlips[];
  readonly notices: readonly string[];
}
