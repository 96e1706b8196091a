import type { Case } from '../data/case.ts';
import type { Item, ItemKind } from '../data/item.ts';
import type { Rejection } from '../pair/pairing.ts';

export const VERDICTS = ['hit', 'missed', 'spurious', 'excused'] as const;
export type VerdictKind = (typeof VERDICTS)[number];

/**
 * What became of one item, or of two that were paired: one line of the ledger.
 * Every count of a run is a sum over these and over nothing else.
 */
export interface Verdict {
  readonly case: string;
  /** The matching scheme it was judged under; null for the recipe's own `pair`. */
  readonly scheme: string | null;
  readonly kind: ItemKind;
  readonly verdict: VerdictKind;
  /** The rule that decided. */
  readonly rule: string;
  /** Gold's label where there is gold, else the predicted one. */
  readonly label: string;
  readonly similarity: number | null;
  /** What a hit is worth: 1, or less under a scheme with partial credit. */
  readonly credit: number;
  /** How many tokens or characters it stands for; 1 for an item. */
  readonly weight: number;
  /** The kind of match (relationships: exact, fuzzy, inverse, inverse-fuzzy). */
  readonly match: string | null;
  readonly gold: Item | null;
  readonly predicted: Item | null;
  readonly because: string | null;
  /** True for an item that left before pairing: it was never part of the question. */
  readonly setAside: boolean;
  readonly rejected: Rejection | null;
  /** For hits: which attributes that apply were right. */
  readonly attributes: Readonly<Record<string, boolean>> | null;
}

/** The verdicts of one case under one scheme. */
export interface SchemeVerdicts {
  readonly case: Case;
  readonly scheme: string | null;
  readonly verdicts: readonly Verdict[];
}

/** A verdict with the default values filled in, its fields always in one order. */
export function makeVerdict(
  init: Pick<Verdict, 'case' | 'scheme' | 'kind' | 'verdict' | 'rule' | 'label'> & Partial<Verdict>,
): Verdict {
  return {
    case: init.case,
    scheme: init.scheme,
    kind: init.kind,
    verdict: init.verdict,
    rule: init.rule,
    label: init.label,
    similarity: init.similarity ?? null,
    credit: init.credit ?? 1,
    weight: init.weight ?? 1,
    match: init.match ?? null,
    gold: init.gold ?? null,
    predicted: init.predicted ?? null,
    because: init.because ?? null,
    setAside: init.setAside ?? false,
    rejected: init.rejected ?? null,
    attributes: init.attributes ?? null,
  };
}
