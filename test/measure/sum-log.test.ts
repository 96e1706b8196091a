import { expect, test } from 'vitest';

import { SumLog } from '../../src/measure/sum-log.ts';
import type { UnitSums } from '../../src/measure/unit-sums.ts';

const KEYS = new Map([
  ['hits', 0],
  ['missed', 1],
]);

/** Keeps a case: what each label adds to [hits, missed]. */
function keep(log: SumLog, unit: string, labels: Readonly<Record<string, readonly [number, number]>>): void {
  for (const [label, sums] of Object.entries(labels)) {
    const from = log.label(label);
    sums.forEach((value, at) => {
      log.add(at, value);
      log.add(from + at, value);
    });
  }
  log.keep(unit);
}

/** The columns as [unit, value] pairs. */
function entries({ units, columns }: UnitSums): [string, number][][] {
  return columns.map((column) => [...column.units].map((unit, at) => [units[unit]!, column.values[at]!]));
}

test('keeps what each unit adds to the whole and to each label, in text order', () => {
  const log = new SumLog(KEYS);
  keep(log, 'case b', { Y: [1, 0], X: [2, 3] });
  keep(log, 'case a', { X: [0, 4] });
  const table = log.byUnit();
  expect(table).toMatchObject({ units: ['case a', 'case b'], labels: ['X', 'Y'], width: 3, clustered: false });
  expect(entries(table)).toEqual([
    [['case b', 3]],
    [
      ['case a', 4],
      ['case b', 3],
    ],
    [],
    [['case b', 2]],
    [
      ['case a', 4],
      ['case b', 3],
    ],
    [
      ['case a', 1],
      ['case b', 1],
    ],
    [['case b', 1]],
    [],
    [['case b', 1]],
  ]);
});

test('cases of one unit become one entry, whatever lies between them', () => {
  const log = new SumLog(KEYS);
  keep(log, 'cluster d', { X: [1, 0] });
  keep(log, 'cluster c', { X: [5, 5] });
  keep(log, 'cluster d', { X: [2, 1] });
  const table = log.byUnit();
  expect(table).toMatchObject({ units: ['cluster c', 'cluster d'], clustered: true });
  expect(entries(table).slice(0, 2)).toEqual([
    [
      ['cluster c', 5],
      ['cluster d', 3],
    ],
    [
      ['cluster c', 5],
      ['cluster d', 1],
    ],
  ]);
  expect(log.units.length).toBe(3);
});

test('of some cases only: their units, and only the labels that occur in them', () => {
  const log = new SumLog(KEYS);
  keep(log, 'case a', { X: [1, 0] });
  keep(log, 'case b', { Y: [1, 0] });
  keep(log, 'case c', {});
  const table = log.byUnit([2, 1]);
  expect(table).toMatchObject({ units: ['case b', 'case c'], labels: ['Y'] });
  expect(entries(table)[0]).toEqual([['case b', 1]]);
});

test('a label that occurs is kept where it adds nothing, and a case without any is a unit', () => {
  const log = new SumLog(KEYS);
  keep(log, 'case a', { X: [0, 0] });
  keep(log, 'case b', {});
  expect(log.byUnit()).toMatchObject({ units: ['case a', 'case b'], labels: ['X'] });
});

test('no case is an empty table', () => {
  expect(new SumLog(KEYS).byUnit()).toMatchObject({ units: [], labels: [], clustered: false });
});

test('many cases and labels: beyond its first room nothing is lost or mixed', () => {
  const log = new SumLog(KEYS);
  for (let at = 0; at < 300; at += 1)
    keep(log, `case ${String(at).padStart(3, '0')}`, { [`L${at % 40}`]: [at, 1], [`L${(at + 1) % 40}`]: [1, 0] });
  const table = log.byUnit();
  expect(table.labels).toHaveLength(40);
  const sum = (column: number): number => [...table.columns[column]!.values].reduce((all, one) => all + one, 0);
  // Hits: 0 + 1 + … + 299, and 1 for each case.
  expect([sum(0), sum(1)]).toEqual([44_850 + 300, 300]);
  const own = (1 + table.labels.indexOf('L7')) * table.width;
  // L7: cases 7, 47, … 287 (eight of them, 1176 together), and 6, 46, … 286 with one each.
  expect([sum(own), sum(own + 1), sum(own + 2)]).toEqual([1176 + 8, 8, 16]);
});

test('a 0 that was said is kept as a value, a 0 that nobody said is none', () => {
  const log = new SumLog(KEYS);
  log.set(0, 0);
  log.set(1, 2);
  log.keep('case a');
  log.keep('case b');
  log.set(0, 3);
  log.keep('case c');
  expect(entries(log.byUnit()).slice(0, 2)).toEqual([
    [
      ['case a', 0],
      ['case c', 3],
    ],
    [['case a', 2]],
  ]);
});
