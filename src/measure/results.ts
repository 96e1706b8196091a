import { z } from 'zod';

import { isRecord } from '../data/record-fields.ts';
import { type Verdict, VERDICTS } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';
import { joinNotes, type Measure, NOT_ASKED_FOR, type Sums } from './measure.ts';
import type { UnitSums } from './unit-sums.ts';

/** Data from a shape as we make it: nobody changes it, and no other fields come. */
export type DataOf<Shape extends z.ZodType> = Fixed<z.infer<Shape>>;
type Fixed<T> = T extends readonly unknown[]
  ? { readonly [At in keyof T]: Fixed<T[At]> }
  : T extends object
    ? { readonly [Key in keyof T as IsOpen<T, Key> extends true ? never : Key]: Fixed<T[Key]> }
    : T;
/** The key that stands for all others; a record has nothing but that. */
type IsOpen<T, Key> = string extends Key ? (unknown extends T[Key & keyof T] ? true : false) : false;

const [text, number] = [z.string(), z.number()];
const [nullableText, nullable] = [text.nullable(), number.nullable()];

/** One measure of one slice, as measures.json holds it. */
export const measureShape = z.looseObject({
  name: text,
  slice: z.record(text, text).meta({ description: 'empty: overall' }),
  value: nullable,
  undefined: nullableText.meta({ description: 'why there is no value' }),
  n: number,
  units: z.int().meta({ description: 'cases, or clusters of them, that have anything to do with it' }),
  interval: z.looseObject({ low: number, high: number, level: number, method: text }).nullable(),
  noInterval: nullableText.meta({ description: 'why there is no interval' }),
  direction: z.enum(['higher', 'lower']),
  best: number.exactOptional().meta({ description: 'the best value where it is at neither end: nearer is better' }),
  range: z.tuple([nullable, nullable]).meta({ description: 'null: no such end' }),
  unit: text.exactOptional().meta({ description: 'what it is measured in; absent: a share or a plain number' }),
  symbol: text.exactOptional().meta({ description: 'its short form in the document that defines it' }),
  meanOfCases: z
    .literal(true)
    .exactOptional()
    .meta({ description: 'the mean of the values of the cases; absent: all cases are pooled' }),
  note: nullableText,
  // Only for overall values. Undefined cases are counted, never averaged; sd divides by n - 1.
  cases: z
    .looseObject({ n: z.int(), undefined: z.int(), mean: nullable, min: nullable, max: nullable, sd: nullable })
    .nullable(),
});

/** The overall values if failed cases counted the other way (`data.failed`). */
export const failedOtherwiseShape = z.looseObject({
  failed: z.enum(['leave-out', 'empty']),
  measures: z.array(z.looseObject({ name: text, value: nullable, undefined: nullableText, n: number })),
});

export type MeasureValue = DataOf<typeof measureShape>;
export type FailedOtherwise = DataOf<typeof failedOtherwiseShape>;
export type Slice = MeasureValue['slice'];
/** Where the value would lie if cases like these were drawn again. */
export type Interval = NonNullable<MeasureValue['interval']>;
/** An interval, or why it is missing. */
export type Sureness = Pick<MeasureValue, 'interval' | 'noInterval'>;
export type CaseSpread = NonNullable<MeasureValue['cases']>;

/** How sure each measure of a group is: a row for the whole, and one for each label. */
export type GroupSureness = readonly (readonly Sureness[])[];

/** The sums of one slice, unit by unit. */
export interface Group {
  readonly slice: Slice;
  readonly table: UnitSums;
  /** Whether each label has its own value. */
  readonly byLabel: boolean;
}

/** Whether a slice is no part but the whole. */
export function isOverall(slice: Slice): boolean {
  return Object.keys(slice).length === 0;
}

const counts = z.looseObject({ hit: number, spurious: number, missed: number, excused: number });

/** What one case adds up to, as cases.jsonl holds it; what has its default is left out. */
export const caseShape = z.looseObject({
  case: text,
  from: text.optional().meta({ description: 'the case in the files that this is a variant of' }),
  counts,
  kinds: z.record(text, counts).optional(),
  measures: z.record(text, nullable),
  failed: text.optional(),
  failedAsEmpty: text.optional().meta({ description: 'why it failed; scored as empty (data.failed)' }),
  answered: z.boolean().optional().meta({ description: 'false: no prediction record, scored as empty' }),
  slices: z.record(text, text).optional().meta({ description: 'values of the columns that slice' }),
  cluster: text.optional().meta({ description: 'value of the column that clusters cases' }),
});

export type CaseResult = DataOf<typeof caseShape>;

/** Quicker than the schema; false for lines with optional fields, which the schema has to check. */
export function isCaseResult(value: unknown): value is CaseResult {
  if (!isRecord(value) || Object.keys(value).length !== 3) return false;
  const { case: id, counts: sums, measures } = value;
  if (typeof id !== 'string' || !isRecord(sums) || !isRecord(measures)) return false;
  for (const name of VERDICTS) if (typeof sums[name] !== 'number') return false;
  for (const name in measures) if (measures[name] !== null && typeof measures[name] !== 'number') return false;
  return true;
}
export type Counts = CaseResult['counts'];
/** Cases of the recipe's own scheme in the order of scoring, with the places of those that are left out. */
export interface TallyCases {
  readonly ids: readonly string[];
  readonly leftOut: ReadonlySet<number>;
  /** Of each measure, the values of the cases that are not left out; NaN if undefined. */
  readonly values: readonly (readonly [measure: string, values: readonly number[]])[];
}

/** What of a case matters to adding up, beside its verdicts. */
export type CaseFacts = Omit<CaseResult, 'counts' | 'kinds' | 'measures'>;

/** A case, or the cluster it belongs to; the word before it keeps a case from being taken for a cluster. */
export function unitOf({ case: id, cluster }: Pick<CaseFacts, 'case' | 'cluster'>): string {
  return cluster === undefined ? caseUnit(id) : `cluster ${cluster}`;
}

export function caseUnit(id: string): string {
  return `case ${id}`;
}

const NOT_ASKED: Sureness = { interval: null, noInterval: NOT_ASKED_FOR };

/** A measure worked out from sums, with all that is reported about its value. */
export function measureValue(
  measure: Measure,
  slice: Slice,
  sums: Sums,
  units: number,
  sure: Sureness = NOT_ASKED,
  cases: CaseSpread | null = null,
): MeasureValue {
  const { name, direction, range, unit, symbol, best } = measure;
  const { value, undefined: why, n, note } = measure.value(sums);
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
    ...(symbol === undefined ? {} : { symbol }),
    ...(best === undefined ? {} : { best }),
    ...(measure.meanOfCases === true ? { meanOfCases: true } : {}),
    note: joinNotes([note, measure.leftOut?.(sums)]),
    cases,
  };
}

/** How many there are of each verdict, by weight. */
export function verdictCounts(verdicts: Iterable<Pick<Verdict, 'verdict'> & { weight?: number | undefined }>): Counts {
  const sums = { hit: 0, spurious: 0, missed: 0, excused: 0 };
  for (const { verdict, weight = 1 } of verdicts) sums[verdict] += weight;
  return sums;
}

/** Counts by kind of item where a case has several kinds. */
export function kindCounts(verdicts: readonly Verdict[]): CaseResult['kinds'] {
  const first = verdicts[0]?.kind;
  if (verdicts.every((verdict) => verdict.kind === first)) return undefined;
  const kinds = [...Map.groupBy(verdicts, ({ kind }) => kind)].sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(kinds.map(([kind, own]) => [kind, verdictCounts(own)]));
}

/** How values spread over cases; NaN stands for a case without one. */
export function spreadOverCases(values: readonly number[]): CaseSpread {
  // Sorted, so that rounding cannot depend on the order in which cases came.
  const sorted = Float64Array.from(values.filter((value) => !Number.isNaN(value))).sort();
  const n = sorted.length;
  const without = values.length - n;
  if (n === 0) return { n, undefined: without, mean: null, min: null, max: null, sd: null };
  const mean = sorted.reduce((sum, value) => sum + value, 0) / n;
  const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const sd = n < 2 ? null : Math.sqrt(squares / (n - 1));
  return { n, undefined: without, mean, min: sorted[0]!, max: sorted[n - 1]!, sd };
}
