import type { Sureness } from '../../measure/results.ts';
import { FEW_UNITS, intervalFrom, none, ROUNDING, UNDEFINED_SHARE } from '../interval.ts';
import type { ResampleSettings } from '../resample-settings.ts';
import { ResampledValues, resampleTimes } from '../resample.ts';
import { sumOf } from './tallies.ts';

/** What two people, or one and the rest, come to in one unit: a case or a document. */
export interface PairEntry {
  readonly unit: number;
  /** Which two they are. */
  readonly pair: number;
  readonly sums: readonly number[];
}

/**
 * The sums of each pair over all units, each unit as often as it was drawn: those of pair p begin at p · width. The list is
 * used again.
 */
export function pairSums(entries: readonly PairEntry[], pairs: number, width: number) {
  const unitOf = Int32Array.from(entries, ({ unit }) => unit);
  const rowOf = Int32Array.from(entries, ({ pair }) => width * pair);
  const parts = Float64Array.from(entries.flatMap(({ sums }) => sums));
  const all = new Float64Array(width * pairs);
  return (times: Float64Array): Float64Array => {
    all.fill(0);
    for (let at = 0; at < unitOf.length; at += 1) {
      const weight = times[unitOf[at]!]!;
      if (weight === 0) continue;
      const [own, from] = [rowOf[at]!, width * at];
      for (let sum = 0; sum < width; sum += 1) all[own + sum]! += weight * parts[from + sum]!;
    }
    return all;
  };
}

/**
 * Draws as many items as there are, with replacement, again and again (Efron 1979), and hands on how often each pattern
 * came up. `valuesOf` writes its values into the list it is given, NaN if undefined; it is given the lists again
 * for each resample and must not keep them. Of the `made` values the first `columns` are kept.
 */
export function resamplePatterns(
  times: Float64Array,
  columns: number,
  settings: ResampleSettings,
  valuesOf: (times: Float64Array, into: Float64Array) => void,
  made = new Float64Array(columns),
): ResampledValues[] {
  const drawn = new Float64Array(times.length);
  const found = Array.from({ length: columns }, () => new ResampledValues(settings.resamples));
  // Items of one pattern stand beside each other.
  for (const items of resampleTimes(sumOf(times), settings)) {
    for (let pattern = 0, item = 0; pattern < times.length; pattern += 1) {
      let sum = 0;
      for (const end = item + times[pattern]!; item < end; item += 1) sum += items[item]!;
      drawn[pattern] = sum;
    }
    valuesOf(drawn, made);
    for (let column = 0; column < columns; column += 1) found[column]!.add(made[column]!);
  }
  return found;
}

/** An interval with what to mind about it. */
export interface NotedSureness extends Sureness {
  readonly notes: readonly string[];
}

/**
 * The interval of a value from resamples of the items: the middle `level` of what they give (percentile; Efron 1979).
 * None from one item, from resamples that all give the same, or where more than one in twenty have no value.
 */
export function surenessOf(
  times: Float64Array,
  value: number | null,
  settings: ResampleSettings,
  valueOf: (times: Float64Array) => number | null,
  item: string,
): NotedSureness {
  const n = sumOf(times);
  if (value === null) return { ...none('there is no value'), notes: [] };
  if (n < 2) return { ...none(`there is one ${item} only: nothing to resample`), notes: [] };
  const [resampled] = resamplePatterns(times, 1, settings, (drawn, into) => {
    into[0] = valueOf(drawn) ?? NaN;
  });
  return surenessFrom(resampled!, value, settings.level, { n, item });
}

/** The same from resamples that were drawn already. */
export function surenessFrom(
  resampled: ResampledValues,
  value: number,
  level: number,
  { n, item }: { readonly n: number; readonly item: string },
): NotedSureness {
  const drawn = resampled.values.length + resampled.undefined;
  const share = `${resampled.undefined} of ${drawn} resamples`;
  if (resampled.undefined > UNDEFINED_SHARE * drawn)
    return { ...none(`it is undefined in ${share}: the ${item}s are too few or too much alike`), notes: [] };
  const found = intervalFrom(resampled, value, level, 'percentile', () => []);
  if (found.interval === null) return { ...found, notes: [] };
  const { low, high } = found.interval;
  const notes: string[] = [];
  if (value < low - ROUNDING || value > high + ROUNDING)
    notes.push(
      `a coefficient lies outside its own interval: ${item}s drawn twice shift it where categories are many and rare, so that interval does not say how sure it is`,
    );
  if (resampled.undefined > 0) notes.push(`the coefficient is undefined in ${share}; the interval is of the others`);
  if (n < FEW_UNITS)
    notes.push(`the interval is from ${n} ${item}s: with fewer than ${FEW_UNITS} it is likely too narrow`);
  return { ...found, notes };
}
