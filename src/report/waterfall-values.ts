import type { Waterfall, WaterfallStep } from '../compare/waterfall/waterfall.ts';
import { NONE } from '../text/figures.ts';

/** A value of a column; `–` where there is none. */
export function shownValue(value: number | null, digits: number): string {
  return value === null ? NONE : value.toFixed(digits);
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
