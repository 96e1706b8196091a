import type { Item } from '../data/item.ts';
import type { OffsetMap } from '../text/offsets.ts';
import { assign } from './assign.ts';
import { type Candidate, plainJudge, relationJudge } from './candidates.ts';
import { contentOrder } from './content-order.ts';
import type { Criterion, PairSettings } from './criterion.ts';
import { placesText, plainExplainer, relationExplainer } from './explain.ts';
import { inCharacters } from './in-characters.ts';
import { allPairs, type NearPairs, nearSpans } from './near-pairs.ts';
import { type ExplainPair, pairingOf } from './pairing-of.ts';
import type { Pairing } from './pairing.ts';
import { type CompareEnds, endsComparer } from './relation.ts';
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
  const reach =
    looksAt.has('text') || looksAt.has('ends')
      ? null
      : 2 * Math.max(0, ...accept.map((criterion) => criterion.tolerance));

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
      const goldPlaces = pairs.gold.length === 0 ? gold : work.inCharacters(gold, text);
      const predictedPlaces = pairs.gold.length === 0 ? predicted : work.inCharacters(predicted, text);
      const explainPair: ExplainPair = (g, p) =>
        explain(goldPlaces[g]!, predictedPlaces[p]!, () => placesText(gold[g]!, predicted[p]!, offsets));
      const edges: Candidate[] = [];
      for (let at = 0; at < pairs.gold.length; at += 1) {
        const g = pairs.gold[at]!;
        const p = pairs.predicted[at]!;
        const edge = judge(goldPlaces[g]!, predictedPlaces[p]!, g, p);
        if (edge !== null) edges.push(edge);
      }
      const { partial } = settings;
      const chosen = edges.length === 0 ? edges : assign(settings.assign, edges, { firstOfKind: relations, partial });
      return pairingOf({
        gold,
        predicted,
        pairs,
        edges,
        chosen,
        settings,
        explain: work.explains ? explainPair : null,
      });
    },
  };
}
