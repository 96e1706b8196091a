import {
  type ColumnSums,
  type DrawnSums,
  sumsAt,
  totals,
  type UnitColumn,
  type UnitSums,
} from '../measure/unit-sums.ts';
import { differenceColumns } from './align-tables.ts';
import { eachDraw } from './draw-sums.ts';
import { ROUNDING } from './interval.ts';
import { differenceBetween, type PairedTest } from './paired-difference.ts';
import { type Breathe, type Draws, swapsDraw } from './resample.ts';
import { drawnValues, ListPool, type MeasuredPart, valueColumns } from './unit-by-unit.ts';

/**
 * Is the difference b − a larger than chance would make it? If the systems were alike, swapping their answers to a unit
 * would change nothing: so the answers are swapped unit by unit and each measure is worked out again. p = the share of
 * swaps whose difference is as large or larger, either way. All 2ᵏ swaps of the k units in which the measure's counts
 * differ, where that is no more than `resamples`; else so many random ones, and p = (1 + as large) / (1 + resamples),
 * which keeps the test valid. A swap that leaves a measure undefined counts as large. The tables must be aligned.
 * It asks whether the systems are alike in all that the measure counts. If they differ in how much they say, it can
 * reject although the ratio is the same, so a verdict also asks for an interval that leaves out 0.
 * Fisher 1935; for F1 and its like Noreen 1989 and Yeh 2000; the + 1: Phipson and Smyth 2010.
 */
export async function pairedPermutation(
  a: UnitSums,
  b: UnitSums,
  parts: readonly MeasuredPart[],
  { resamples, seed }: Draws,
  breathe?: Breathe,
): Promise<PairedTest[]> {
  const apart = differenceColumns(a, b);
  const [allA, allB] = [totals(a), totals(b)];
  const cells = parts.map((part) => {
    const { measure, label } = part;
    const [from, to] = [measure.value(sumsAt(a, allA, label)).value, measure.value(sumsAt(b, allB, label)).value];
    const observed = from === null || to === null ? null : differenceBetween(from, to);
    const size = Math.max(Math.abs(from ?? 0), Math.abs(to ?? 0));
    const columns = valueColumns(a, part);
    const units = unitsOf(columns.map((column) => apart[column]!));
    const { swaps = resamples } = part;
    const exact = 2 ** units.length <= swaps;
    const draws = exact ? 2 ** units.length : swaps;
    const bound = Math.abs(observed ?? 0) - ROUNDING * size;
    return { part, observed, bound, asLarge: 0, columns, units, exact, draws };
  });
  // Exact parts that differ in the same units share their swaps; the others share random ones of every unit.
  const keyOf = ({ exact, units, draws }: (typeof cells)[number]): string => (exact ? units.join() : `random ${draws}`);
  const passes = [...Map.groupBy(cells, keyOf).values()];
  const work = passes.reduce((sum, pass) => sum + pass[0]!.draws, 0);
  let done = 0;
  for (const pass of passes) {
    const { exact, units, draws } = pass[0]!;
    const columns = [...new Set(pass.flatMap((cell) => cell.columns))];
    const swapped = [swappedSums(a, allA, columns, 1), swappedSums(b, allB, columns, -1)];
    const lists = new ListPool();
    const workings = pass.map((cell) => ({
      cell,
      valuesOf: swapped.map(({ table, source }) => drawnValues(table, cell.part, 0, source)),
    }));
    await eachDraw(
      a.units.length,
      columns.map((column) => apart[column]!),
      draws,
      // Swap number s swaps the units whose bit is set in s. At random, units that are alike are swapped too: so no
      // measure changes the swaps of another.
      exact ? (times, at) => units.forEach((unit, bit) => (times[unit] = (at >>> bit) & 1)) : swapsDraw(seed),
      (moved, count) => {
        const { block } = swapped[0]!;
        for (let from = 0; from < count; from += block) {
          const size = Math.min(block, count - from);
          for (const { fill } of swapped) fill(moved, from, size);
          for (const { cell, valuesOf } of workings) {
            lists.release(size);
            const [before, after] = valuesOf.map((of) => of(lists));
            for (let at = 0; at < size; at += 1) {
              const [one, other] = [before![at]!, after![at]!];
              const isUndefined = Number.isNaN(one) || Number.isNaN(other);
              if (isUndefined || Math.abs(differenceBetween(one, other)) >= cell.bound) cell.asLarge += 1;
            }
          }
        }
      },
      (share) => breathe?.((done + share * draws) / work),
    );
    done += draws;
  }
  return cells.map(({ observed, asLarge, exact, draws }) =>
    observed === null
      ? { pValue: null, undefined: 'there is no difference to test', method: 'none', statistic: null, n: 0 }
      : {
          pValue: exact ? asLarge / draws : (1 + asLarge) / (1 + draws),
          undefined: null,
          method: exact ? 'exact' : 'resampled',
          statistic: observed,
          n: a.units.length,
        },
  );
}

/** At most so many sums are held at a time. */
const MOST_SUMS = 2 ** 18;

/** A table's sums of the columns in many swaps: those of all units, and `sign` times what a swap moves. */
function swappedSums(table: UnitSums, all: ColumnSums, columns: readonly number[], sign: 1 | -1) {
  const block = Math.max(1, Math.floor(MOST_SUMS / columns.length));
  const source = {
    sums: new Float64Array(columns.length * block),
    starts: new Int32Array(table.columns.length).fill(-1),
    at: 0,
  };
  for (const [at, column] of columns.entries()) source.starts[column] = at * block;
  const fill = ({ sums, starts }: DrawnSums, from: number, size: number): void => {
    for (const [at, column] of columns.entries())
      for (let draw = 0; draw < size; draw += 1) {
        const moved = starts[at]! < 0 ? 0 : sums[starts[at]! + from + draw]!;
        source.sums[at * block + draw] = all[column]! + sign * moved;
      }
  };
  return { table, source, block, fill };
}

/** Units that have an entry in one of the columns. */
export function unitsOf(columns: readonly UnitColumn[]): number[] {
  const most = columns.reduce((last, { units }) => Math.max(last, units.at(-1) ?? -1), -1);
  const has = new Uint8Array(most + 1);
  for (const { units } of columns) for (let at = 0; at < units.length; at += 1) has[units[at]!] = 1;
  const found: number[] = [];
  for (let unit = 0; unit <= most; unit += 1) if (has[unit] === 1) found.push(unit);
  return found;
}
