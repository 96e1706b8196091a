import { figure, significant } from '../../text/figures.ts';
import type { MeasureSpread } from './measure-spread.ts';

/** In a sentence or two: whether a difference between two systems of the size of the spread between runs means anything. */
export function meaningOf(measures: readonly MeasureSpread[]): string | null {
  const main = mainMeasure(measures);
  if (main === null) return null;
  const { name, runs, limit, range } = main;
  const { n, mean, min, max, sd } = runs;
  if (mean === null || min === null || max === null || sd === null)
    return `${name} has a value in fewer than two runs, so these runs say nothing about how far it moves by itself.`;
  if (limit.value === null)
    return `${name} is ${figure(mean)} in ${n === 2 ? 'both' : `all ${n}`} runs: running again moved it by nothing here. How far it would move on other cases these runs cannot say.`;
  const moved = `Run again, the same system has another ${name}: from ${figure(min)} to ${figure(max)} over ${n} runs (sd ${significant(sd)}).`;
  if (isWider(limit.value, range))
    return `${moved} ${n} runs are too few to say which difference between two systems would mean something.`;
  return `${moved} Two systems, each run once, whose ${name} differs by less than ${significant(limit.value)} differ no more than two runs of this one do, 95 times in 100: such a difference means nothing by itself.`;
}

/** Whether a limit says nothing, because no two values of the measure can be that far apart. */
export function isWider(limit: number | null, [low, high]: MeasureSpread['range']): boolean {
  return limit !== null && low !== null && high !== null && limit >= high - low;
}

/** The measure a reader looks at first. */
export function mainMeasure(measures: readonly MeasureSpread[]): MeasureSpread | null {
  return (
    measures.find(({ name }) => name === 'f1') ??
    measures.find(({ name }) => name === 'overall_quality') ??
    measures.find(({ name }) => name.endsWith('_f1')) ??
    measures[0] ??
    null
  );
}
