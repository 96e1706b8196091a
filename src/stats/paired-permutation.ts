import { EMPTY_COLUMN, sumsAt, totals, type UnitColumn, type UnitSums } from '../measure/unit-sums.ts';
import { differenceColumns } from './align-tables.ts';
import { type Breathe, eachDraw } from './each-resample.ts';
import { MersenneTwister } from './mersenne-twister.ts';
import { ROUNDING } from './interval.ts';
import { differenceBetween, type MeasuredPart, type PairedTest } from './paired-difference.ts';
import type { ResampleSettings } from './resample-settings.ts';
import { columnsOf, valueColumns } from './unit-by-unit.ts';

export interface PermutedDifference extends PairedTest {
  /** Units in which the two systems' counts are not the same. */
  readonly differing: number;
}

/**
 * Is the difference b − a larger than chance would make it? If the systems were alike, swapping their answers to a unit
 * would change nothing: so the answers are swapped unit by unit and each measure is worked out anew. p = the share of
 * swaps whose difference is as large or larger, either way. All 2ᵏ swaps of the k units that differ where that is no
 * more than `resamples`; else so many random ones, and p = (1 + as large) / (1 + resamples), which keeps the test valid.
 * A swap that leaves a measure undefined counts as large. The tables must be aligned.
 *
 * It asks whether the systems are alike in all that the measure counts. Where they differ in how much they say, it can
 * reject although the ratio is the same, so a verdict also asks for an interval that leaves out 0.
 * Fisher 1935; for F1 and its like Noreen 1989 and Yeh 2000; the + 1: Phipson and Smyth 2010.
 */
export async function pairedPermutation(
  a: UnitSums,
  b: UnitSums,
  parts: readonly MeasuredPart[],
  settings: Pick<ResampleSettings, 'resamples' | 'seed'>,
  breathe?: Breathe,
): Promise<PermutedDifference[]> {
  const wanted = new Set(parts.flatMap(({ measure, label }) => valueColumns(a, measure, label)));
  const columns = differenceColumns(a, b).map((column, at) => (wanted.has(at) ? column : EMPTY_COLUMN));
  const units = unitsOf(columns);
  const exact = 2 ** units.length <= settings.resamples;
  const draws = exact ? 2 ** units.length : settings.resamples;

  const [allA, allB] = [totals(a), totals(b)];
  const [swappedA, swappedB] = [new Float64Array(allA), new Float64Array(allB)];
  const cells = parts.map(({ measure, label }) => {
    const [viewA, viewB] = [sumsAt(a, swappedA, label), sumsAt(b, swappedB, label)];
    const difference = (): number | null => {
      const [from, to] = [measure.value(viewA).value, measure.value(viewB).value];
      return from === null || to === null ? null : differenceBetween(from, to);
    };
    const observed = difference();
    const size = Math.max(Math.abs(measure.value(viewA).value ?? 0), Math.abs(measure.value(viewB).value ?? 0));
    return { difference, observed, bound: Math.abs(observed ?? 0) - ROUNDING * size, asLarge: 0 };
  });
  await eachDraw(
    a.units.length,
    columns,
    draws,
    exact ? everySwap(units) : randomSwaps(units, settings.seed),
    (moved) => {
      for (let at = 0; at < moved.length; at += 1) {
        swappedA[at] = allA[at]! + moved[at]!;
        swappedB[at] = allB[at]! - moved[at]!;
      }
      for (const cell of cells) {
        const difference = cell.difference();
        if (difference === null || Math.abs(difference) >= cell.bound) cell.asLarge += 1;
      }
    },
    breathe,
  );
  return cells.map(({ observed, asLarge }, at) => {
    const { measure, label } = parts[at]!;
    const differing = unitsOf(columnsOf(a, measure, label).map((column) => columns[column]!)).length;
    if (observed === null)
      return {
        pValue: null,
        undefined: 'there is no difference to test',
        method: 'none',
        statistic: null,
        n: 0,
        differing,
      };
    return {
      pValue: exact ? asLarge / draws : (1 + asLarge) / (1 + draws),
      undefined: null,
      method: exact || differing === 0 ? 'exact' : 'resampled',
      statistic: observed,
      n: a.units.length,
      differing,
    };
  });
}

/** Units that have an entry in one of the columns. */
export function unitsOf(columns: readonly UnitColumn[]): number[] {
  const found = new Set<number>();
  for (const { units } of columns) for (const unit of units) found.add(unit);
  return [...found].sort((one, other) => one - other);
}

/** Every way to swap some of the units: swap number s swaps those whose bit is set in s. */
function everySwap(units: readonly number[]): (times: Float64Array, at: number) => void {
  return (times, at) => {
    for (let bit = 0; bit < units.length; bit += 1) times[units[bit]!] = (at >>> bit) & 1;
  };
}

/** Each number drawn gives 32 swaps. */
function randomSwaps(units: readonly number[], seed: number): (times: Float64Array) => void {
  const random = new MersenneTwister(seed);
  return (times) => {
    let bits = 0;
    for (let at = 0; at < units.length; at += 1) {
      bits = at % 32 === 0 ? random.uint32() : bits >>> 1;
      times[units[at]!] = bits & 1;
    }
  };
}
