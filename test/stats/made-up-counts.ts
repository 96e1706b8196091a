import { makeItem } from '../../src/data/item.ts';
import { makeVerdict, type Verdict } from '../../src/judge/verdict.ts';
import { buildMeasures } from '../../src/measure/measures.ts';
import { Tally } from '../../src/measure/tally.ts';
import type { UnitSums } from '../../src/measure/unit-sums.ts';

/** What one case holds: hits, spurious, missed, and hits whose attribute `right` is right. */
export type Counts = readonly [hit: number, spurious: number, missed: number, right?: number];

export const { measures: MEASURES } = buildMeasures(
  { f1: {}, precision: {}, accuracy: { of: 'accuracy', attributes: ['right'] } },
  null,
);

export function verdictsOf([hit, spurious, missed, right = 0]: Counts, label = 'X'): Verdict[] {
  const item = makeItem({ kind: 'span', index: 0, label, text: 'x' });
  const made = (verdict: Verdict['verdict'], more: Partial<Verdict>): Verdict =>
    makeVerdict({ case: 'c', scheme: null, kind: 'span', verdict, rule: 'pair', label, ...more });
  return [
    ...Array.from({ length: hit }, (_, at) =>
      made('hit', { gold: item, predicted: item, attributes: { right: at < right } }),
    ),
    ...Array.from({ length: spurious }, () => made('spurious', { predicted: item })),
    ...Array.from({ length: missed }, () => made('missed', { gold: item })),
  ];
}

/** A table of values that another program worked out: data set, measure, and numbers. */
export function valueTable(text: string): [string, string, number, ...number[]][] {
  return text
    .trim()
    .split('\n')
    .map((row) => {
      const [set = '', name = '', first, ...others] = row.trim().split(' ');
      return [set, name, Number(first), ...others.map(Number)];
    });
}

/** Cases as text: '3 1 0, 2 0 0 1' is [[3, 1, 0], [2, 0, 0, 1]]. */
export function counts(text: string): Counts[] {
  return text.split(',').map((row) => {
    const [hit = 0, spurious = 0, missed = 0, right] = row.trim().split(' ').map(Number);
    return right === undefined ? [hit, spurious, missed] : [hit, spurious, missed, right];
  });
}

/** Cases c1, c2, … with these counts, each a unit of its own or part of a cluster. */
export function tableOf(rows: readonly Counts[], clusters: readonly string[] = [], measures = MEASURES): UnitSums {
  const tally = new Tally(measures, []);
  rows.forEach((row, at) => {
    const facts = { case: `c${at + 1}`, cluster: clusters[at] };
    tally.add(facts, null, verdictsOf(row));
  });
  return tally.groups()[0]!.table;
}

/** Five made-up data sets, drawn once; two systems each. */
export const SYSTEMS: Readonly<Record<string, { readonly a: readonly Counts[]; readonly b: readonly Counts[] }>> = {
  twelve: {
    a: counts(`4 1 2 3, 3 0 1 2, 0 1 2 0, 2 2 0 2, 4 0 0 0, 3 2 2 3, 4 0 1 0, 0 1 0 0, 3 1 0 2, 0 1 2 0, 4 2 1 3,
      3 0 0 1`),
    b: counts(`3 1 1 0, 3 1 2 0, 1 0 2 1, 3 1 1 2, 4 0 0 1, 2 2 0 0, 3 1 0 0, 1 2 0 1, 2 0 0 0, 4 1 2 0, 2 1 2 2,
      0 2 2 0`),
  },
  skewed: {
    a: counts('9 0 1 4, 0 0 2 0, 1 1 0 0, 0 2 1 0, 1 0 1 1, 1 0 0 1, 0 1 1 0, 1 0 1 1, 0 1 1 0, 1 1 1 1'),
    b: counts('9 0 1 4, 0 0 2 0, 1 0 0 0, 0 0 1 0, 1 0 1 1, 1 0 0 1, 0 1 1 0, 1 0 1 1, 0 1 1 0, 1 1 1 1'),
  },
  five: {
    a: counts('3 2 2 1, 3 0 0 1, 2 1 0 2, 3 0 0 1, 1 0 0 1'),
    b: counts('3 0 2 2, 2 2 0 2, 1 1 0 0, 1 1 0 1, 2 0 2 2'),
  },
  many: {
    a: counts(`0 2 2 0, 2 1 2 1, 0 0 1 0, 0 2 2 0, 1 2 1 0, 3 1 2 3, 1 0 0 1, 1 1 2 0, 0 2 2 0, 2 0 2 0, 2 2 2 0,
      1 1 2 0, 1 1 1 0, 0 1 0 0, 0 2 1 0, 1 1 0 1, 0 1 2 0, 0 1 1 0, 1 2 0 0, 3 1 0 0, 1 0 1 0, 1 2 2 1,
      0 0 1 0, 3 1 0 1, 3 1 1 0, 0 2 1 0, 1 2 0 0, 3 0 2 2, 1 1 1 1, 3 1 2 0, 0 1 1 0, 2 1 1 2, 0 1 2 0,
      2 2 0 2, 3 0 0 3, 1 0 1 0, 2 2 2 0, 3 1 0 2, 3 0 0 0, 0 1 2 0`),
    b: counts(`2 2 1 2, 1 2 1 1, 3 0 0 3, 1 2 0 0, 0 1 1 0, 2 0 0 1, 3 1 1 3, 1 2 2 1, 2 2 1 1, 0 0 2 0, 2 1 2 0,
      0 1 0 0, 0 1 2 0, 3 0 0 2, 1 1 1 1, 2 0 1 2, 0 2 0 0, 2 2 0 1, 3 0 2 0, 2 2 1 2, 2 0 1 0, 1 0 1 0,
      1 1 1 0, 0 0 2 0, 0 2 1 0, 3 1 2 2, 2 2 0 2, 0 1 1 0, 2 1 0 2, 1 2 0 1, 3 2 2 2, 0 0 0 0, 3 2 2 0,
      2 0 2 0, 1 0 0 0, 1 0 0 1, 1 0 1 0, 2 2 2 2, 0 2 0 0, 3 0 1 2`),
  },
  seldom: {
    a: counts(`0 1 1 0, 0 1 1 0, 0 1 1 0, 0 1 1 0, 0 1 1 0, 0 1 1 0, 1 2 0 1, 2 1 1 0, 2 2 0 0, 1 1 0 1, 2 1 1 2,
      1 0 0 1, 2 0 2 2, 1 2 2 0`),
    b: counts(`0 1 1 0, 1 1 0 0, 0 1 1 0, 1 1 0 0, 0 1 1 0, 1 1 0 0, 1 2 0 1, 3 1 0 0, 2 2 0 0, 2 1 0 1, 2 1 1 2,
      2 0 0 1, 2 0 2 2, 2 2 1 0`),
  },
};
