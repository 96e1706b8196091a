import type { Item } from '../data/item.ts';
import { assign } from './assign.ts';
import { type Candidate, plainJudge, relationJudge } from './candidates.ts';
import { contentOrder } from './content-order.ts';
import type { PairSettings } from './criterion.ts';
import { plainExplainer, relationExplainer } from './explain.ts';
import { inCharacters } from './in-characters.ts';
import { allPairs, type NearPairs, nearSpans } from './near-pairs.ts';
import { type ExplainPair, pairingOf } from './pairing-of.ts';
import type { Pairing } from './pairing.ts';
import { compareFor, similarityNamed } from './similarity.ts';

/** The settings of one kind of item, made ready once and used for every case. */
export interface Pairer {
  /**
   * `near`: pairs of spans within `reach` that were found already, for lists in content order. Where this pairer must
   * look further than at places, it does not use them. With the `text`, places are compared in characters.
   */
  pair(gold: readonly Item[], predicted: readonly Item[], near?: NearPairs, text?: string | null): Pairing;
  /** How far apart two spans may be, in UTF-16 units, and still come into question; null where all pairs do. */
  readonly reach: number | null;
  readonly ties: 'given' | 'content';
}

/** Pairs gold and predicted items of one kind. Order of the input shows only in ties, and not even there by `content`. */
export function makePairer(settings: PairSettings): Pairer {
  const { accept, ties } = settings;
  const relations = accept.some((criterion) => criterion.similarity === 'relation' && criterion.own === null);
  const compares = relations ? [] : accept.map(compareFor);
  const judge = relations ? relationJudge(accept) : plainJudge(accept, compares);
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
    pair(givenGold, givenPredicted, near, text = null) {
      const kind = givenGold[0]?.kind ?? givenPredicted[0]?.kind;
      const byPlace = reach !== null && (kind === 'span' || !looksAt.has('either'));
      const shared = byPlace ? near : undefined;
      const ordered = shared === undefined && ties === 'content';
      const gold = ordered ? contentOrder(givenGold) : givenGold;
      const predicted = ordered ? contentOrder(givenPredicted) : givenPredicted;
      const pairs = shared ?? (byPlace ? nearSpans(gold, predicted, reach) : allPairs(gold.length, predicted.length));
      const goldPlaces = pairs.gold.length === 0 ? gold : inCharacters(gold, text);
      const predictedPlaces = pairs.gold.length === 0 ? predicted : inCharacters(predicted, text);
      const explainPair: ExplainPair = (g, p) => explain(goldPlaces[g]!, predictedPlaces[p]!);
      const edges: Candidate[] = [];
      for (let at = 0; at < pairs.gold.length; at += 1) {
        const g = pairs.gold[at]!;
        const p = pairs.predicted[at]!;
        const edge = judge(goldPlaces[g]!, predictedPlaces[p]!, g, p);
        if (edge !== null) edges.push(edge);
      }
      const chosen = edges.length === 0 ? edges : assign(settings.assign, edges, { firstOfKind: relations });
      return pairingOf({ gold, predicted, pairs, edges, chosen, settings, explain: explainPair });
    },
  };
}
