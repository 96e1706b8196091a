import type { Edge } from './edge.ts';

/*
 * Weights, prices, gains and distances are pairs of whole numbers, compared first by `major` (the
 * credit and the similarity) and then by `minor` (the number of pairs and the preference): one
 * number has no room for all four.
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
 * Least common multiples of 1 to 36, 31, 30, 28, 26, 24, 22, 18, 16, 12 and 10. In such a unit a word overlap such as 1/3
 * or 5/12 is a whole number, and 1/3 + 2/3 equals 1/2 + 1/2; in a power of two it would not.
 */
const UNITS = [
  144_403_552_893_600, 72_201_776_446_800, 2_329_089_562_800, 80_313_433_200, 26_771_144_400, 5_354_228_880,
  232_792_560, 12_252_240, 720_720, 27_720, 2520,
];

/** The gold items in their order, each with its arcs in the order of the predicted items. */
export function linkEdges<E extends Edge>(edges: readonly E[], partial: number): GoldNode<E>[] {
  const golds: GoldNode<E>[] = [];
  const predictedAt = new Map<number, PredictedNode<E>>();
  const { units, credit, pair } = scale(edges, partial);
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
    const major = Math.round(worthOf(edge, partial) * credit) + Math.round(edge.similarity * units);
    gold.arcs.push({ edge, gold, predicted, major, minor: pair - edge.preference });
  }
  return golds;
}

function worthOf({ similarity }: Edge, partial: number): number {
  return similarity < 1 ? partial : 1;
}

interface Scale {
  /** How many units a similarity of 1 has, and a credit of 1. */
  readonly units: number;
  readonly credit: number;
  /** What a pair counts before its preference is taken off. */
  readonly pair: number;
}

function scale(edges: readonly Edge[], partial: number): Scale {
  let highestSimilarity = 1;
  let lowest = Infinity;
  let highest = -Infinity;
  for (const edge of edges) {
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
  // The least difference in credit outweighs whatever difference in similarity all the pairs can make together.
  const golds = new Set(edges.map(({ gold }) => gold)).size;
  const predicteds = new Set(edges.map(({ predicted }) => predicted)).size;
  const credit = (Math.min(golds, predicteds) + 1) * creditParts(partial);
  // No sum in the search exceeds four times the largest weight.
  const most = Number.MAX_SAFE_INTEGER / 4 / (credit + 1);
  const units = UNITS.find((one) => one <= most) ?? 1;
  return { units: units / highestSimilarity, credit: credit * units, pair };
}

/** Into how many parts 1 must be cut, so that a partial credit is some of them: 1 for 0 and 1, 10 for 0.5. */
function creditParts(partial: number): number {
  let parts = 1;
  while (parts < 1000 && Math.abs(partial * parts - Math.round(partial * parts)) > 1e-9) parts *= 10;
  return parts;
}

export function requireUsable({ gold, predicted, similarity, preference }: Edge): void {
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
