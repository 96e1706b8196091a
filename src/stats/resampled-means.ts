import { pairwiseSum } from '../measure/numpy.ts';
import { type Breathe, BREATHS, resamplePlaces } from './resample.ts';
import type { ResampleSettings } from './resample-settings.ts';

/**
 * The means of samples drawn with replacement from each list of values, to the last bit those of numpy's
 * RandomState(seed).choice and mean in a loop. Lists of one length get the same draws, as they would one by one, since the
 * draws depend on seed and length alone; so they are made once for all of them.
 */
export async function resampledMeans(
  lists: readonly Float64Array[],
  settings: Pick<ResampleSettings, 'resamples' | 'seed'>,
  breathe: Breathe = () => undefined,
): Promise<Float64Array[]> {
  const means = lists.map(() => new Float64Array(settings.resamples));
  const byLength = Map.groupBy(lists.keys(), (at) => lists[at]!.length);
  const breath = Math.ceil(settings.resamples / BREATHS);
  let done = 0;
  for (const [length, places] of byLength) {
    const sample = new Float64Array(length);
    let resample = 0;
    for (const drawn of resamplePlaces(length, settings)) {
      for (const place of places) {
        const values = lists[place]!;
        for (let at = 0; at < length; at += 1) sample[at] = values[drawn[at]!]!;
        // From 0, as numpy's sum: nothing but −0 adds up to 0.
        means[place]![resample] = (0 + pairwiseSum(sample)) / length;
      }
      resample += 1;
      if (resample % breath === 0) await breathe((done + resample / settings.resamples) / byLength.size);
    }
    done += 1;
  }
  return means;
}
