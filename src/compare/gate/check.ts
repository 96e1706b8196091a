import type { Direction } from '../../measure/measure.ts';
import type { Interval, MeasureValue, Slice } from '../../measure/results.ts';
import type { MeasureComparison } from '../comparison.ts';
import type { FloorRule, MarginRule, Rule, ShareRule } from './rules.ts';

export type GateVerdict = 'passed' | 'failed' | 'cannot tell';
/** Skipped: a slice below the minimum, where the rule says `small: skip`. */
export type CheckVerdict = GateVerdict | 'skipped';

/** What a verdict rests on. */
export type Reason =
  | { readonly kind: 'met' }
  /** The two runs are the same on every case. */
  | { readonly kind: 'identical' }
  /** On the wrong side: of the limit, or with the whole interval beyond the margin. */
  | { readonly kind: 'missed' }
  /** The value is right, or not shown to be wrong, but the interval reaches over the line. */
  | { readonly kind: 'unsure'; readonly needed: number | null }
  | { readonly kind: 'no-interval'; readonly why: string }
  | { readonly kind: 'undefined'; readonly why: string }
  | { readonly kind: 'too-few'; readonly of: 'n' | 'cases'; readonly found: number; readonly wanted: number }
  /** The run has no such slice; `near` are the names it has that come near. */
  | { readonly kind: 'absent'; readonly near: readonly string[] }
  /** Of `each`, all slices were skipped. */
  | { readonly kind: 'all-skipped'; readonly slices: number };

/** What the run says about the matter of a rule. */
export interface Found {
  /** A measure's value, a difference from the baseline, or a share of cases; null where there is none. */
  readonly value: number | null;
  readonly interval: Interval | null;
  readonly n: number | null;
  /** Cases, or clusters of them, that have anything to do with it. */
  readonly cases: number | null;
  /** For a margin: the two values that differ. */
  readonly baseline: number | null;
  readonly other: number | null;
  /** For a share: how many of how many. */
  readonly part: number | null;
}

export const NOTHING_FOUND: Found = {
  value: null,
  interval: null,
  n: null,
  cases: null,
  baseline: null,
  other: null,
  part: null,
};

export interface Judged {
  readonly verdict: CheckVerdict;
  readonly reason: Reason;
  readonly found: Found;
}

/** A rule applied to one slice, or to the run as a whole. */
export interface Check extends Judged {
  readonly rule: Rule;
  readonly slice: Slice;
  /** Whether the value is a count, shown without decimals. */
  readonly counts: boolean;
  /** What `found.cases` counts: cases, or groups of them that are not independent. */
  readonly unit: 'case' | 'group';
}

/** Limits are written in decimals and values are sums of fractions: a hair's breadth is rounding, not a verdict. */
const HAIR = 1e-9;

/**
 * A value against a limit, with + for "at least" and all signs turned for "at most":
 * passed if value ≥ limit; with `sure` only if also the interval's low end ≥ limit, else cannot tell; failed if
 * value < limit. Cannot tell without a value, or with less than the minimum.
 *
 * @example atLeast 0.8: 0.79 fails; 0.82 passes; with sure, 0.82 with an interval from 0.78 cannot be told
 */
export function judgeFloor(rule: FloorRule, measured: MeasureValue): Judged {
  const { value, interval, n, units } = measured;
  const found: Found = { ...NOTHING_FOUND, value, interval, n, cases: units };
  const few = tooFew(rule, n, units);
  if (few !== null) return { verdict: 'cannot tell', reason: few, found };
  if (value === null) return withoutValue(measured.undefined, found);
  const turned = rule.side === 'atLeast' ? 1 : -1;
  const over = turned * (value - rule.limit);
  if (over < -HAIR) return { verdict: 'failed', reason: { kind: 'missed' }, found };
  if (!rule.sure) return { verdict: 'passed', reason: { kind: 'met' }, found };
  if (interval === null) return withoutInterval(measured.noInterval, found);
  const near = turned * (turned > 0 ? interval.low : interval.high) - turned * rule.limit;
  if (near >= -HAIR) return { verdict: 'passed', reason: { kind: 'met' }, found };
  const needed = casesNeeded(over, over - near, units);
  return { verdict: 'cannot tell', reason: { kind: 'unsure', needed }, found };
}

/**
 * Non-inferiority by interval (Piaggio et al. 2012, the CONSORT extension): with the difference other − baseline turned so that more
 * is better, passed if the interval's low end ≥ −margin, failed if its high end < −margin, else cannot tell. Two runs
 * that are the same on every case pass: there is nothing that could be worse. Without an interval it cannot tell, except
 * where every resample gave the same loss beyond the margin: that fails.
 *
 * @example margin 0.02: −0.01 to 0.03 passes; −0.06 to −0.03 fails; −0.05 to 0.01 cannot be told
 */
export function judgeMargin(rule: MarginRule, compared: MeasureComparison, n: number | null): Judged {
  const { difference, interval, units, baseline, other, differing } = compared;
  const found: Found = { ...NOTHING_FOUND, value: difference, interval, n, cases: units, baseline, other };
  const few = tooFew(rule, n ?? 0, units);
  if (few !== null) return { verdict: 'cannot tell', reason: few, found };
  if (difference === null) return withoutValue(compared.undefined, found);
  if (differing === 0) return { verdict: 'passed', reason: { kind: 'identical' }, found };
  const turned = compared.direction === 'higher' ? difference : -difference;
  // Equal resamples are no certainty: they may show a loss, but not that there is none.
  if (interval === null)
    return compared.constant && turned < -rule.margin - HAIR
      ? { verdict: 'failed', reason: { kind: 'missed' }, found }
      : withoutInterval(compared.noInterval, found);
  const [low, high] = turnedEnds(interval, compared.direction);
  if (low >= -rule.margin - HAIR) return { verdict: 'passed', reason: { kind: 'met' }, found };
  if (high < -rule.margin - HAIR) return { verdict: 'failed', reason: { kind: 'missed' }, found };
  const over = turned + rule.margin;
  const needed = casesNeeded(over, over >= 0 ? over - rule.margin - low : high - over + rule.margin, units);
  return { verdict: 'cannot tell', reason: { kind: 'unsure', needed }, found };
}

/** part / whole against the largest share allowed; cannot tell where there is no case, or fewer than the minimum. */
export function judgeShare(rule: ShareRule, part: number, whole: number): Judged {
  const found: Found = { ...NOTHING_FOUND, value: whole === 0 ? null : part / whole, cases: whole, part };
  const few = tooFew(rule, 0, whole);
  if (few !== null) return { verdict: 'cannot tell', reason: few, found };
  if (found.value === null) return withoutValue('there is no case that did not fail', found);
  return found.value > rule.limit + HAIR
    ? { verdict: 'failed', reason: { kind: 'missed' }, found }
    : { verdict: 'passed', reason: { kind: 'met' }, found };
}

/**
 * Cases that would settle it if the value stayed as it is: an interval narrows with the root of their number, so
 * units × (reach / over)², where `over` is how far the value is from the line and `reach` how far the interval goes
 * from the value towards it. Null where the value is on the line: no number would do.
 *
 * @example casesNeeded(0.02, 0.04, 50) // 200
 */
export function casesNeeded(over: number, reach: number, units: number): number | null {
  if (Math.abs(over) <= HAIR) return null;
  // Rounded before it is rounded up: the last bits of a subtraction are no case.
  return Math.ceil(Number((units * (reach / over) ** 2).toPrecision(9)));
}

function turnedEnds({ low, high }: { low: number; high: number }, direction: Direction): [number, number] {
  return direction === 'higher' ? [low, high] : [-high, -low];
}

function tooFew({ minimum }: Pick<FloorRule, 'minimum'>, n: number, cases: number): Reason | null {
  if (n < minimum.n) return { kind: 'too-few', of: 'n', found: n, wanted: minimum.n };
  if (cases < minimum.cases) return { kind: 'too-few', of: 'cases', found: cases, wanted: minimum.cases };
  return null;
}

function withoutValue(why: string | null, found: Found): Judged {
  return { verdict: 'cannot tell', reason: { kind: 'undefined', why: why ?? 'no reason is given' }, found };
}

function withoutInterval(why: string | null, found: Found): Judged {
  return { verdict: 'cannot tell', reason: { kind: 'no-interval', why: why ?? 'no reason is given' }, found };
}
