import { PAIRED_KINDS } from '../data/item.ts';
import type { Measure } from '../measure/measure.ts';
import type { MeasureValue } from '../measure/results.ts';
import type { Run } from '../score/run.ts';
import { primaryNames } from './recipe-parts.ts';

/** What precision, recall and F1 are made of, weights included; hits are worth less where a scheme gives partial credit. */
export type PlainCounts = Readonly<Record<'hits' | 'worth' | 'missed' | 'spurious', number>>;

/** P = worth / (hits + spurious), R = worth / (hits + missed), F1 their harmonic mean; null where there is nothing below. */
export function plainScore({
  hits,
  worth,
  missed,
  spurious,
}: PlainCounts): Record<'precision' | 'recall' | 'f1', number | null> {
  const all = hits + spurious + (hits + missed);
  return {
    precision: hits + spurious > 0 ? worth / (hits + spurious) : null,
    recall: hits + missed > 0 ? worth / (hits + missed) : null,
    f1: all > 0 ? (2 * worth) / all : null,
  };
}

/** Whether items of a kind are paired with gold; the others tell what a system did. */
export function isPaired(kind: string): boolean {
  return PAIRED_KINDS.some((known) => known === kind);
}

/** The values of a run without a slice. */
export function overallValues(run: Run): MeasureValue[] {
  return run.measures.measures.filter(({ slice }) => Object.keys(slice).length === 0);
}

/** Half of what an interval covers: how far the value may be off; null where there is no interval. */
export function halfWidth({ interval }: Pick<MeasureValue, 'interval'>): number | null {
  return interval === null ? null : (interval.high - interval.low) / 2;
}

/** The measures that come first: those that the recipe names, else its first F1, else its first measure. */
export function primaryMeasures(
  measures: readonly Measure[],
  recipe: Readonly<Record<string, unknown>>,
): readonly Measure[] {
  const named = primaryNames(recipe).flatMap((name) => measures.find((measure) => measure.name === name) ?? []);
  if (named.length > 0) return named;
  const first =
    measures.find(({ name }) => name === 'f1') ?? measures.find(({ name }) => name.endsWith('_f1')) ?? measures[0];
  return first === undefined ? [] : [first];
}
