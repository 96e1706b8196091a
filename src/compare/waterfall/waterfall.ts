import type { ItemKind, Side } from '../../data/item.ts';
import type { VerdictKind } from '../../judge/verdict.ts';
import type { Direction } from '../../measure/measure.ts';

/** The counts of one kind of item, and what they make. */
export interface KindCounts {
  readonly kind: ItemKind;
  /** Hits by their credit, weights included: TP, FN and FP. */
  readonly hit: number;
  readonly missed: number;
  readonly spurious: number;
  readonly excused: number;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  /** How many hits there are and how many of them lack credit; left out where every hit counts in full. */
  readonly hits?: number;
  readonly partly?: number;
}

/** An item whose verdict a step changed. Holds text from data: escape it. */
export interface Move {
  readonly case: string;
  readonly kind: ItemKind;
  readonly side: Side;
  readonly index: number;
  readonly label: string;
  readonly text: string;
  /** null: it was not there, or is no more. */
  readonly from: VerdictKind | null;
  readonly to: VerdictKind | null;
  /** The rule that decides now. */
  readonly rule: string | null;
}

/** What a step did to the items, by what they were and became. */
export interface Moves {
  readonly total: number;
  readonly by: readonly {
    readonly side: Side;
    readonly from: VerdictKind | null;
    readonly to: VerdictKind | null;
    readonly n: number;
  }[];
  /** The first of them, in the order of the cases. */
  readonly shown: readonly Move[];
}

/** The recipe up to here. */
export interface WaterfallStep {
  /** Where it stands in the recipe: `prepare.merge`, `pair.tolerance`; `strict` for the start. */
  readonly path: string;
  /** What it says, in short: `{ gap: 1 }`, `iou ≥ 0.5`. */
  readonly setting: string;
  readonly kinds: readonly KindCounts[];
  /** Every overall measure of the recipe; null where undefined. */
  readonly measures: Readonly<Record<string, number | null>>;
  /**
   * Against the row before; of a rule taken away, against the full recipe. Nothing for the start, nor where the text is
   * counted by token or character and not by item.
   */
  readonly moves: Moves | null;
}

/** From strict matching to the score, rule by rule. */
export interface Waterfall {
  readonly recipe: string;
  /** Cases that were scored; failed ones are in no row. */
  readonly cases: number;
  /** Cases that failed; left out where none did. */
  readonly failed?: number;
  /** What was scored, where rules make several of one case; left out where it is as many. */
  readonly scored?: number;
  /** How many were asked about, where cases are answers and several are to one; left out where it is as many. */
  readonly asked?: number;
  /** What the strict start keeps of the recipe because there is nothing to score without it. */
  readonly kept: readonly string[];
  readonly measures: readonly { readonly name: string; readonly direction: Direction }[];
  /** The measure that the figure shows: the first F1 of the recipe, or its first measure. */
  readonly shown: string;
  /** The first is strict matching, the last the whole recipe: the score. */
  readonly steps: readonly WaterfallStep[];
  /** The whole recipe less one rule each, in the same order. */
  readonly without: readonly WaterfallStep[];
}
