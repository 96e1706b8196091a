import type { Edge } from './edge.ts';

/*
 * Weights, prices, gains and distances are pairs of whole numbers, compared first by `major` (the
 * similarity) and then by `minor` (the number of pairs and the preference): one number has no room
 * for all three.
 */

export interface GoldNode<E extends Edge = Edge> {
  readonly arcs: Arc<E>[];
  chosen: Arc<E> | undefined;
  /** What its best arc is worth after the price at the other end; 0 for one that stays alone. */
  gainMajor: number;
  gainMinor: number;
}

export interface PredictedNode<E extends Edge = Edge> {
  chosen: Arc<E> | undefined;
  /** What the others lose if its partner has to give it up; 0 while it is free. */
  priceMajor: number;
  priceMinor: number;
  /** What is lost on the best way here from the gold item being placed; Infinity: not reached. */
  distanceMajor: number;
  distanceMinor: number;
  /** The last step of that way. */
  via: Arc<E> | undefined;
  /** Where it stands in the queue of the search; -1 when it does not. */
  place: number;
}

export interface Arc<E extends Edge = Edge> {
  readonly edge: E;
  readonly gold: GoldNode<E>;
  readonly predicted: PredictedNode<E>;
  readonly major: number;
  readonly minor: number;
}

/**
 * The least common multiple of 1 to 36. In this unit a word overlap such as 1/3 or 5/12 is a whole
 * number, and 1/3 + 2/3 equals 1/2 + 1/2; in a power of two it would not. No sum in the search
 * exceeds four times the largest weight, and four times this is below 2^53.
 */
const UNITS = 144_403_552_893_600;

/** The gold items in their order, each with its arcs in the order of the predicted items. */
export function linkEdges<E extends Edge>(edges: readonly E[]): GoldNode<E>[] {
  const golds: GoldNode<E>[] = [];
  const predictedAt = new Map<number, PredictedNode<E>>();
  const { units, pair } = scale(edges);
  let gold: GoldNode<E> | undefined;
  let position: number | undefined;
  for (const edge of edges.toSorted(byPosition)) {
    if (gold === undefined || position !== edge.gold) {
      gold = { arcs: [], chosen: undefined, gainMajor: 0, gainMinor: 0 };
      position = edge.gold;
      golds.push(gold);
    }
    let predicted = predictedAt.get(edge.predicted);
    if (predicted === undefined) {
      predicted = freePredicted();
      predictedAt.set(edge.predicted, predicted);
    }
    const major = Math.round(edge.similarity * units);
    gold.arcs.push({ edge, gold, predicted, major, minor: pair - edge.preference });
  }
  return golds;
}

/** How many units a similarity of 1 has, and what a pair counts before its preference is taken off. */
function scale(edges: readonly Edge[]): { readonly units: number; readonly pair: number } {
  let highestSimilarity = 1;
  let lowest = Infinity;
  let highest = -Infinity;
  for (const edge of edges) {
    requireUsable(edge);
    highestSimilarity = Math.max(highestSimilarity, edge.similarity);
    lowest = Math.min(lowest, edge.preference);
    highest = Math.max(highest, edge.preference);
  }
  // One pair more outweighs whatever difference in preference all the pairs can make together.
  const pair = highest + edges.length * (highest - lowest) + 1;
  // A chain alternates over each edge at most once; beyond this bound its sum would be rounded, and the search misled.
  if (16 * edges.length * (pair - lowest) > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(
      `Preferences from ${lowest} to ${highest} over ${edges.length} edges are too far apart to be added up exactly; ` +
        'expected small whole numbers, such as 0, 1, 2 for the kinds of match.',
    );
  }
  return { units: UNITS / highestSimilarity, pair };
}

function requireUsable({ gold, predicted, similarity, preference }: Edge): void {
  if (similarity >= 0 && similarity < Infinity && Number.isSafeInteger(preference)) return;
  throw new RangeError(
    `The edge between gold ${gold} and predicted ${predicted} has similarity ${similarity} and ` +
      `preference ${preference}; expected a similarity of 0 or more and a whole preference.`,
  );
}

function freePredicted<E extends Edge>(): PredictedNode<E> {
  return {
    chosen: undefined,
    priceMajor: 0,
    priceMinor: 0,
    distanceMajor: Infinity,
    distanceMinor: 0,
    via: undefined,
    place: -1,
  };
}

function byPosition(a: Edge, b: Edge): number {
  return a.gold - b.gold || a.predicted - b.predicted || b.similarity - a.similarity || a.preference - b.preference;
}
