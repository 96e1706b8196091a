import type { Item, Side } from '../data/item.ts';
import type { OffsetMap } from '../text/offsets.ts';
import { assign } from './assign.ts';
import {
  type Candidate,
  placesText,
  plainExplainer,
  plainJudge,
  type Reason,
  relationExplainer,
  relationJudge,
} from './candidates.ts';
import { type Criterion, makeCriterion, type OwnSimilarity, type PairSettings } from './criterion.ts';
import type { LeftOver, Pairing, Rejection } from './pairing.ts';
import { allPairs, contentOrder, inCharacters, type NearPairs, nearSpans } from './places.ts';
import { type CompareEnds, endsComparer } from './relation.ts';
import { short } from '../text/figures.ts';
import { type Compare, compareFor, similarityNamed } from './similarity.ts';

/** The settings of one kind of item, made ready once and used for every case. */
export interface Pairer {
  /**
   * `near`: pairs of spans within `reach` that were found already, for lists in content order. Where this pairer must
   * look further than at places, it does not use them. With the `text`, places are compared in characters; `offsets` is
   * how the files count them, for the reasons.
   */
  pair(
    gold: readonly Item[],
    predicted: readonly Item[],
    near?: NearPairs,
    text?: string | null,
    offsets?: OffsetMap | null,
  ): Pairing;
  /** How far apart two spans may be, in UTF-16 units, and still come into question; null where all pairs do. */
  readonly reach: number | null;
  readonly ties: 'given' | 'content';
}

/** The parts of pairing whose results many pairers can share. */
export interface PairWork {
  readonly compareOf: (criterion: Criterion) => Compare;
  readonly endsOf: (criterion: Criterion) => CompareEnds;
  readonly inContentOrder: (items: readonly Item[]) => readonly Item[];
  readonly inCharacters: (items: readonly Item[], text: string | null) => readonly Item[];
  /** The pairs that come into question: all, or those within reach of one another. */
  readonly pairsOf: (gold: readonly Item[], predicted: readonly Item[], reach: number | null) => NearPairs;
  /** Whether each item left over is told what came nearest to it: the costly part where little matches. */
  readonly explains: boolean;
}

export const OWN_WORK: PairWork = {
  compareOf: compareFor,
  endsOf: endsComparer,
  inContentOrder: contentOrder,
  inCharacters,
  pairsOf: (gold, predicted, reach) =>
    reach === null ? allPairs(gold.length, predicted.length) : nearSpans(gold, predicted, reach),
  explains: true,
};

/** Pairs gold and predicted items of one kind. Order of the input shows only in ties, and not even there by `content`. */
export function makePairer(settings: PairSettings, work: PairWork = OWN_WORK): Pairer {
  const { accept, ties } = settings;
  const relations = accept.some((criterion) => criterion.similarity === 'relation' && criterion.own === null);
  const compares = relations ? [] : accept.map(work.compareOf);
  const judge = relations ? relationJudge(accept, work.endsOf) : plainJudge(accept, compares);
  const explain = relations ? relationExplainer(accept) : plainExplainer(accept, compares);
  const looksAt = new Set(
    accept.map(({ own, similarity }) => (own === null ? similarityNamed(similarity).looksAt : 'text')),
  );
  const isAnywhere = looksAt.has('text') || looksAt.has('ends');
  const reach = isAnywhere ? null : 2 * Math.max(0, ...accept.map((criterion) => criterion.tolerance));

  return {
    reach,
    ties,
    pair(givenGold, givenPredicted, near, text = null, offsets = null) {
      const kind = givenGold[0]?.kind ?? givenPredicted[0]?.kind;
      const byPlace = reach !== null && (kind === 'span' || !looksAt.has('either'));
      const shared = byPlace ? near : undefined;
      const ordered = shared === undefined && ties === 'content';
      const gold = ordered ? work.inContentOrder(givenGold) : givenGold;
      const predicted = ordered ? work.inContentOrder(givenPredicted) : givenPredicted;
      const pairs = shared ?? work.pairsOf(gold, predicted, byPlace ? reach : null);
      const places =
        pairs.gold.length === 0
          ? { gold, predicted }
          : { gold: work.inCharacters(gold, text), predicted: work.inCharacters(predicted, text) };
      const edges: Candidate[] = [];
      for (let at = 0; at < pairs.gold.length; at += 1) {
        const [g, p] = [pairs.gold[at]!, pairs.predicted[at]!];
        const edge = judge(places.gold[g]!, places.predicted[p]!, g, p);
        if (edge !== null) edges.push(edge);
      }
      const { partial } = settings;
      const chosen = edges.length === 0 ? edges : assign(settings.assign, edges, { firstOfKind: relations, partial });
      const explainPair: ExplainPair = (g, p) =>
        explain(places.gold[g]!, places.predicted[p]!, () => placesText(gold[g]!, predicted[p]!, offsets));
      const taken: Record<Side, (Candidate | undefined)[]> = { gold: [], predicted: [] };
      for (const edge of chosen) taken.gold[edge.gold] = taken.predicted[edge.predicted] = edge;
      const nearest = work.explains ? nearestOf({ gold, predicted }, pairs, edges, taken, explainPair) : NOTHING_NEAR;
      const leftOvers = (side: Side, items: readonly Item[]): LeftOver[] =>
        items.flatMap((item, at) =>
          taken[side][at] === undefined ? [{ item, rejected: nearest[side][at] ?? null, weight: 1 }] : [],
        );
      return {
        pairs: chosen.map((edge) => ({
          gold: gold[edge.gold]!,
          predicted: predicted[edge.predicted]!,
          similarity: edge.similarity,
          rule: accept[edge.criterion]!.name,
          match: edge.match,
          credit: edge.similarity < 1 ? partial : 1,
          weight: 1,
        })),
        gold: leftOvers('gold', gold),
        predicted: leftOvers('predicted', predicted),
      };
    },
  };
}

/** Why two items, by their positions, were no pair. */
type ExplainPair = (gold: number, predicted: number) => Reason;

/** For the items of each side, by their position. */
type BySide<T> = Readonly<Record<Side, readonly T[]>>;

const NOTHING_NEAR: BySide<Rejection | undefined> = { gold: [], predicted: [] };

/** For each item left over the candidate that came nearest, and why it was not taken. */
function nearestOf(
  items: BySide<Item>,
  pairs: NearPairs,
  edges: readonly Candidate[],
  taken: BySide<Candidate | undefined>,
  explain: ExplainPair,
): BySide<Rejection | undefined> {
  const best: Record<Side, (Rejection | undefined)[]> = { gold: [], predicted: [] };
  const closest: Record<Side, number[]> = { gold: [], predicted: [] };
  let next = 0;
  for (let at = 0; at < pairs.gold.length; at += 1) {
    const place = { gold: pairs.gold[at]!, predicted: pairs.predicted[at]! };
    const edge = edges[next];
    const accepted = edge !== undefined && edge.gold === place.gold && edge.predicted === place.predicted;
    if (accepted) next += 1;
    const by = { gold: taken.gold[place.gold], predicted: taken.predicted[place.predicted] };
    if (by.gold !== undefined && by.predicted !== undefined) continue;
    const reason = accepted ? null : explain(place.gold, place.predicted);
    const { similarity, closeness } = reason ?? { similarity: edge!.similarity, closeness: edge!.similarity };
    const consider = (side: Side, other: Side): void => {
      const own = place[side];
      if (by[side] !== undefined || closeness <= (closest[side][own] ?? 0)) return;
      closest[side][own] = closeness;
      const why = reason?.why() ?? wentTo(side, by[other], items[side]);
      best[side][own] = { item: items[other][place[other]]!, similarity, why };
    };
    consider('gold', 'predicted');
    consider('predicted', 'gold');
  }
  return best;
}

function wentTo(side: Side, by: Candidate | undefined, items: readonly Item[]): string {
  if (by === undefined) return 'not chosen by the assignment';
  return `it went to ${side} ${JSON.stringify(items[by[side]]!.text)} (similarity ${short(by.similarity)})`;
}

/** Pairing settings as a program gives them: anything left out has its usual value. */
export interface PairOptions
  extends Partial<Omit<Criterion, 'similarity' | 'own' | 'name'>>, Partial<Omit<PairSettings, 'accept' | 'unit'>> {
  /** A similarity by name, or a function of one's own. */
  readonly similarity?: string | OwnSimilarity;
}

/**
 * Pairs two lists of items, with the best rejected candidate for each that is left over.
 *
 * @example pair(gold, predicted, { gate: ['label'], similarity: 'iou', threshold: 0.5 }).pairs
 */
export function pair(gold: readonly Item[], predicted: readonly Item[], options: PairOptions = {}): Pairing {
  const { similarity = 'exact', assign: way = 'greedy', ties = 'content', partial = 1, ...own } = options;
  const named = typeof similarity === 'string' ? { similarity } : { similarity: 'own', own: similarity };
  const criterion = makeCriterion('pair', { ...own, ...named });
  return makePairer({ accept: [criterion], assign: way, ties, partial, unit: 'item' }).pair(gold, predicted);
}
