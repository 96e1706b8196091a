import { ERROR_TYPES } from '../../../../src/judge/error-type.ts';
import { type CaseFilter, type Show, SHOWS } from '../state.ts';
import { type CaseTable, errorsOf, isScored, SCORED } from './case-table.ts';
import { changesOf, groupOf } from './change.ts';
import { searchWords } from './search-words.ts';

type Test = (row: number) => boolean;

const lowerIds = new WeakMap<CaseTable, readonly string[]>();

/**
 * The rows of an order that a filter lets through, as one run has them, or with null any of them; one plain loop,
 * whatever the number of rows.
 * `found`: 1 at the rows whose texts have what is searched for.
 */
export function filterRows(
  table: CaseTable,
  order: Int32Array,
  filter: CaseFilter,
  run: number | null,
  found: Uint8Array | null = null,
): Int32Array {
  const sets = runsOf(table, run).map((one) => testsOf(table, filter, one, run, found));
  if (sets.some((tests) => tests.length === 0)) return order;
  const kept = new Int32Array(order.length);
  let n = 0;
  for (const row of order) {
    let passes = false;
    for (let set = 0; !passes && set < sets.length; set += 1) {
      const tests = sets[set] ?? [];
      passes = true;
      for (let at = 0; passes && at < tests.length; at += 1) passes = tests[at]?.(row) ?? false;
    }
    if (passes) {
      kept[n] = row;
      n += 1;
    }
  }
  return kept.subarray(0, n);
}

/** How many cases each way of showing would leave, all else let through. */
export function showCounts(table: CaseTable, run: number | null): Readonly<Record<Show, number>> {
  const counts = { all: table.ids.length, wrong: 0, excused: 0, worse: 0, better: 0, others: 0, unchanged: 0 };
  for (const show of SHOWS) {
    const tests = runsOf(table, run).flatMap((one) => showTest(table, show, one, run) ?? []);
    if (tests.length === 0) continue;
    let n = 0;
    for (let row = 0; row < table.ids.length; row += 1) if (tests.some((test) => test(row))) n += 1;
    counts[show] = n;
  }
  return counts;
}

function runsOf(table: CaseTable, run: number | null): readonly number[] {
  return run === null ? table.runs.map((_, place) => place) : [run];
}

function testsOf(
  table: CaseTable,
  filter: CaseFilter,
  run: number,
  looked: number | null,
  found: Uint8Array | null,
): readonly Test[] {
  const own = table.runs[run];
  if (own === undefined) return [() => false];
  const tests: (Test | null)[] = [showTest(table, filter.show, run, looked)];
  if (filter.error !== undefined) {
    const bit = 1 << ERROR_TYPES.indexOf(filter.error);
    tests.push((row) => ((own.errors[row] ?? 0) & bit) !== 0);
  }
  if (filter.label !== undefined) tests.push(listed(own.wrongLabels, table.labels.indexOf(filter.label)));
  if (filter.rule !== undefined) tests.push(listed(own.rules, table.rules.indexOf(filter.rule)));
  if (filter.slice !== undefined) {
    const [column, value] = filter.slice;
    const slice = table.slices.get(column);
    const place = slice?.values.indexOf(value) ?? -1;
    tests.push(place === -1 ? () => false : (row) => slice?.of[row] === place);
  }
  if (filter.cases !== undefined) {
    const ids = new Set(filter.cases);
    tests.push((row) => ids.has(table.ids[row] ?? ''));
  }
  const words = searchWords(filter.search ?? '');
  if (words.length > 0) {
    const ids = lower(table);
    tests.push((row) => found?.[row] === 1 || words.every((word) => ids[row]?.includes(word) ?? false));
  }
  return tests.filter((test) => test !== null);
}

/** `looked`: the run that is looked at, null for all. Changes are its own; the rest is of one run. */
function showTest(table: CaseTable, show: Show, run: number, looked: number | null): Test | null {
  const own = table.runs[run];
  if (own === undefined) return () => false;
  switch (show) {
    case 'all':
      return null;
    case 'wrong':
      // A case that failed or was not answered is not right either.
      return (row) =>
        errorsOf(own, row) > 0 || (own.errors[row] ?? 0) !== 0 || (own.state[row] !== SCORED && own.state[row] !== 3);
    case 'excused':
      return (row) => isScored(own, row) && (own.excused[row] ?? 0) > 0;
    case 'worse':
    case 'better':
    case 'others':
    case 'unchanged': {
      const groups = changesOf(table, looked);
      return (row) => groupOf(groups, row) === show;
    }
  }
}

function listed(lists: readonly (readonly number[])[], place: number): Test {
  return place === -1 ? () => false : (row) => lists[row]?.includes(place) ?? false;
}

function lower(table: CaseTable): readonly string[] {
  const held = lowerIds.get(table) ?? table.ids.map((id) => id.toLowerCase());
  lowerIds.set(table, held);
  return held;
}
