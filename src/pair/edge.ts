/**
 * A pair of items that may go together. `gold` and `predicted` are positions in the case's ordered
 * lists: the order decides ties.
 */
export interface Edge {
  readonly gold: number;
  readonly predicted: number;
  /** Finite, 0 or greater; usually at most 1. */
  readonly similarity: number;
  /**
   * A small integer. Smaller is preferred, before similarity; 0 where there is only one kind of
   * match.
   */
  readonly preference: number;
}

/** Sorts chosen edges: as no gold item is chosen twice, its position alone decides. */
export function byGold(a: Edge, b: Edge): number {
  return a.gold - b.gold;
}
