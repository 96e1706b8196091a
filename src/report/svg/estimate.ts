import { shorten } from '../../data/visible.ts';
import { plural, figure, levelText } from '../../text/figures.ts';
import { singleLine } from './text-width.ts';
import { drawable } from './ticks.ts';

/** A value that is drawn with its interval. */
export interface Estimate {
  readonly value: number | null;
  /** Why there is no value. */
  readonly undefined: string | null;
  /** Cases behind it. */
  readonly n: number;
  readonly interval: {
    readonly low: number;
    readonly high: number;
    readonly level: number;
    readonly method: string;
  } | null;
}

export interface NamedEstimate {
  readonly name: string;
  readonly estimate: Estimate;
}

/** An estimate that has a value, with the interval only if its ends can be drawn. */
export interface DrawnEstimate {
  readonly value: number;
  readonly interval: Estimate['interval'];
}

export function drawn({ value, interval }: Estimate): DrawnEstimate | null {
  if (!drawable(value)) return null;
  const isWhole = interval !== null && [interval.low, interval.high, interval.level].every(drawable);
  return { value, interval: isWhole ? interval : null };
}

/**
 * @example estimateText({ value: 0.5, undefined: null, n: 8, interval: null }) // '0.500, no interval, n = 8'
 */
export function estimateText(estimate: Estimate): string {
  const shown = drawn(estimate);
  if (shown === null) return `no value (${whyNot(estimate)})`;
  const { value, interval } = shown;
  const range = interval === null ? 'no interval' : `${figure(interval.low)} to ${figure(interval.high)}`;
  return `${figure(value)}, ${range}, n = ${estimate.n}`;
}

/** Characters of a reason; the whole of it is in the run. */
const REASON = 80;

function whyNot({ undefined: reason, value }: Estimate): string {
  return shorten(singleLine(reason ?? (value === null ? 'no reason was given' : 'too large to draw')), REASON);
}

/** Below every figure of a stream. */
export const NO_CLAIM = 'No clinical outcome is claimed.';

/** Characters of a name in running text. */
const NAME = 24;

/** What the intervals are, and how many values have none. */
export function intervalNote(estimates: readonly Estimate[]): string {
  const shown = estimates.map(drawn).filter((one) => one !== null);
  const kinds = new Set(
    shown.flatMap(({ interval }) =>
      interval === null ? [] : [`${levelText(interval.level)} (${shorten(singleLine(interval.method), NAME)})`],
    ),
  );
  if (kinds.size === 0) return 'No intervals: the run has none for these values.';
  const without = shown.filter(({ interval }) => interval === null).length;
  const some = without === 0 ? '' : ` ${plural(without, 'value has', 'values have')} none.`;
  return `Bars: interval over cases, ${[...kinds].join(' and ')}.${some}`;
}

/** How many cases are behind the values, for each name if they differ. */
export function casesNote(
  named: readonly { readonly name: string; readonly estimates: readonly Estimate[] }[],
): string {
  const known = named.flatMap(({ name, estimates }) => {
    const all = estimates.filter((one) => drawn(one) !== null).map(({ n }) => n);
    return all.length === 0 ? [] : [{ name, n: rangeOf(all) }];
  });
  if (known.length === 0) return 'n = 0 cases.';
  if (known.every(({ n }) => n === known[0]!.n)) return `n = ${known[0]!.n} cases each.`;
  return `n cases: ${known.map(({ name, n }) => `${shorten(name, NAME)} ${n}`).join(', ')}.`;
}

/**
 * @example rangeOf([8, 5, 8]) // '5 to 8'
 */
export function rangeOf(counts: readonly number[]): string {
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  return low === high ? String(low) : `${low} to ${high}`;
}

const SHOWN = 3;

/** The values that cannot be drawn, with the reason; null: none. */
export function withoutValue(all: readonly NamedEstimate[]): string | null {
  const missing = all.filter(({ estimate }) => drawn(estimate) === null);
  if (missing.length === 0) return null;
  const shown = missing.slice(0, SHOWN).map(({ name, estimate }) => `${shorten(name, 2 * NAME)} (${whyNot(estimate)})`);
  return `${shown.join(', ')}${missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : ''}`;
}

export function missingNote(missing: string | null): string[] {
  return missing === null ? [] : [`Not drawn, no value: ${missing}.`];
}

/** How many of a list a figure has room for. */
export function leftOutNote(total: number, shown: number, what: string): string[] {
  return total > shown ? [`The first ${shown} of ${total} ${what} are drawn.`] : [];
}
