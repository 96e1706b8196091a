import { type ChangeMeasure, errorsOf as errorsOfCounts } from '../../../../src/compare/case-change.ts';
import type { CaseIndex, ReportHead, RunColumns } from '../../../../src/report/html/report-data.ts';
import type { Direction, Range } from '../../../../src/measure/measure.ts';

export const SCORED = 0;
/** A failed case that counts as an empty answer. */
export const FAILED_AS_EMPTY = 4;
export const STATES = ['', 'failed', 'no prediction', 'not in this run', 'failed'] as const;

/** Which way a measure is better, and how far it goes. */
export interface Aim {
  readonly direction: Direction;
  readonly range: Range;
  readonly best?: number;
}

/** One run's columns as a loop wants them. */
export interface RunTable {
  readonly hit: Float64Array;
  readonly missed: Float64Array;
  readonly spurious: Float64Array;
  readonly excused: Float64Array;
  readonly state: Uint8Array;
  readonly errors: Uint32Array;
  readonly wrongLabels: readonly (readonly number[])[];
  readonly rules: readonly (readonly number[])[];
  /** Equal to another run's if both have the same errors. */
  readonly print: Int32Array;
  /** NaN: the case has no value. */
  readonly measures: ReadonlyMap<string, Float64Array>;
}

/** The index of the cases, ready to be filtered and sorted: names from data are keys of maps, never of objects. */
export interface CaseTable {
  readonly ids: readonly string[];
  readonly labels: readonly string[];
  readonly rules: readonly string[];
  readonly slices: ReadonlyMap<string, { readonly values: readonly string[]; readonly of: readonly number[] }>;
  readonly runs: readonly RunTable[];
  /** The measures that have values per case, in the order of the first run's primary ones. */
  readonly measures: readonly string[];
  readonly aims: ReadonlyMap<string, Aim>;
  /** Measure that cases change by; null: their errors. */
  readonly change: ChangeMeasure;
}

export function caseTable(index: CaseIndex, head: Pick<ReportHead, 'runs' | 'comparison'>): CaseTable {
  const runs = index.runs.map((columns) => runTable(columns, index.ids.length));
  const primary = head.runs.flatMap((run) => run.primary);
  const found = [...new Set([...primary, ...runs.flatMap(({ measures }) => [...measures.keys()])])];
  const aims = new Map<string, Aim>();
  for (const run of head.runs)
    for (const { name, direction, range, best } of run.measures.measures)
      if (!aims.has(name)) aims.set(name, best === undefined ? { direction, range } : { direction, range, best });
  const by = head.comparison?.changes.by ?? null;
  const aim = by === null ? undefined : aims.get(by);
  return {
    ids: index.ids,
    labels: index.labels,
    rules: index.rules,
    slices: new Map(Object.entries(index.slices)),
    runs,
    measures: found.filter((name) => runs.some(({ measures }) => measures.has(name))),
    aims,
    change: by === null || aim === undefined ? null : { name: by, ...aim },
  };
}

export function errorsOf({ missed, spurious }: RunTable, row: number): number {
  return errorsOfCounts({ missed: missed[row] ?? 0, spurious: spurious[row] ?? 0 });
}

export function isScored({ state }: RunTable, row: number): boolean {
  return state[row] === SCORED || state[row] === 2 || state[row] === FAILED_AS_EMPTY;
}

/** NaN without a value. */
export function valueOf({ measures }: RunTable, name: string, row: number): number {
  return measures.get(name)?.[row] ?? NaN;
}

function runTable(columns: RunColumns, rows: number): RunTable {
  return {
    hit: Float64Array.from(columns.hit),
    missed: Float64Array.from(columns.missed),
    spurious: Float64Array.from(columns.spurious),
    excused: Float64Array.from(columns.excused),
    state: Uint8Array.from(columns.state),
    errors: Uint32Array.from(columns.errors),
    wrongLabels: columns.wrongLabels,
    rules: columns.rules,
    print: Int32Array.from(columns.print),
    measures: new Map(
      Object.entries(columns.measures).map(([name, values]) => [name, measureColumn(values, rows)] as const),
    ),
  };
}

function measureColumn(values: readonly (number | null)[], rows: number): Float64Array {
  const column = new Float64Array(rows).fill(NaN);
  for (let row = 0; row < rows; row += 1) column[row] = values[row] ?? NaN;
  return column;
}
