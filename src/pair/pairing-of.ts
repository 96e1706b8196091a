import type { Item, Side } from '../data/item.ts';
import type { Candidate } from './candidates.ts';
import type { PairSettings } from './criterion.ts';
import type { Reason } from './explain.ts';
import type { NearPairs } from './near-pairs.ts';
import type { LeftOver, Pair, Pairing, Rejection } from './pairing.ts';
import { short } from './short-number.ts';

/** Why two items, by their positions, were no pair. */
export type ExplainPair = (gold: number, predicted: number) => Reason;

interface Assigned {
  readonly gold: readonly Item[];
  readonly predicted: readonly Item[];
  /** Every pair that was looked at. */
  readonly pairs: NearPairs;
  /** Those that were accepted, in the same order. */
  readonly edges: readonly Candidate[];
  readonly chosen: readonly Candidate[];
  readonly settings: PairSettings;
  /** Null where nobody asks what came nearest. */
  readonly explain: ExplainPair | null;
}

/** What the assignment chose as pairs, and for each item left over the candidate that came nearest and why it was not taken. */
export function pairingOf({ gold, predicted, pairs, edges, chosen, settings, explain }: Assigned): Pairing {
  const goldTaken: (Candidate | undefined)[] = [];
  const predictedTaken: (Candidate | undefined)[] = [];
  const made: Pair[] = [];
  for (const edge of chosen) {
    goldTaken[edge.gold] = edge;
    predictedTaken[edge.predicted] = edge;
    made.push({
      gold: gold[edge.gold]!,
      predicted: predicted[edge.predicted]!,
      similarity: edge.similarity,
      rule: settings.accept[edge.criterion]!.name,
      match: edge.match,
      credit: edge.similarity < 1 ? settings.partial : 1,
      weight: 1,
    });
  }
  const taken = { gold: goldTaken, predicted: predictedTaken };
  const nearest = explain === null ? NOTHING_NEAR : nearestOf(gold, predicted, pairs, edges, taken, explain);
  return {
    pairs: made,
    gold: leftOvers(gold, goldTaken, nearest.gold),
    predicted: leftOvers(predicted, predictedTaken, nearest.predicted),
  };
}

type BySide<T> = Readonly<Record<Side, readonly (T | undefined)[]>>;

const NOTHING_NEAR: BySide<Rejection> = { gold: [], predicted: [] };

function nearestOf(
  gold: readonly Item[],
  predicted: readonly Item[],
  pairs: NearPairs,
  edges: readonly Candidate[],
  taken: BySide<Candidate>,
  explain: ExplainPair,
): BySide<Rejection> {
  const bestForGold: (Rejection | undefined)[] = [];
  const bestForPredicted: (Rejection | undefined)[] = [];
  const closestToGold: number[] = [];
  const closestToPredicted: number[] = [];
  let next = 0;
  for (let at = 0; at < pairs.gold.length; at += 1) {
    const g = pairs.gold[at]!;
    const p = pairs.predicted[at]!;
    const edge = edges[next];
    const accepted = edge !== undefined && edge.gold === g && edge.predicted === p;
    if (accepted) next += 1;
    const byGold = taken.gold[g];
    const byPredicted = taken.predicted[p];
    if (byGold !== undefined && byPredicted !== undefined) continue;
    const reason = accepted ? null : explain(g, p);
    const { similarity, closeness } = reason ?? { similarity: edge!.similarity, closeness: edge!.similarity };
    if (byGold === undefined && closeness > (closestToGold[g] ?? 0)) {
      closestToGold[g] = closeness;
      const why = reason?.why() ?? wentTo('gold', byPredicted, gold);
      bestForGold[g] = { item: predicted[p]!, similarity, why };
    }
    if (byPredicted === undefined && closeness > (closestToPredicted[p] ?? 0)) {
      closestToPredicted[p] = closeness;
      const why = reason?.why() ?? wentTo('predicted', byGold, predicted);
      bestForPredicted[p] = { item: gold[g]!, similarity, why };
    }
  }
  return { gold: bestForGold, predicted: bestForPredicted };
}

function leftOvers(
  items: readonly Item[],
  taken: readonly (Candidate | undefined)[],
  best: readonly (Rejection | undefined)[],
): LeftOver[] {
  const out: LeftOver[] = [];
  for (let at = 0; at < items.length; at += 1) {
    if (taken[at] === undefined) out.push({ item: items[at]!, rejected: best[at] ?? null, weight: 1 });
  }
  return out;
}

function wentTo(side: Side, by: Candidate | undefined, items: readonly Item[]): string {
  if (by === undefined) return 'not chosen by the assignment';
  return `it went to ${side} ${JSON.stringify(items[by[side]]!.text)} (similarity ${short(by.similarity)})`;
}
