import { GoldNode, placeGold, PredictedNode } from './augmenting-path.ts';
import type { Edge } from './pairing.ts';

/**
 * One to one, with the highest total credit there is: where every pair is worth the same, the largest number of pairs. Of
 * equal credit the highest total similarity, then more pairs, then the lower total preference. What is still equal is
 * settled by position (an earlier gold item keeps its place, but for one in about 32 of a long list), so that the result
 * depends on the set of edges and not on the order of `edges`. The result is in gold order.
 *
 * Unlike in the other algorithms, similarity counts before preference.
 *
 * Similarities are counted in whole units (of the highest similarity, where that is above 1), the smaller the fewer pairs
 * there can be. Fractions with denominators up to 36 are exact with up to 13 pairs, up to 28 with 20,000; of others,
 * totals that differ by less than a unit per pair may be held equal.
 *
 * Method: shortest augmenting paths with prices (the sparse Hungarian method; Edmonds and Karp 1972, Jonker and Volgenant
 * 1987). Gold items are placed one by one, and a search follows edges only, so that the cost grows with the overlaps and
 * not with the product of the lists. At most O(gold x edges x log predicted).
 */
export function assignOptimal<E extends Edge>(edges: readonly E[], partial: number): E[] {
  const golds = linkEdges(edges, partial);
  for (const position of [...golds.keys()].sort((a, b) => levelOf(a) - levelOf(b))) placeGold(golds[position]!);
  return golds.flatMap((gold) => gold.chosen?.edge ?? []);
}

/**
 * If spans form a row and each overlaps the next, a search may follow the row as far as it is placed. So a few items,
 * spread evenly whatever the pattern of the row (multiples of the golden ratio), wait until the stretches between them
 * are placed, and half of these wait longer: the searches together take n log n steps and not n².
 */
function levelOf(position: number): number {
  return Math.max(0, Math.clz32(Math.imul(position + 1, 0x9e3779b1)) - 5);
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
function linkEdges<E extends Edge>(edges: readonly E[], partial: number): GoldNode<E>[] {
  const golds: GoldNode<E>[] = [];
  const predicteds: PredictedNode<E>[] = [];
  const { units, credit, pair } = scale(edges, partial);
  for (const edge of edges.toSorted(byPosition)) {
    const gold = (golds[edge.gold] ??= new GoldNode());
    const predicted = (predicteds[edge.predicted] ??= new PredictedNode());
    const worth = edge.similarity < 1 ? partial : 1;
    const major = Math.round(worth * credit) + Math.round(edge.similarity * units);
    gold.arcs.push({ edge, gold, predicted, major, minor: pair - edge.preference });
  }
  return Object.values(golds);
}

/** How many units a similarity of 1 has, and a credit of 1; what a pair counts before its preference is taken off. */
function scale(edges: readonly Edge[], partial: number): Readonly<Record<'units' | 'credit' | 'pair', number>> {
  let [highestSimilarity, lowest, highest] = [1, Infinity, -Infinity];
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

/** Weights are whole numbers, and none is below 0. */
export function requireUsable({ gold, predicted, similarity, preference }: Edge): void {
  if (similarity >= 0 && similarity < Infinity && Number.isSafeInteger(preference)) return;
  throw new RangeError(
    `The edge between gold ${gold} and predicted ${predicted} has similarity ${similarity} and ` +
      `preference ${preference}; expected a similarity of 0 or more and a whole preference.`,
  );
}

function byPosition(a: Edge, b: Edge): number {
  return a.gold - b.gold || a.predicted - b.predicted || b.similarity - a.similarity || a.preference - b.preference;
}
