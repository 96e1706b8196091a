import type { Waterfall } from '../compare/waterfall/waterfall.ts';
import type { ItemKind } from '../data/item.ts';
import type { ErrorType } from '../judge/error-type.ts';
import type { Interval } from '../measure/results.ts';

/** One type of error of one kind of item. */
export interface ErrorClass {
  readonly type: ErrorType;
  /** Gold items and predictions that it is made of, and credit that hits lack. */
  readonly missed: number;
  readonly spurious: number;
  readonly lostCredit: number;
  /** Its part of the gap between F1 and 1: the parts of all types add up to the gap. */
  readonly gap: number;
  /** What F1 would be were these right and all else as it is. */
  readonly f1IfFixed: number | null;
  /** The cases that have one: how many, and the first of them. */
  readonly cases: { readonly total: number; readonly shown: readonly string[] };
}

/** Why a kind's F1, by counts as decision 6 has it, is not 1; null with its reason where there is nothing to divide by. */
export interface Taxonomy extends Readonly<Record<'hit' | 'missed' | 'spurious', number>> {
  readonly kind: ItemKind;
  readonly f1: number | null;
  readonly undefined: string | null;
  /** All types in one order, also those that did not occur. */
  readonly errors: readonly ErrorClass[];
}

export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  /** Both null where n is 0. */
  readonly confidence: number | null;
  readonly precision: number | null;
  /** Of the precision: Wilson's, 95 %. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** How a system's own confidence, in a field of its predictions, compares with how often it is right. */
export interface Calibration {
  readonly kind: ItemKind;
  readonly field: string;
  /** Predictions that are a hit or spurious and have a confidence between 0 and 1; and those left out, by reason. */
  readonly n: number;
  readonly leftOut: Readonly<Record<string, number>>;
  readonly bins: readonly CalibrationBin[];
  /** Expected calibration error: the mean distance of precision and confidence, weighted by n. */
  readonly error: number | null;
  /** What keeping predictions down to a confidence would give, from the highest down; recall is of all gold. */
  readonly curve: readonly Readonly<
    Record<'confidence' | 'kept' | 'precision', number> & Record<'recall' | 'f1', number | null>
  >[];
}

/** Predicted against gold values of an attribute, over the hits to which it applies. */
export interface AttributeTable {
  readonly attribute: string;
  readonly kind: ItemKind;
  readonly n: number;
  readonly right: number;
  /** Values in the order of how often gold has them. */
  readonly values: readonly string[];
  readonly cells: readonly Readonly<{ gold: string; predicted: string; n: number; right: boolean }>[];
}

type Valued = Readonly<{ value: number | null; interval: Interval | null }>;

/** The system among the people who made the gold, all by the recipe's own rules. */
export interface Ceiling {
  /** F1 of the recipe for this kind, or the share of equal classes. */
  readonly measure: string;
  /** What was compared, in one sentence. */
  readonly about: string;
  readonly cases: number;
  readonly people: readonly (Valued & Readonly<{ name: string; n: number }>)[];
  /** Mean of people against each other, and the system against the same people in the same way; null with its reason. */
  readonly human: Valued & { readonly undefined: string | null };
  readonly system: Valued & { readonly undefined: string | null };
  /** System less human over the same cases. */
  readonly difference: Valued;
  readonly verdict: 'above people' | 'below people' | 'no difference shown' | 'too little data';
  /** The system with one person's gold alone, for each of them; absent where a case is scored once per person. */
  readonly alone?: readonly AlonePerson[];
}

/** The measure with one person's gold alone, over the cases that somebody else annotated too; `own`: by the recipe. */
export type AlonePerson = Readonly<{ name: string; cases: number; value: number | null; own: number | null }>;

/** figures.json of a run folder: what figures are drawn from. */
export interface RunFigures {
  readonly format: 1;
  readonly signature: string;
  readonly taxonomy: readonly Taxonomy[];
  readonly calibration: readonly Calibration[];
  readonly attributes: readonly AttributeTable[];
  readonly ceiling: readonly Ceiling[];
  readonly waterfall: Waterfall | null;
  /** Why there is no waterfall. */
  readonly noWaterfall: string | null;
}
