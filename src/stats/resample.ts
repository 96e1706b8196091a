import { pairwiseSum } from '../measure/numpy.ts';
import { MersenneTwister } from './mersenne-twister.ts';
import type { ResampleSettings } from './resample-settings.ts';

/** Told up to 200 times how much of the work is done; may wait, so that an interrupt is heard. */
export type Breathe = (share: number) => Promise<void> | void;
const BREATHS = 200;

export type Draws = Pick<ResampleSettings, 'resamples' | 'seed'>;
/** How often a draw holds each unit. */
export type DrawTimes = Float64Array | Int16Array;
/** Writes one draw into a sample that was used before; `at` is its number. */
export type Draw<Sample> = (into: Sample, at: number) => void;

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
export function timesDraw(units: number, seed: number): Draw<DrawTimes> {
  const random = new MersenneTwister(seed);
  return (times) => {
    times.fill(0);
    random.resample(times, units);
  };
}

/** A 1 for each unit that is swapped and a 0 for the others, at random; each number drawn gives 32 of them. */
export function swapsDraw(seed: number): Draw<DrawTimes> {
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

  constructor(resamples: number) {
    this.#all = new Float64Array(resamples);
  }

  /** NaN is no value. */
  add(value: number | null): void {
    if (value === null || Number.isNaN(value)) this.undefined += 1;
    else this.#all[this.#defined++] = value;
  }

  addAll(values: Float64Array): void {
    const all = this.#all;
    const from = this.#defined;
    let next = from;
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at]!;
      all[next] = value;
      if (!Number.isNaN(value)) next += 1;
    }
    this.#defined = next;
    this.undefined += values.length - (next - from);
  }

  get values(): Float64Array {
    return this.#all.subarray(0, this.#defined);
  }
}

/** Reports how many draws are done: at most 200 times, the last time at the end. */
export function tellProgress(draws: number, breathe: Breathe = () => undefined): (done: number) => Promise<void> {
  let breaths = 0;
  return async (done) => {
    const due = Math.floor((done / draws) * BREATHS);
    if (due <= breaths && done < draws) return;
    breaths = due;
    await breathe(done / draws);
  };
}

/**
 * The means of samples drawn with replacement from each list of values, to the last bit those of numpy's
 * RandomState(seed).choice and mean in a loop. Lists of one length get the same draws, as they would one by one, since the
 * draws depend on seed and length alone; so they are made once for all of them.
 */
export async function resampledMeans(
  lists: readonly Float64Array[],
  settings: Draws,
  breathe?: Breathe,
): Promise<Float64Array[]> {
  const means = lists.map(() => new Float64Array(settings.resamples));
  const byLength = Map.groupBy(lists.keys(), (at) => lists[at]!.length);
  const tell = tellProgress(settings.resamples * byLength.size, breathe);
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
      await tell(done + drawn);
    }
    done += drawn;
  }
  return means;
}
