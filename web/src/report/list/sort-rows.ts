import { compareNatural } from '../../../../src/text/compare.ts';
import type { CaseSort } from '../state.ts';
import { type CaseTable, errorsOf, valueOf } from './case-table.ts';
import { changeOf, spreadOf } from './change.ts';

type Direction = 'ascending' | 'descending';

/** All rows in an order; those without a value come last either way, and ties stay in the order of the file. */
export function sortRows(table: CaseTable, sort: CaseSort, run: number): Int32Array {
  const rows = Int32Array.from(table.ids, (_, row) => row);
  if (sort.by === 'file') return sort.reverse ? rows.reverse() : rows;
  const sign = directionOf(table, sort) === 'ascending' ? 1 : -1;
  if (sort.by === 'id') {
    const { ids } = table;
    return rows.sort((a, b) => sign * compareNatural(ids[a] ?? '', ids[b] ?? '') || a - b);
  }
  const keys = keysOf(table, sort, run);
  return rows.sort((a, b) => {
    const [x, y] = [keys[a] ?? NaN, keys[b] ?? NaN];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
    return sign * (x - y) || a - b;
  });
}

/** Which way a sort goes: the worst first unless it is turned round. */
export function directionOf(table: CaseTable, { by, measure, reverse }: CaseSort): Direction {
  const natural = naturalDirection(table, by, measure);
  if (!reverse) return natural;
  return natural === 'ascending' ? 'descending' : 'ascending';
}

function naturalDirection(table: CaseTable, by: CaseSort['by'], measure: string | null): Direction {
  switch (by) {
    case 'file':
    case 'id':
    case 'change':
      return 'ascending';
    case 'measure': {
      const aim = measure === null ? undefined : table.aims.get(measure);
      return aim === undefined || (aim.direction === 'higher' && aim.best === undefined) ? 'ascending' : 'descending';
    }
    case 'hit':
    case 'errors':
    case 'missed':
    case 'spurious':
    case 'excused':
    case 'spread':
      return 'descending';
  }
}

function keysOf(table: CaseTable, { by, measure }: CaseSort, run: number): Float64Array {
  const own = table.runs[run];
  const keys = new Float64Array(table.ids.length).fill(NaN);
  if (own === undefined) return keys;
  switch (by) {
    case 'hit':
    case 'missed':
    case 'spurious':
    case 'excused':
      return own[by];
    case 'errors':
      return keys.map((_, row) => errorsOf(own, row));
    case 'measure':
      return keys.map((_, row) => (measure === null ? NaN : distance(table, measure, valueOf(own, measure, row))));
    case 'spread':
      return keys.map((_, row) => spreadOf(table, row));
    case 'change':
      return changes(table, keys, run === 0 ? 1 : run);
    case 'file':
    case 'id':
      return keys;
  }
}

/** By the change that is shown: what got worse comes first. */
function changes(table: CaseTable, keys: Float64Array, run: number): Float64Array {
  return keys.map((_, row) => {
    const { size, change } = changeOf(table, run, row) ?? { size: null, change: null };
    if (size === null) return NaN;
    return change === 'worse' ? -Math.abs(size) : change === 'better' ? Math.abs(size) : 0;
  });
}

/** Of a measure that is best somewhere in between: how far from there. */
function distance(table: CaseTable, measure: string, value: number): number {
  const best = table.aims.get(measure)?.best;
  return best === undefined ? value : Math.abs(value - best);
}
