import { improvement } from '../../../../src/measure/measure.ts';
import { type CaseTable, errorsOf, isScored, type RunTable, valueOf } from './case-table.ts';

const FEWER: { readonly direction: 'lower' } = { direction: 'lower' };

/** The measure by which cases got better or worse: the first with values per case in all runs; null: the errors, fewer is better. */
export function changeMeasure(table: CaseTable): string | null {
  return table.measures.find((name) => table.runs.every(({ measures }) => measures.has(name))) ?? null;
}

/** Other less baseline, in the unit of `changeMeasure`; NaN where one of them has no value. */
export function changeOf(table: CaseTable, measure: string | null, run: number, row: number): number {
  const [baseline, other] = [table.runs[0], table.runs[run]];
  if (baseline === undefined || other === undefined || !isScored(baseline, row) || !isScored(other, row)) return NaN;
  return shownValue(other, measure, row) - shownValue(baseline, measure, row);
}

/** 1 better than the baseline, −1 worse, 0 neither: the same, or not to be told. */
export function improvementOf(table: CaseTable, measure: string | null, run: number, row: number): number {
  const [baseline, other] = [table.runs[0], table.runs[run]];
  if (Number.isNaN(changeOf(table, measure, run, row)) || baseline === undefined || other === undefined) return 0;
  const aim = measure === null ? FEWER : table.aims.get(measure);
  if (aim === undefined) return 0;
  return improvement(aim, shownValue(baseline, measure, row), shownValue(other, measure, row));
}

/** How far apart the runs are: the largest value less the smallest; NaN where fewer than two have one. */
export function spreadOf(table: CaseTable, measure: string | null, row: number): number {
  const values = table.runs
    .filter((run) => isScored(run, row))
    .map((run) => shownValue(run, measure, row))
    .filter((value) => !Number.isNaN(value));
  return values.length < 2 ? NaN : Math.max(...values) - Math.min(...values);
}

/** Whether anything in a case is not as in the baseline: an item that became another, or what they add up to. */
export function differs(table: CaseTable, run: number, row: number): boolean {
  const [baseline, other] = [table.runs[0], table.runs[run]];
  if (baseline === undefined || other === undefined) return false;
  if (
    baseline.print[row] !== other.print[row] ||
    baseline.hit[row] !== other.hit[row] ||
    baseline.missed[row] !== other.missed[row] ||
    baseline.spurious[row] !== other.spurious[row] ||
    baseline.excused[row] !== other.excused[row] ||
    baseline.state[row] !== other.state[row] ||
    baseline.errors[row] !== other.errors[row]
  )
    return true;
  return table.measures.some((name) => !Object.is(valueOf(baseline, name, row), valueOf(other, name, row)));
}

/** The runs that one is set beside: the baseline beside every other. */
export function othersOf(table: CaseTable, run: number): readonly number[] {
  return run === 0 ? table.runs.map((_, place) => place).slice(1) : [run];
}

function shownValue(run: RunTable, measure: string | null, row: number): number {
  return measure === null ? errorsOf(run, row) : valueOf(run, measure, row);
}
