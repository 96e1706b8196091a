import type { Axis } from '../../along.ts';
import type { MeasureValue } from '../../../../src/measure/results.ts';
import { NOT_ASKED_FOR } from '../../../../src/measure/measure.ts';
import { count, figure, isCount, levelText, quantities } from '../../../../src/text/figures.ts';

/** A value as it is written; a dash if it is null. */
export function valueText(measure: Pick<MeasureValue, 'value' | 'range'>): string {
  const { value } = measure;
  if (value === null) return '–';
  return isCount(measure, value) ? count(value) : figure(value, measure);
}

/** Both ends; null where there is no interval. */
export function intervalText(measure: Pick<MeasureValue, 'interval' | 'range'>): string | null {
  if (measure.interval === null) return null;
  const [low, high] = quantities(measure.interval.low, measure.interval.high, measure);
  return `${low} to ${high}`;
}

/** What a reader has to know about a value besides its number: why it or its interval is absent, what was left out. */
export function remarks(measure: MeasureValue): readonly string[] {
  const { value, noInterval, note } = measure;
  if (value === null) return [`undefined: ${measure.undefined ?? 'no reason given'}`, ...(note === null ? [] : [note])];
  const bare = measure.interval === null && noInterval !== null && noInterval !== NOT_ASKED_FOR;
  return [...(note === null ? [] : [note]), ...(bare ? [`no interval: ${noInterval}`] : [])];
}

/** The axis that shares have in common. */
export const SHARES: Axis = [0, 1];
export const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

/** Whether it can stand on the axis from 0 to 1 with the others. */
export function isShare({ range }: Pick<MeasureValue, 'range'>): boolean {
  return range[0] === 0 && range[1] === 1;
}

/** The level that the intervals have; null where there are none. */
export function levelOf(measures: readonly MeasureValue[]): string | null {
  const level = measures.find(({ interval }) => interval !== null)?.interval?.level;
  return level === undefined ? null : levelText(level);
}
