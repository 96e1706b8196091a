import type { Verdict, VerdictKind } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';
import type { Measure, Sums } from './measure.ts';
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
export interface MeasureValue extends Sureness, Pick<Measure, 'name' | 'direction' | 'range'> {
  readonly unit?: string;
  readonly best?: number;
  /** Empty: overall. */
  readonly slice: Slice;
  readonly value: number | null;
  readonly undefined: string | null;
  readonly n: number;
  /** How many cases (or clusters of them) have anything to do with it: what resampling draws from. */
  readonly units: number;
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
  const { name, direction, range, unit, best } = measure;
  const { value, undefined: why, n, note } = measure.value(sums);
  const notes = [note, measure.leftOut?.(sums)].filter((one) => one !== undefined && one !== null);
  return {
    name,
    slice,
    value,
    undefined: why,
    n,
    units,
    interval: value === null ? null : sure.interval,
    noInterval: value === null ? 'there is no value' : sure.noInterval,
    direction,
    range,
    ...(unit === undefined ? {} : { unit }),
    ...(best === undefined ? {} : { best }),
    note: notes.length === 0 ? null : notes.join('; '),
    cases,
  };
}

/** How many there are of each verdict, by weight. */
export function verdictCounts(verdicts: readonly Verdict[]): Counts {
  const counts = { hit: 0, spurious: 0, missed: 0, excused: 0 };
  for (const { verdict, weight } of verdicts) counts[verdict] += weight;
  return counts;
}

/** Counts by kind of item where a case has several kinds. */
export function kindCounts(verdicts: readonly Verdict[]): Readonly<Record<string, Counts>> | null {
  const first = verdicts[0]?.kind;
  if (verdicts.every((verdict) => verdict.kind === first)) return null;
  const kinds = [...Map.groupBy(verdicts, ({ kind }) => kind)].sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(kinds.map(([kind, own]) => [kind, verdictCounts(own)]));
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
  readonly #values: number[] = [];
  #undefined = 0;

  add(value: number | null): void {
    if (value === null) this.#undefined += 1;
    else this.#values.push(value);
  }

  summary(): CaseSpread {
    const [n, without] = [this.#values.length, this.#undefined];
    if (n === 0) return { n, undefined: without, mean: null, min: null, max: null, sd: null };
    // Sorted, so that rounding cannot depend on the order in which cases came.
    const sorted = Float64Array.from(this.#values).sort();
    const mean = sorted.reduce((sum, value) => sum + value, 0) / n;
    const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const sd = n < 2 ? null : Math.sqrt(squares / (n - 1));
    return { n, undefined: without, mean, min: sorted[0]!, max: sorted[n - 1]!, sd };
  }
}
