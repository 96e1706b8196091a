import type { Interval, MeasureValue, Slice, Sureness } from '../../measure/results.ts';
import type { MeasureComparison } from '../comparison.ts';
import type { FloorRule, MarginRule, GateRule, ShareRule } from './rules.ts';

export type GateVerdict = 'passed' | 'failed' | 'inconclusive';
/** Skipped: a slice below the minimum, where the rule has `small: skip`. */
export type CheckVerdict = GateVerdict | 'skipped';

/** What a verdict rests on. */
export type GateReason =
  /** Identical: the two runs are the same on every case. Missed: beyond the limit, or with the whole interval beyond the margin. */
  | { readonly kind: 'met' | 'identical' | 'missed' }
  /** The value is right, or not shown to be wrong, but the interval reaches over the line. */
  | { readonly kind: 'unsure'; readonly needed: number | null }
  | { readonly kind: 'no-interval' | 'undefined'; readonly why: string }
  | { readonly kind: 'too-few'; readonly of: 'n' | 'cases'; readonly found: number; readonly wanted: number }
  /** The run has no such slice; `near` are the names it has that come near. */
  | { readonly kind: 'absent'; readonly near: readonly string[] }
  /** Of `each`, all slices were skipped. */
  | { readonly kind: 'all-skipped'; readonly slices: number };

/**
 * What the run shows about the subject of a rule. `value` is a measure's, a difference from the baseline, or a share of
 * cases; `cases` counts those, or clusters of them, that have anything to do with it; `baseline` and `other` are what
 * differs by a margin, `part` is how many of the cases a share is.
 */
export interface GateFigure extends Readonly<
  Record<'value' | 'n' | 'cases' | 'baseline' | 'other' | 'part', number | null>
> {
  readonly interval: Interval | null;
}

export const NO_FIGURES: GateFigure = {
  value: null,
  interval: null,
  n: null,
  cases: null,
  baseline: null,
  other: null,
  part: null,
};

export interface GateRuling {
  readonly verdict: CheckVerdict;
  readonly reason: GateReason;
  readonly found: GateFigure;
}

/** A rule applied to one slice, or to the run as a whole. */
export interface GateCheck extends GateRuling {
  readonly rule: GateRule;
  readonly slice: Slice;
  /** Whether the value is a count, shown without decimals. */
  readonly counts: boolean;
  /** What `found.cases` counts: cases, or groups of them that are not independent. */
  readonly unit: 'case' | 'group';
}

/** Limits are written in decimals and values are sums of fractions: a hair's breadth is rounding, not a verdict. */
const HAIR = 1e-9;

type Outcome = Omit<GateRuling, 'found'>;

const MET: Outcome = { verdict: 'passed', reason: { kind: 'met' } };
const MISSED: Outcome = { verdict: 'failed', reason: { kind: 'missed' } };

function inconclusive(reason: GateReason): Outcome {
  return { verdict: 'inconclusive', reason };
}

function without(kind: 'no-interval' | 'undefined', why: string | null): Outcome {
  return inconclusive({ kind, why: why ?? 'no reason is given' });
}

/** Inconclusive with less than the minimum, or without a value; else what is decided by it. */
function judged(
  { minimum }: GateRule,
  found: GateFigure,
  why: string | null,
  decide: (value: number) => Outcome,
): GateRuling {
  const few = (['n', 'cases'] as const).find((of) => (found[of] ?? 0) < minimum[of]);
  if (few !== undefined)
    return { ...inconclusive({ kind: 'too-few', of: few, found: found[few] ?? 0, wanted: minimum[few] }), found };
  return { ...(found.value === null ? without('undefined', why) : decide(found.value)), found };
}

/**
 * A value against a limit, with + for "at least" and all signs turned for "at most":
 * passed if value ≥ limit; with `sure` only if also the interval's low end ≥ limit, else inconclusive; failed if
 * value < limit. Inconclusive without a value, or with less than the minimum.
 *
 * @example atLeast 0.8: 0.79 fails; 0.82 passes; with sure, 0.82 with an interval from 0.78 is inconclusive
 */
export function judgeFloor(
  rule: FloorRule,
  measured: MeasureValue,
  { interval, noInterval }: Sureness = measured,
): GateRuling {
  const { value, n, units } = measured;
  return judged(rule, { ...NO_FIGURES, value, interval, n, cases: units }, measured.undefined, (own) => {
    const sign = rule.side === 'atLeast' ? 1 : -1;
    const over = sign * (own - rule.limit);
    if (over < -HAIR) return MISSED;
    if (!rule.sure) return MET;
    if (interval === null) return without('no-interval', noInterval);
    const near = sign * ((sign > 0 ? interval.low : interval.high) - rule.limit);
    return near >= -HAIR ? MET : inconclusive({ kind: 'unsure', needed: casesNeeded(over, over - near, units) });
  });
}

/**
 * Non-inferiority by interval (Piaggio et al. 2012, the CONSORT extension): with the difference other − baseline turned so that more
 * is better, passed if the interval's low end ≥ −margin, failed if its high end < −margin, else inconclusive. Two runs
 * that are the same on every case pass: there is nothing that could be worse. Without an interval it is inconclusive, except
 * where every resample gave the same loss beyond the margin: that fails.
 *
 * @example margin 0.02: −0.01 to 0.03 passes; −0.06 to −0.03 fails; −0.05 to 0.01 is inconclusive
 */
export function judgeMargin(rule: MarginRule, compared: MeasureComparison, n: number | null): GateRuling {
  const { difference, units, baseline, other, differing } = compared;
  const { interval, noInterval } = compared.bounds ?? compared;
  const found: GateFigure = { ...NO_FIGURES, value: difference, interval, n, cases: units, baseline, other };
  return judged(rule, found, compared.undefined, (own) => {
    if (differing === 0) return { verdict: 'passed', reason: { kind: 'identical' } };
    const line = -rule.margin - HAIR;
    const turned = compared.direction === 'higher' ? own : -own;
    // Equal resamples are no certainty: they may show a loss, but not the absence of one.
    if (interval === null) return compared.constant && turned < line ? MISSED : without('no-interval', noInterval);
    const [low, high] =
      compared.direction === 'higher' ? [interval.low, interval.high] : [-interval.high, -interval.low];
    if (low >= line) return MET;
    if (high < line) return MISSED;
    const over = turned + rule.margin;
    return inconclusive({ kind: 'unsure', needed: casesNeeded(over, over >= 0 ? turned - low : high - turned, units) });
  });
}

/** part / whole against the largest share allowed; inconclusive if there is no case, or fewer than the minimum. */
export function judgeShare(rule: ShareRule, part: number, whole: number): GateRuling {
  const found: GateFigure = { ...NO_FIGURES, value: whole === 0 ? null : part / whole, cases: whole, part };
  return judged(rule, found, 'there is no case that did not fail', (own) => (own > rule.limit + HAIR ? MISSED : MET));
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
