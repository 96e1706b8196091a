import { CASE_CHANGES, type CaseChange, caseChange, type CaseState } from '../../../../src/compare/case-change.ts';
import { type CaseTable, errorsOf, isScored, type RunTable, valueOf } from './case-table.ts';

const held = new WeakMap<CaseTable, Map<number, Uint8Array>>();

/** What became of a case between the baseline and a run; null if it is not paired: a run lacks it or failed on it. */
export function changeOf(table: CaseTable, run: number, row: number): ReturnType<typeof caseChange> | null {
  const [baseline, other] = [table.runs[0], table.runs[run]];
  if (baseline === undefined || other === undefined || !isPaired(table, row)) return null;
  return caseChange(table.change, stateOf(table, baseline, row), stateOf(table, other, row));
}

/**
 * The group of each row: its place in CASE_CHANGES, 255 if it is not paired. For the baseline, or all runs (null), the
 * first group that the case is in under any other run.
 */
export function changesOf(table: CaseTable, run: number | null): Uint8Array {
  const others = run === null || run === 0 ? [...table.runs.keys()].slice(1) : [run];
  const key = run ?? 0;
  const known = held.get(table) ?? new Map<number, Uint8Array>();
  held.set(table, known);
  let groups = known.get(key);
  if (groups === undefined) {
    groups = new Uint8Array(table.ids.length).fill(255);
    for (const other of others)
      for (let row = 0; row < groups.length; row += 1) {
        const found = changeOf(table, other, row);
        if (found !== null) groups[row] = Math.min(groups[row]!, CASE_CHANGES.indexOf(found.change));
      }
    known.set(key, groups);
  }
  return groups;
}

/** Name of the group of a row; null if it is not paired. */
export function groupOf(groups: Uint8Array, row: number): CaseChange | null {
  return CASE_CHANGES[groups[row] ?? 255] ?? null;
}

/** How far apart the runs are in what cases change by: the largest less the smallest; NaN if it is not paired. */
export function spreadOf(table: CaseTable, row: number): number {
  if (!isPaired(table, row)) return NaN;
  const states = table.runs.map((run) => stateOf(table, run, row));
  const values = states.map(({ errors, value }) => (table.change === null ? errors : (value ?? NaN)));
  return Math.max(...values) - Math.min(...values);
}

/** As a comparison pairs cases: all runs have it, and none failed on it. */
function isPaired({ runs }: CaseTable, row: number): boolean {
  return runs.every((run) => isScored(run, row));
}

function stateOf({ change }: CaseTable, run: RunTable, row: number): CaseState {
  const value = change === null ? NaN : valueOf(run, change.name, row);
  return { errors: errorsOf(run, row), value: Number.isNaN(value) ? null : value, print: run.print[row] };
}
