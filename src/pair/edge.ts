/** A pair of items that may go together, by their positions in the case's ordered lists: the order decides ties. */
export interface Edge {
  readonly gold: number;
  readonly predicted: number;
  /** Finite, 0 or greater; usually at most 1. */
  readonly similarity: number;
  /** A small integer. Smaller is preferred, before similarity; 0 where there is only one kind of match. */
  readonly preference: number;
}

/** Options that a way to assign does not know leave it as it is. */
export interface AssignOptions {
  /** In order: of the free predicted items with the lowest preference take the first, not the most similar. */
  readonly firstOfKind?: boolean | undefined;
  /** Optimal: what a pair with a similarity under 1 is worth; one with 1 is worth 1. */
  readonly partial?: number | undefined;
}

/** Most documents have no rivals: then every edge is chosen and there is nothing to rank. */
export function nothingIsShared(edges: readonly Edge[]): boolean {
  const goldSeen: boolean[] = [];
  const predictedSeen: boolean[] = [];
  for (const { gold, predicted } of edges) {
    if (goldSeen[gold] || predictedSeen[predicted]) return false;
    goldSeen[gold] = true;
    predictedSeen[predicted] = true;
  }
  return true;
}

/** Sorts chosen edges: as no gold item is chosen twice, its position alone decides. */
export function byGold(a: Edge, b: Edge): number {
  return a.gold - b.gold;
}
