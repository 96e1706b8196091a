/** Shown instead of a missing number. */
export const NONE = '–';

/** The text of the fewest decimals, of so many and more, that passes a test; null where none does. */
function fewestDecimals(value: number, from: number, to: number, passes: (shown: number) => boolean): string | null {
  for (let digits = from; digits <= to; digits += 1) {
    const text = value.toFixed(digits);
    if (passes(Number(text))) return text;
  }
  return null;
}

/** Whether what is shown claims no 0 and no 1 that the value is not. */
function isFaithful(shown: number, value: number): boolean {
  return shown === value || (shown !== 0 && shown !== 1);
}

/** A number of things: 12345 as 12,345. Halves, from partial credit, keep their fraction. */
export function count(value: number): string {
  const [whole = '', rest] = short(value).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}

/** "1 case", "5 cases". */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A number in three decimals at most: 0.6666 is 0.667. */
export function short(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

/** The same for a value that is under a limit, and must not look as if it reached it: 0.8496 under 0.85 is 0.849. */
export function shortUnder(value: number, limit: number): string {
  return Number(short(value)) >= limit ? String(Math.floor(value * 1000) / 1000) : short(value);
}

/** The digits that say something, also of what is very small, and none that rounding made: 0.1 + 0.2 is 0.3. */
export function significant(value: number, digits = 3): string {
  return String(Number(value.toPrecision(digits)));
}

/** A share in whole per cent that is 0 or 100 only when it is exactly that. */
export function percent(part: number, whole: number): string {
  const hundredths = Math.round((100 * part) / whole);
  if (hundredths === 0 && part > 0) return '<1 %';
  return hundredths === 100 && part < whole ? '>99 %' : `${hundredths} %`;
}

const MOST_DIGITS = 12;

/** A share in per cent with as many decimals as it has, such as the level of an interval: 0.975 is 97.5 %, not 98. */
export function levelText(level: number): string {
  return `${significant(100 * level, MOST_DIGITS)} %`;
}

/** What of a measure decides how its numbers are written: a share ends at 1, and a count has no end. */
interface Ranged {
  readonly range: readonly [number | null, number | null];
}

const SHARE: Ranged = { range: [0, 1] };

/**
 * A measure in about three digits. A share has three decimals, and more only where three would claim a perfect or a zero
 * score that it is not; what has no end has two; what is large has fewer. Example: 0.731, 0.9998, 62,178.
 */
export function figure(value: number, measure: Ranged = SHARE): string {
  return withDecimals(value, decimalsOf(value, measure));
}

/** Two ends with the same number of decimals. */
export function quantities(low: number, high: number, measure: Ranged = SHARE): [string, string] {
  if (isCount(measure, low, high)) return [count(low), count(high)];
  const decimals = Math.min(decimalsOf(low, measure), decimalsOf(high, measure));
  return [withDecimals(low, decimals), withDecimals(high, decimals)];
}

export function isCount({ range }: Ranged, ...values: readonly number[]): boolean {
  return range[1] === null && values.every((value) => Number.isInteger(value));
}

function decimalsOf(value: number, { range }: Ranged): number {
  const size = Math.abs(value);
  if (size >= 10) return size >= 100 ? 0 : 1;
  return range[1] === 1 ? 3 : 2;
}

function withDecimals(value: number, decimals: number): string {
  if (decimals < 3) return decimals === 0 ? count(Math.round(value)) : value.toFixed(decimals);
  const text = fewestDecimals(value, 3, 6, (shown) => isFaithful(shown, value));
  return text ?? (value < 0.5 ? '<0.000001' : value < 1 ? '>0.999999' : value.toFixed(6));
}

/** What differs by less than this differs by the rounding of a subtraction. */
const ROUNDING = 1e-12;

/** A difference with its sign: +0.031, -2e-8. */
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

/** An effect size, in two decimals with its sign. */
export function effectText(value: number | null): string {
  if (value === null) return NONE;
  const text = value.toFixed(2);
  return Number(text) === 0 ? '0.00' : value > 0 ? `+${text}` : text;
}

/**
 * A p value that never claims 0 or 1 and never rounds to the other side of the threshold that decides: at 0.05, 0.00002 is
 * < 0.001 and 0.0496 is 0.0496.
 */
export function pText(p: number | null, alpha: number): string {
  if (p === null) return NONE;
  if (p < 0.001 && p < alpha) return '< 0.001';
  const text = fewestDecimals(p, 3, 15, (shown) => p < alpha === shown < alpha) ?? String(p);
  return Number(text) === 1 && p < 1 ? '> 0.999' : text;
}

/** The same in a sentence: `p < 0.001`, `p = 0.031`. */
export function pSentence(p: number, alpha: number): string {
  const text = pText(p, alpha);
  return /^[<>]/.test(text) ? `p ${text}` : `p = ${text}`;
}

/** A value beside the limit it is judged by: with as many decimals as it takes to be on the same side (0.79996, 0.8). */
export function figureBeside(value: number, limit: number): string {
  const usual = figure(value);
  if (isTelling(Number(usual), value, limit)) return usual;
  return fewestDecimals(value, 4, MOST_DIGITS, (shown) => isTelling(shown, value, limit)) ?? String(value);
}

/** The same for a share, in per cent. */
export function percentBeside(value: number, limit: number): string {
  for (let digits = 2; digits <= MOST_DIGITS; digits += 1) {
    const shown = Number(significant(100 * value, digits));
    if (isTelling(shown / 100, value, limit) && (shown < 100 || value === 1)) return `${shown} %`;
  }
  return `${100 * value} %`;
}

/** The same for a difference, which has a sign, beside a margin on either side. */
export function signedBeside(value: number, margin: number): string {
  const usual = signedFigure(value);
  if ([margin, -margin].every((side) => isTelling(Number(usual), value, side))) return usual;
  return `${value < 0 ? '-' : '+'}${figureBeside(Math.abs(value), margin)}`;
}

function isTelling(shown: number, value: number, limit: number): boolean {
  return Math.sign(shown - limit) === Math.sign(value - limit) || Math.abs(value - limit) < 1e-9;
}

/**
 * How many decimals a column is written with: three; more where three would claim a 0 or a 1 that is none, fewer where
 * the values are large. One number for the whole column, so that differences can be read off it.
 */
export function columnDigits(values: readonly (number | null)[]): number {
  const numbers = values.filter((value) => value !== null);
  if (numbers.some((value) => Math.abs(value) >= 100)) return numbers.every(Number.isInteger) ? 0 : 1;
  return [3, 4, 5].find((digits) => numbers.every((value) => isFaithful(rounded(value, digits), value))) ?? 6;
}

/** The number as shown in a column of so many decimals. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** The difference of two values as they are shown (0.124 to 0.234), so that the changes of a column add up to its whole way. */
export function shownChange(from: number | null, to: number | null, digits: number): string {
  if (from === null || to === null) return from === to ? '' : NONE;
  const change = rounded(rounded(to, digits) - rounded(from, digits), digits);
  return change === 0 ? '0' : `${change > 0 ? '+' : '-'}${Math.abs(change).toFixed(digits)}`;
}

/** An amount of money: cents from 1 on, three digits below it. Example: 1,234.50, 0.0123 USD. */
export function costText(value: number, currency = ''): string {
  const [whole = '', cents = ''] = value.toFixed(2).split('.');
  const small = value < 1e-6 ? '<0.000001' : value.toPrecision(3);
  const amount = value >= 1 ? `${count(Number(whole))}.${cents}` : value === 0 ? '0' : small;
  return `${amount} ${currency}`.trim();
}

/** A stretch of time in its two largest units: 3 min 12 s. */
export function durationText(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return inTwo(whole, 60, 'min', 's');
  const minutes = Math.round(whole / 60);
  return minutes < 24 * 60 ? inTwo(minutes, 60, 'h', 'min') : inTwo(Math.round(minutes / 60), 24, 'd', 'h');
}

function inTwo(small: number, ratio: number, large: string, rest: string): string {
  const over = small % ratio;
  return `${count(Math.floor(small / ratio))} ${large}${over === 0 ? '' : ` ${over} ${rest}`}`;
}

/** How long an answer took: 1.23 s. */
export function latencyText(ms: number): string {
  if (ms < 1) return '<1 ms';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : durationText(ms / 1000);
}
