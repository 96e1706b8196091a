import { UsageError } from '../data/problems.ts';

/** How resamples are drawn. */
export interface ResampleSettings {
  readonly resamples: number;
  readonly level: number;
  readonly seed: number;
}

export const USUAL_RESAMPLES: ResampleSettings = { resamples: 10_000, level: 0.95, seed: 42 };
export const MOST_RESAMPLES = 10_000_000;

/** The settings with the defaults filled in; impossible ones are refused. */
export function resampleSettings(given: Partial<Record<keyof ResampleSettings, number | undefined>>): ResampleSettings {
  const { resamples = USUAL_RESAMPLES.resamples, level = USUAL_RESAMPLES.level, seed = USUAL_RESAMPLES.seed } = given;
  if (!Number.isInteger(resamples) || resamples < 1 || resamples > MOST_RESAMPLES)
    throw new UsageError(`resamples ${resamples}: expected a whole number from 1 to ${MOST_RESAMPLES}`);
  if (!(level > 0 && level < 1))
    throw new UsageError(`level ${level}: expected a number between 0 and 1`, 'such as 0.95');
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff)
    throw new UsageError(`seed ${seed}: expected a whole number from 0 to 4294967295`);
  return { resamples, level, seed };
}
