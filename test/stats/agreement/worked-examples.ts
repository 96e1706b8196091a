import type { Ratings } from '../../../src/stats/agreement/rating.ts';

/** Items of a table that counts how often two raters said what: row of the first, column of the second, from 1. */
export function crossTable(counts: readonly (readonly number[])[]): number[][] {
  return counts.flatMap((row, first) =>
    row.flatMap((count, second) => Array.from({ length: count }, () => [first + 1, second + 1])),
  );
}

/** Items of a table that counts how many raters put an item into which category. */
export function countTable(counts: readonly (readonly number[])[]): number[][] {
  return counts.map((row) => row.flatMap((count, category) => Array.from({ length: count }, () => category + 1)));
}

const _ = null;

/** Krippendorff 2011, example C: four observers of twelve units, with gaps. */
export const TWELVE_UNITS: Ratings = [
  [1, 1, _, 1],
  [2, 2, 3, 2],
  [3, 3, 3, 3],
  [3, 3, 3, 3],
  [2, 2, 2, 2],
  [1, 2, 3, 4],
  [4, 4, 4, 4],
  [1, 1, 2, 1],
  [2, 2, 2, 2],
  [_, 5, 5, 5],
  [_, _, 1, 1],
  [_, 3, _, _],
];

/** Fleiss 1971, table 1: thirty patients, six diagnoses each, by how many fell into each of five categories. */
export const DIAGNOSES = countTable(
  (
    '00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031 ' +
    '00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006'
  )
    .split(' ')
    .map((row) => [...row].map(Number)),
);

/** Feinstein and Cicchetti 1990: the same raw agreement with balanced and with skewed categories. */
export const BALANCED = crossTable([
  [40, 9],
  [6, 45],
]);
export const SKEWED = crossTable([
  [80, 10],
  [5, 5],
]);

/** The abstractors' table of Gwet's Handbook (2014), as in the documentation of his R package irrCAC. */
export const ABSTRACTORS = crossTable([
  [13, 0, 0],
  [0, 20, 7],
  [0, 4, 56],
]);
