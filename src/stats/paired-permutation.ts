import { sumsAt, totals, type UnitColumn, type UnitSums } from '../measure/unit-sums.ts';
import { differenceColumns } from './align-tables.ts';
import { eachDraw } from './draw-sums.ts';
import { ROUNDING } from './interval.ts';
import { differenceBetween, type PairedTest } from './paired-difference.ts';
import { type Breathe, type Draws, swapsDraw } from './resample.ts';
import { type MeasuredPart, valueColumns } from './unit-by-unit.ts';

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
  const [swappedA, swappedB] = [new Float64Array(allA), new Float64Array(allB)];
  const cells = parts.map((part) => {
    const { measure, label } = part;
    const [viewA, viewB] = [sumsAt(a, swappedA, label), sumsAt(b, swappedB, label)];
    const values = (): [number | null, number | null] => [measure.value(viewA).value, measure.value(viewB).value];
    const difference = (): number | null => {
      const [from, to] = values();
      return from === null || to === null ? null : differenceBetween(from, to);
    };
    const observed = difference();
    const size = Math.max(...values().map((value) => Math.abs(value ?? 0)));
    const columns = valueColumns(a, part);
    const units = unitsOf(columns.map((column) => apart[column]!));
    const exact = 2 ** units.length <= resamples;
    const draws = exact ? 2 ** units.length : resamples;
    const bound = Math.abs(observed ?? 0) - ROUNDING * size;
    return { difference, observed, bound, asLarge: 0, columns, units, exact, draws };
  });
  // Exact parts that differ in the same units share their swaps; the others share random ones of every unit.
  const passes = [...Map.groupBy(cells, ({ exact, units }) => (exact ? units.join() : 'random')).values()];
  const work = passes.reduce((sum, pass) => sum + pass[0]!.draws, 0);
  let done = 0;
  for (const pass of passes) {
    const { exact, units, draws } = pass[0]!;
    const columns = [...new Set(pass.flatMap((cell) => cell.columns))];
    await eachDraw(
      a.units.length,
      columns.map((column) => apart[column]!),
      draws,
      // Swap number s swaps the units whose bit is set in s. At random, units that are alike are swapped too: so no
      // measure changes the swaps of another.
      exact ? (times, at) => units.forEach((unit, bit) => (times[unit] = (at >>> bit) & 1)) : swapsDraw(seed),
      ({ sums, starts }, count) => {
        for (let draw = 0; draw < count; draw += 1) {
          for (let at = 0; at < columns.length; at += 1) {
            const column = columns[at]!;
            const moved = starts[at]! < 0 ? 0 : sums[starts[at]! + draw]!;
            swappedA[column] = allA[column]! + moved;
            swappedB[column] = allB[column]! - moved;
          }
          for (const cell of pass) {
            const difference = cell.difference();
            if (difference === null || Math.abs(difference) >= cell.bound) cell.asLarge += 1;
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

/** Units that have an entry in one of the columns. */
export function unitsOf(columns: readonly UnitColumn[]): number[] {
  const found = new Set<number>();
  for (const { units } of columns) for (const unit of units) found.add(unit);
  return [...found].sort((one, other) => one - other);
}
