import type { Measure } from '../measure/measure.ts';
import { pairwiseSum } from '../measure/numpy.ts';
import type { ColumnSums, UnitColumn } from '../measure/unit-sums.ts';
import { MersenneTwister } from './mersenne-twister.ts';
import type { ResampleSettings } from './resample-settings.ts';

/** Told up to 200 times how much of the work is done; may wait, so that an interrupt is heard. */
export type Breathe = (share: number) => Promise<void> | void;
const BREATHS = 200;
/** Draws that are added up in one pass. */
const TOGETHER = 4;

export type Draws = Pick<ResampleSettings, 'resamples' | 'seed'>;
/** Writes one draw into a sample that was used before; `at` is its number. */
type Draw<Sample> = (into: Sample, at: number) => void;

/** The loop in which everything is drawn again and again. The sample is used again. */
export function* resample<Sample>(resamples: number, sample: Sample, draw: Draw<Sample>): Generator<Sample> {
  for (let at = 0; at < resamples; at += 1) {
    draw(sample, at);
    yield sample;
  }
}

/** How often each draw holds each unit: as many units as there are, with replacement (Efron 1979). */
export function resampleTimes(units: number, { resamples, seed }: Draws): Generator<Float64Array> {
  return resample(resamples, new Float64Array(units), timesDraw(units, seed));
}

/** The same draws as the places of the units, in the order in which numpy's RandomState(seed).choice draws them. */
export function resamplePlaces(units: number, { resamples, seed }: Draws): Generator<Int32Array> {
  const random = new MersenneTwister(seed);
  return resample(resamples, new Int32Array(units), (places) => {
    for (let at = 0; at < units; at += 1) places[at] = random.below(units);
  });
}

/** How often a draw holds each unit. */
export function timesDraw(units: number, seed: number): Draw<Float64Array> {
  const random = new MersenneTwister(seed);
  return (times) => {
    times.fill(0);
    random.resample(times, units);
  };
}

/** A 1 for each unit that is swapped and a 0 for the others, at random; each number drawn gives 32 of them. */
export function swapsDraw(seed: number): Draw<Float64Array> {
  const random = new MersenneTwister(seed);
  return (times) => {
    let bits = 0;
    for (let at = 0; at < times.length; at += 1) {
      bits = at % 32 === 0 ? random.uint32() : bits >>> 1;
      times[at] = bits & 1;
    }
  };
}

/** The values that resamples gave one number; those that gave none are counted. */
export class ResampledValues {
  readonly #all: Float64Array;
  #defined = 0;
  /** How many gave none. */
  undefined = 0;
  /** Why some have none; the default reason if not set. */
  readonly why: string | undefined;

  constructor(resamples: number, measure?: Pick<Measure, 'overLabels'>) {
    this.#all = new Float64Array(resamples);
    this.why = measure?.overLabels === true ? 'a label of the mean is in too few cases' : undefined;
  }

  /** NaN is no value. */
  add(value: number | null): void {
    if (value === null || Number.isNaN(value)) this.undefined += 1;
    else this.#all[this.#defined++] = value;
  }

  get values(): Float64Array {
    return this.#all.subarray(0, this.#defined);
  }
}

/**
 * The sums of the columns with each unit taken as many times as `draw` sets, again and again; a draw is shared by all
 * columns. `sums` is used again; so is `times`, which may hold what any earlier draw wrote: a draw writes all units that it
 * ever writes.
 */
export async function eachDraw(
  units: number,
  columns: readonly UnitColumn[],
  draws: number,
  draw: Draw<Float64Array>,
  visit: (sums: ColumnSums) => void,
  breathe: Breathe = () => undefined,
): Promise<void> {
  const { filled, places } = distinct(columns);
  const together = Array.from({ length: TOGETHER }, () => new Float64Array(filled.length));
  const sums = new Float64Array(columns.length);
  const breath = Math.ceil(draws / BREATHS);
  const sample = Array.from({ length: TOGETHER }, () => new Float64Array(units));
  let done = 0;
  const passes = resample(Math.ceil(draws / TOGETHER), sample, (into, pass) => {
    const first = pass * TOGETHER;
    for (let at = first; at < Math.min(first + TOGETHER, draws); at += 1) draw(into[at - first]!, at);
  });
  for (const times of passes) {
    addUp(filled, times, together);
    for (const own of together.slice(0, draws - done)) {
      for (let column = 0; column < places.length; column += 1)
        sums[column] = places[column]! < 0 ? 0 : own[places[column]!]!;
      visit(sums);
      done += 1;
      if (done % breath === 0) await breathe(done / draws);
    }
  }
}

/**
 * The columns that have to be added up, and which of them each column is equal to; -1 for an empty one. With thousands of
 * labels most are empty, and measures over the same cases count them alike.
 */
function distinct(columns: readonly UnitColumn[]): { readonly filled: UnitColumn[]; readonly places: Int32Array } {
  const filled: UnitColumn[] = [];
  const alike = new Map<string, number[]>();
  const same = (one: UnitColumn, other: UnitColumn): boolean =>
    one.units.length === other.units.length &&
    one.units.every((unit, at) => unit === other.units[at] && Object.is(one.values[at], other.values[at]));
  const places = Int32Array.from(columns, (column) => {
    if (column.units.length === 0) return -1;
    const { units, values } = column;
    const key = [units.length, units[0], units.at(-1), values.reduce((sum, value) => sum + value)].join();
    const known = alike.get(key) ?? [];
    const place = known.find((at) => same(filled[at]!, column));
    if (place !== undefined) return place;
    alike.set(key, [...known, filled.length]);
    return filled.push(column) - 1;
  });
  return { filled, places };
}

/** The weighted sums of each column for four draws in one pass: four sums that do not wait for each other. */
function addUp(columns: readonly UnitColumn[], times: readonly Float64Array[], sums: readonly Float64Array[]): void {
  const [t0, t1, t2, t3] = [times[0]!, times[1]!, times[2]!, times[3]!];
  const [s0, s1, s2, s3] = [sums[0]!, sums[1]!, sums[2]!, sums[3]!];
  for (let column = 0; column < columns.length; column += 1) {
    const { units, values } = columns[column]!;
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let at = 0; at < units.length; at += 1) {
      const unit = units[at]!;
      const value = values[at]!;
      a += t0[unit]! * value;
      b += t1[unit]! * value;
      c += t2[unit]! * value;
      d += t3[unit]! * value;
    }
    s0[column] = a;
    s1[column] = b;
    s2[column] = c;
    s3[column] = d;
  }
}

/**
 * The means of samples drawn with replacement from each list of values, to the last bit those of numpy's
 * RandomState(seed).choice and mean in a loop. Lists of one length get the same draws, as they would one by one, since the
 * draws depend on seed and length alone; so they are made once for all of them.
 */
export async function resampledMeans(
  lists: readonly Float64Array[],
  settings: Draws,
  breathe: Breathe = () => undefined,
): Promise<Float64Array[]> {
  const means = lists.map(() => new Float64Array(settings.resamples));
  const byLength = Map.groupBy(lists.keys(), (at) => lists[at]!.length);
  const breath = Math.ceil(settings.resamples / BREATHS);
  let done = 0;
  for (const [length, places] of byLength) {
    const sample = new Float64Array(length);
    let drawn = 0;
    for (const chosen of resamplePlaces(length, settings)) {
      for (const place of places) {
        const values = lists[place]!;
        for (let at = 0; at < length; at += 1) sample[at] = values[chosen[at]!]!;
        // From 0, as numpy's sum: nothing but −0 adds up to 0.
        means[place]![drawn] = (0 + pairwiseSum(sample)) / length;
      }
      drawn += 1;
      if (drawn % breath === 0) await breathe((done + drawn / settings.resamples) / byLength.size);
    }
    done += 1;
  }
  return means;
}
