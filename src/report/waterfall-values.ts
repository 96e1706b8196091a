import type { Waterfall, WaterfallStep } from '../compare/waterfall/waterfall.ts';

const FEWEST = 3;
const MOST = 6;

/**
 * How many decimals a column is written with: three; more where three would claim a 0 or a 1 that is none, fewer where
 * the values are large. One number for the whole column, so that differences can be read off it.
 *
 * @example columnDigits([0.73077, 0.5]) // 3
 * @example columnDigits([0.99984, 0.5]) // 4
 */
export function columnDigits(values: readonly (number | null)[]): number {
  const given = values.filter((value) => value !== null);
  const largest = given.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest >= 100) return given.every(Number.isInteger) ? 0 : 1;
  for (let digits = FEWEST; digits < MOST; digits += 1)
    if (given.every((value) => isFaithful(value, digits))) return digits;
  return MOST;
}

function isFaithful(value: number, digits: number): boolean {
  const shown = Number(value.toFixed(digits));
  return (shown !== 0 && shown !== 1) || shown === value;
}

/** A value of a column; `–` where there is none. */
export function shownValue(value: number | null, digits: number): string {
  return value === null ? '–' : value.toFixed(digits);
}

/**
 * The difference of two values as they are shown, so that the changes of a column add up to its whole way.
 *
 * @example shownChange(0.1235, 0.2344, 3) // '+0.110': 0.124 to 0.234
 */
export function shownChange(from: number | null, to: number | null, digits: number): string {
  if (from === null || to === null) return from === to ? '' : '–';
  const change = Number((unrounded(to, digits) - unrounded(from, digits)).toFixed(digits));
  if (change === 0) return '0';
  return `${change > 0 ? '+' : '-'}${Math.abs(change).toFixed(digits)}`;
}

/** The number that stands in the column. */
export function unrounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** The values of one measure down the steps, the start first. */
export function valuesOf(steps: readonly WaterfallStep[], measure: string): (number | null)[] {
  return steps.map(({ measures }) => (Object.hasOwn(measures, measure) ? (measures[measure] ?? null) : null));
}

/** A rule that was taken away or put in, as the recipe has it; what it says is in the data of the user: escape it. */
export function stepName({ path }: WaterfallStep): string {
  return path === 'strict' ? 'strict matching' : path;
}

/** Who must be told what the strict start still does. */
export function keptSentence({ kept }: Waterfall): string {
  if (kept.length === 0) return '';
  return `Strict matching keeps ${kept.join(', ')}: without ${kept.length === 1 ? 'it' : 'them'} there is nothing to score.`;
}
