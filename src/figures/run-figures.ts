import type { ItemKind } from '../data/item.ts';
import type { Interval } from '../measure/results.ts';
import type { Waterfall } from '../compare/waterfall/waterfall.ts';
import type { ErrorType } from '../judge/error-type.ts';

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

/** Why a kind's F1 is not 1. */
export interface Taxonomy {
  readonly kind: ItemKind;
  readonly hit: number;
  readonly missed: number;
  readonly spurious: number;
  /** By counts, as decision 6 has it; null with its reason where there is nothing to divide by. */
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

/** How a system's own confidence compares with how often it is right. */
export interface Calibration {
  readonly kind: ItemKind;
  /** The field that holds it. */
  readonly field: string;
  /** Predictions that are a hit or spurious and have a confidence between 0 and 1; and those left out, by reason. */
  readonly n: number;
  readonly leftOut: Readonly<Record<string, number>>;
  readonly bins: readonly CalibrationBin[];
  /** Expected calibration error: the mean distance of precision and confidence, weighted by n. */
  readonly error: number | null;
  /** What keeping predictions down to a confidence would give, from the highest down; recall is of all gold. */
  readonly curve: readonly {
    readonly confidence: number;
    readonly kept: number;
    readonly precision: number;
    readonly recall: number | null;
    readonly f1: number | null;
  }[];
}

/** What a system said of an attribute against what was right, over the hits to which it applies. */
export interface AttributeTable {
  readonly attribute: string;
  readonly kind: ItemKind;
  readonly n: number;
  readonly right: number;
  /** Values in the order of how often gold has them. */
  readonly values: readonly string[];
  readonly cells: readonly Readonly<{ gold: string; predicted: string; n: number; right: boolean }>[];
}

interface CeilingPart {
  readonly value: number | null;
  readonly undefined: string | null;
  readonly interval: Interval | null;
}

/** The system among the people who made the gold, all by the recipe's own rules. */
export interface Ceiling {
  /** F1 of the recipe for this kind, or the share of equal classes. */
  readonly measure: string;
  /** What was compared, in one sentence. */
  readonly about: string;
  readonly cases: number;
  readonly people: readonly Readonly<{ name: string; value: number | null; n: number; interval: Interval | null }>[];
  /** Mean of people against each other; null with its reason. */
  readonly human: CeilingPart;
  /** The system against the same people in the same way. */
  readonly system: CeilingPart;
  /** System less human over the same cases. */
  readonly difference: { readonly value: number | null; readonly interval: Interval | null };
  readonly verdict: 'above people' | 'below people' | 'no difference shown' | 'too little data';
  /** The system with one person's gold alone, for each of them; absent where a case is scored once per person. */
  readonly alone?: readonly AlonePerson[];
}

/** What the measure would be were one person's gold the only one, over the cases that this person annotated. */
export interface AlonePerson {
  readonly name: string;
  /** Those that somebody else annotated too. */
  readonly cases: number;
  readonly value: number | null;
  /** What it is by the recipe over the same cases. */
  readonly own: number | null;
}

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
