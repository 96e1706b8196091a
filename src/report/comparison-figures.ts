import type { MeasureComparison } from '../compare/comparison.ts';
import { count, figure } from '../text/figures.ts';

export const NONE = '–';

/**
 * A p value that never claims 0 or 1 and never rounds to the other side of the threshold that decides.
 *
 * @example pText(0.00002, 0.05) // '<0.001'
 * @example pText(0.0499, 0.05) // '0.0499'
 */
export function pText(p: number | null, alpha: number, digits = 3): string {
  if (p === null) return NONE;
  const smallest = 10 ** -digits;
  if (p < smallest && p < alpha) return `<${smallest.toFixed(digits)}`;
  for (let more = digits; more <= 15; more += 1) {
    const text = p.toFixed(more);
    if (p < alpha === Number(text) < alpha)
      return Number(text) === 1 && p < 1 ? `>${(1 - smallest).toFixed(digits)}` : text;
  }
  return String(p);
}

/** The same in a sentence: `p < 0.001`, `p = 0.031`. */
export function pSentence(p: number, alpha: number): string {
  const text = pText(p, alpha);
  return /^[<>]/.test(text) ? `p ${text[0]!} ${text.slice(1)}` : `p = ${text}`;
}

/** What differs by less than this differs by the rounding of a subtraction. */
const ROUNDING = 1e-12;

/**
 * A difference with its sign.
 *
 * @example signedFigure(0.0312) // '+0.031'
 * @example signedFigure(-2e-8) // '-2e-8'
 */
export function signedFigure(value: number | null): string {
  if (value === null) return NONE;
  const size = Math.abs(value);
  if (size < ROUNDING) return '0.000';
  return `${value < 0 ? '-' : '+'}${size < 1e-6 ? size.toExponential(0) : figure(size)}`;
}

/** One end of an interval of differences: a minus where it is negative. */
export function endFigure(value: number): string {
  return signedFigure(value).replace('+', '');
}

export function intervalOf({ interval }: MeasureComparison): string {
  return interval === null ? NONE : `${endFigure(interval.low)} to ${endFigure(interval.high)}`;
}

/** An effect size, in two decimals with its sign. */
export function effectText(value: number | null): string {
  if (value === null) return NONE;
  const text = value.toFixed(2);
  return Number(text) === 0 ? '0.00' : value > 0 ? `+${text}` : text;
}

/** Both values of a measure; whole numbers where it counts things. */
export function valuePair({ baseline, other }: Pick<MeasureComparison, 'baseline' | 'other'>): [string, string] {
  const both = [baseline, other].filter((value) => value !== null);
  const counts = both.every(Number.isInteger) && both.some((value) => Math.abs(value) > 1);
  const text = (value: number | null): string => (value === null ? NONE : counts ? count(value) : figure(value));
  return [text(baseline), text(other)];
}
