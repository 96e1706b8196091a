import { NOT_ASKED_FOR } from '../measure/measure.ts';
import type { MeasureValue } from '../measure/results.ts';
import { count, figure, isCount, NONE } from '../text/figures.ts';

/** The ends of an interval. */
interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * An interval the way every report writes it.
 *
 * @example rangeText({ low: 0.7, high: 0.76 }) // '0.700 to 0.760'
 * @example rangeText(null) // '–'
 */
export function rangeText(range: Range | null | undefined, end: (value: number) => string = figure): string {
  return range == null ? NONE : `${end(range.low)} to ${end(range.high)}`;
}

/** The interval of a measure: whole numbers if it counts things. */
export function intervalText({
  interval,
  range = [0, 1],
}: Pick<MeasureValue, 'interval'> & Partial<Pick<MeasureValue, 'range'>>): string {
  const counts = interval !== null && isCount({ range }, interval.low, interval.high);
  return rangeText(interval, counts ? count : figure);
}

export function figureOrNone(value: number | null | undefined): string {
  return value == null ? NONE : figure(value);
}

/** The name of a measure with its symbol, if it has one: `compression_ratio (M1)`. */
export function nameText({ name, symbol }: Pick<MeasureValue, 'name' | 'symbol'>): string {
  return symbol === undefined ? name : `${name} (${symbol})`;
}

/** Why a value has no interval although intervals were asked for. */
export function whyNone({ value, noInterval }: MeasureValue): string | null {
  return value === null || noInterval === NOT_ASKED_FOR ? null : noInterval;
}

/** Remarks with the names they hold for, each remark once: `f1, recall: no interval: one case only`. */
export function sharedRemarks(remarks: readonly { readonly name: string; readonly text: string }[]): string[] {
  return [...Map.groupBy(remarks, ({ text }) => text)].map(
    ([text, own]) => `${[...new Set(own.map(({ name }) => name))].join(', ')}: ${text}`,
  );
}

export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
