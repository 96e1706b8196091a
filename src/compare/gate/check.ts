import type { Interval, Slice } from '../../measure/results.ts';
import type { Rule } from './rules.ts';

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
