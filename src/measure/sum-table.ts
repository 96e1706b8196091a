import { z } from 'zod';

import { compareText } from '../text/compare.ts';
import type { NumberColumns, UnitColumn, UnitSums } from './unit-sums.ts';
import { caseUnit } from './results.ts';

const counts = z.map(z.number(), z.number());

/** What a log of sums keeps: of each case the columns it adds to, and cells of verdicts that count alike. */
export const loggedSums = z.object({
  width: z.number(),
  labels: z.map(z.string(), z.number()),
  units: z.array(z.string()),
  isByCase: z.boolean(),
  ends: z.array(z.number()),
  columns: z.instanceof(Int32Array),
  values: z.instanceof(Float64Array),
  numbers: z.map(z.string(), counts),
  lastNumber: z.number(),
  cellAdds: z.array(z.array(z.number()).readonly().optional()),
  cells: z.instanceof(Uint16Array),
  cellTimes: z.instanceof(Uint16Array),
  cellEnds: z.array(z.number()),
});

export type LoggedSums = Readonly<z.infer<typeof loggedSums>>;

const MOST_SMALL = 2 ** 15 - 1;

/** The sums by unit, of all cases or of those whose places are given, in their own units or in others. */
export function sumsByUnit(
  keys: ReadonlyMap<string, number>,
  log: LoggedSums,
  places: readonly number[] = [...log.units.keys()],
  unitOf: readonly string[] = log.units,
): UnitSums {
  const { width, lastNumber } = log;
  // Those of numbers come last, the first of them at the very end.
  const size = (1 + log.labels.size) * width - lastNumber;
  const columnAt = (at: number): number => (log.columns[at]! < 0 ? size : 0) + log.columns[at]!;
  const { sameAs, cellAdds } = distinctAdds(log, size);
  /** Every column that a case adds to, some of them several times; but for those that are as others. */
  const eachOf = (place: number, add: (column: number, value: number) => void): void => {
    for (let at = log.ends[place - 1] ?? 0; at < log.ends[place]!; at += 1) add(columnAt(at), log.values[at]!);
    for (let at = log.cellEnds[place - 1] ?? 0; at < log.cellEnds[place]!; at += 1) {
      const adds = cellAdds[log.cells[at]!]!;
      for (let each = 0; each < adds.length; each += 2) add(adds[each]!, adds[each + 1]! * log.cellTimes[at]!);
    }
  };
  const ordered = places.toSorted((a, b) => compareText(unitOf[a]!, unitOf[b]!));
  const all = roomFor(size, ordered, unitOf, eachOf);
  const filled = new Int32Array(size);
  const units: string[] = [];
  for (const place of ordered) {
    if (units.at(-1) !== unitOf[place]) units.push(unitOf[place]!);
    eachOf(place, (column, value) => {
      const own = all[column]!;
      const next = filled[column]!;
      // Cases of one unit become one entry.
      const entry = next > 0 && own.units[next - 1] === units.length - 1 ? next - 1 : next;
      own.units[entry] = units.length - 1;
      own.values[entry]! += value;
      filled[column] = entry + 1;
    });
  }
  const cuts = all.map(({ units: own, values }, column) => ({
    units: own.subarray(0, filled[column]),
    values: values.subarray(0, filled[column]),
  }));
  const cut = (column: number): UnitColumn => cuts[sameAs[column]!]!;
  // Labels in text order and numbers in rising order, and only those that occur.
  const labels = [...log.labels]
    .filter(([, at]) => filled[sameAs[(2 + at) * width - 1]!]! > 0)
    .sort(([a], [b]) => compareText(a, b));
  const starts = [0, ...labels.map(([, at]) => (1 + at) * width)];
  const columns = starts.flatMap((start) => Array.from({ length: width }, (_, at) => cut(start + at)));
  const numbers = new Map<string, NumberColumns>();
  for (const [key, own] of log.numbers) {
    const occurring = [...own].filter(([, column]) => filled[sameAs[size + column]!]! > 0).sort(([a], [b]) => a - b);
    numbers.set(key, { from: columns.length, values: occurring.map(([number]) => number) });
    for (const [, column] of occurring) columns.push(cut(size + column));
  }
  return {
    units: unitOf === log.units && log.isByCase ? units.map(caseUnit) : units,
    clustered: units.length < places.length,
    keys,
    labels: labels.map(([label]) => label),
    width,
    numbers,
    columns,
  };
}

/**
 * Columns to which every cell adds the same are one: hits, say, and what counts as 1 for each. Only where all is in
 * cells; else each is by itself.
 */
function distinctAdds(log: LoggedSums, size: number) {
  const sameAs = Int32Array.from({ length: size }, (_, column) => column);
  if (log.columns.length > 0) return { sameAs, cellAdds: log.cellAdds };
  const texts = new Map<number, string>();
  log.cellAdds.forEach((adds = [], cell) => {
    for (let at = 0; at < adds.length; at += 2)
      texts.set(adds[at]!, `${texts.get(adds[at]!) ?? ''} ${cell}:${adds[at + 1]!}`);
  });
  const first = new Map<string, number>();
  for (const [column, text] of texts) {
    if (!first.has(text)) first.set(text, column);
    sameAs[column] = first.get(text)!;
  }
  const ownAdds = (adds: readonly number[] = []): number[] =>
    adds.filter((_, at) => sameAs[adds[at - (at % 2)]!] === adds[at - (at % 2)]);
  return { sameAs, cellAdds: log.cellAdds.map(ownAdds) };
}

/** Lists of the length that each column needs: small whole numbers take a quarter of the room. */
function roomFor(
  size: number,
  places: readonly number[],
  unitOf: readonly string[],
  eachOf: (place: number, add: (column: number, value: number) => void) => void,
): UnitColumn[] {
  const [lengths, lastUnits, fractions] = [new Int32Array(size), new Int32Array(size), new Uint8Array(size)];
  const [sums, most] = [new Float64Array(size), new Float64Array(size)];
  let unit = 0;
  let last: string | undefined;
  for (const place of places) {
    if (unitOf[place] !== last) unit += 1;
    last = unitOf[place];
    eachOf(place, (column, value) => {
      if (lastUnits[column] !== unit) {
        lastUnits[column] = unit;
        lengths[column]! += 1;
        sums[column] = 0;
      }
      const sum = sums[column]! + value;
      sums[column] = sum;
      if (sum !== Math.trunc(sum) || Object.is(sum, -0)) fractions[column] = 1;
      if (Math.abs(sum) > most[column]!) most[column] = Math.abs(sum);
    });
  }
  return Array.from(lengths, (length, column) => ({
    units: new Int32Array(length),
    values: fractions[column] === 0 && most[column]! <= MOST_SMALL ? new Int16Array(length) : new Float64Array(length),
  }));
}
