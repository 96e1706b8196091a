import type { Verdict, VerdictKind } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';
import type { Direction, Measure, Range, Sums } from './measure.ts';
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

/** A measure worked out from sums, with all that is told about its value. */
export function measureValue(
  measure: Measure,
  slice: Slice,
  sums: Sums,
  cases: CaseSpread | null,
  units: number,
  sure: Sureness,
): MeasureValue {
  const outcome = measure.value(sums);
  const notes = [outcome.note, measure.leftOut?.(sums)].filter((note) => note !== undefined && note !== null);
  return {
    name: measure.name,
    slice,
    value: outcome.value,
    undefined: outcome.undefined,
    n: outcome.n,
    units,
    interval: outcome.value === null ? null : sure.interval,
    noInterval: outcome.value === null ? 'there is no value' : sure.noInterval,
    direction: measure.direction,
    range: measure.range,
    ...(measure.unit === undefined ? {} : { unit: measure.unit }),
    ...(measure.best === undefined ? {} : { best: measure.best }),
    note: notes.length === 0 ? null : notes.join('; '),
    cases,
  };
}

/** Counts by kind of item where a case has several kinds. */
export function kindCounts(verdicts: readonly Verdict[]): Readonly<Record<string, Counts>> | null {
  const first = verdicts[0]?.kind;
  if (verdicts.every((verdict) => verdict.kind === first)) return null;
  const kinds: Record<string, Record<VerdictKind, number>> = {};
  for (const verdict of verdicts) {
    const own = (kinds[verdict.kind] ??= { hit: 0, spurious: 0, missed: 0, excused: 0 });
    own[verdict.verdict] += verdict.weight;
  }
  return Object.fromEntries(Object.entries(kinds).sort(([a], [b]) => compareText(a, b)));
}

/** How a measure spreads over cases. Undefined cases are counted, never averaged. */
export interface CaseSpread {
  readonly n: number;
  readonly undefined: number;
  readonly mean: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Sample standard deviation (n - 1 below the line); null with fewer than two values. */
  readonly sd: number | null;
}

export class SpreadOverCases {
  #values = new Float64Array(64);
  #count = 0;
  #undefined = 0;

  add(value: number | null): void {
    if (value === null) {
      this.#undefined += 1;
      return;
    }
    if (this.#count === this.#values.length) {
      const grown = new Float64Array(this.#count * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#count] = value;
    this.#count += 1;
  }

  summary(): CaseSpread {
    const n = this.#count;
    if (n === 0) return { n, undefined: this.#undefined, mean: null, min: null, max: null, sd: null };
    // Sorted, so that rounding cannot depend on the order in which cases came.
    const sorted = this.#values.slice(0, n).sort();
    const mean = sorted.reduce((sum, value) => sum + value, 0) / n;
    const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return {
      n,
      undefined: this.#undefined,
      mean,
      min: sorted[0] ?? null,
      max: sorted[n - 1] ?? null,
      sd: n < 2 ? null : Math.sqrt(squares / (n - 1)),
    };
  }
}
