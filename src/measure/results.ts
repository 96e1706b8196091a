import type { VerdictKind } from '../judge/verdict.ts';
import type { CaseSpread } from './case-spread.ts';
import type { Direction } from './measure.ts';

export type Slice = Readonly<Record<string, string>>;

/** One measure of one slice, as measures.json holds it. */
export interface MeasureValue {
  readonly name: string;
  /** Empty: overall. */
  readonly slice: Slice;
  readonly value: number | null;
  readonly undefined: string | null;
  readonly n: number;
  readonly interval: {
    readonly low: number;
    readonly high: number;
    readonly level: number;
    readonly method: string;
  } | null;
  readonly direction: Direction;
  readonly range: readonly [number, number | null];
  readonly note: string | null;
  /** How the measure spreads over cases; only for overall values. */
  readonly cases: CaseSpread | null;
}

export type Counts = Readonly<Record<VerdictKind, number>>;

/** What one case adds up to, as cases.jsonl holds it. */
export interface CaseResult {
  readonly case: string;
  readonly counts: Counts;
  readonly kinds: Readonly<Record<string, Counts>> | null;
  readonly measures: Readonly<Record<string, number | null>>;
  readonly failed: string | null;
  readonly answered: boolean;
}
