import type { Item } from '../data/item.ts';

/** A pair of items that may go together, by their positions in the case's ordered lists: the order decides ties. */
export interface Edge {
  readonly gold: number;
  readonly predicted: number;
  /** Finite, 0 or greater; usually at most 1. */
  readonly similarity: number;
  /** A small integer. Smaller is preferred, before similarity; 0 where there is only one kind of match. */
  readonly preference: number;
}

/** A predicted and a gold item that go together. */
export interface Pair {
  readonly gold: Item;
  readonly predicted: Item;
  readonly similarity: number;
  /** The criterion that accepted it. */
  readonly rule: string;
  /** The kind of match where a similarity has kinds (relationships). */
  readonly match: string | null;
  readonly credit: number;
  readonly weight: number;
}

/** The candidate that came closest for an item that was left over, and why it was not taken. */
export type Rejection = Readonly<{ item: Item; similarity: number; why: string }>;

export type LeftOver = Readonly<{ item: Item; rejected: Rejection | null; weight: number }>;

export interface Pairing {
  readonly pairs: readonly Pair[];
  readonly gold: readonly LeftOver[];
  readonly predicted: readonly LeftOver[];
  /** Long lists: what was rejected is looked for when somebody asks for it, which takes longer than the pairing. */
  readonly isSearched?: boolean;
  /** Masking: gold that the predictions cover together, whatever prediction it names. */
  readonly covered?: readonly Covered[];
  /** Masking: predictions that are inside gold. */
  readonly helpers?: readonly Helper[];
}

export interface Covered extends Pick<Pair, 'gold' | 'similarity' | 'rule' | 'weight'> {
  readonly predicted: Item | null;
  readonly because: string | null;
}

export type Helper = Readonly<{ item: Item; because: string; weight: number }>;
