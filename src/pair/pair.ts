import type { Item } from '../data/item.ts';
import { assign } from './assign.ts';
import { contentOrder } from './content-order.ts';
import { type Criterion, type PairSettings, passesGate, thresholdFor } from './criterion.ts';
import type { Edge } from './edge.ts';
import { allPairs, type NearPairs, nearSpans } from './near-pairs.ts';
import type { LeftOver, Pair, Pairing, Rejection } from './pairing.ts';
import { RELATION_MATCHES, relationComparer } from './relation.ts';
import { type Compare, compareFor, similarityNamed } from './similarity.ts';

interface Candidate extends Edge {
  readonly criterion: number;
  readonly match: string | null;
}

/** Decides one pair: accepted by which criterion and how similar. */
type Judge = (gold: Item, predicted: Item, g: number, p: number) => Candidate | null;

/** The settings of one kind of item, made ready once and used for every case. */
export interface Pairer {
  pair(gold: readonly Item[], predicted: readonly Item[], near?: NearPairs): Pairing;
  /** The pairs that come into question, for several pairers to share: null where all pairs do. */
  readonly reach: number | null;
  readonly ties: 'given' | 'content';
}

const NEAR_ENOUGH_FOR_PLACE = new Set(['exact', 'containment', 'predicted-in-gold', 'gold-in-predicted']);

/** Pairs gold and predicted items of one kind. Order of the input shows only in ties, and not even there by `content`. */
export function makePairer(settings: PairSettings): Pairer {
  const relations = settings.accept.some((criterion) => criterion.similarity === 'relation' && criterion.own === null);
  const compares = relations ? [] : settings.accept.map(compareFor);
  const judge = relations ? relationJudge(settings) : plainJudge(settings.accept, compares);
  const byPlace = settings.accept.every(
    (criterion) =>
      criterion.own === null &&
      (similarityNamed(criterion.similarity).looksAt === 'place' || NEAR_ENOUGH_FOR_PLACE.has(criterion.similarity)),
  );
  const reach = byPlace ? Math.max(0, ...settings.accept.map((criterion) => criterion.tolerance)) : null;
  const near = (gold: readonly Item[], predicted: readonly Item[]): NearPairs =>
    reach !== null && (gold[0]?.start ?? predicted[0]?.start ?? -1) >= 0
      ? nearSpans(gold, predicted, reach)
      : allPairs(gold.length, predicted.length);

  return {
    reach,
    ties: settings.ties,
    pair(givenGold, givenPredicted, shared) {
      const ordered = shared === undefined && settings.ties === 'content';
      const gold = ordered ? contentOrder(givenGold) : givenGold;
      const predicted = ordered ? contentOrder(givenPredicted) : givenPredicted;
      const pairs = shared ?? near(gold, predicted);
      const edges: Candidate[] = [];
      for (let at = 0; at < pairs.gold.length; at += 1) {
        const g = pairs.gold[at] as number;
        const p = pairs.predicted[at] as number;
        const edge = judge(gold[g] as Item, predicted[p] as Item, g, p);
        if (edge !== null) edges.push(edge);
      }
      const chosen = edges.length === 0 ? edges : assign(settings.assign, edges, { firstOfKind: relations });
      return pairingOf(
        gold,
        predicted,
        chosen,
        pairs,
        settings,
        relations ? relationExplainer(settings) : plainExplainer(settings.accept, compares),
      );
    },
  };
}

function plainJudge(accept: readonly Criterion[], compares: readonly Compare[]): Judge {
  return (gold, predicted, g, p) => {
    for (let at = 0; at < accept.length; at += 1) {
      const criterion = accept[at] as Criterion;
      if (!passesGate(criterion.gate, gold, predicted)) continue;
      const threshold = thresholdFor(criterion.threshold, gold.label);
      const similarity = (compares[at] as Compare)(gold, predicted, threshold);
      if (similarity >= threshold && (similarity > 0 || criterion.own !== null))
        return { gold: g, predicted: p, similarity, preference: 0, criterion: at, match: null };
    }
    return null;
  };
}

function relationJudge(settings: PairSettings): Judge {
  const compare = settings.accept.map(relationComparer);
  return (gold, predicted, g, p) => {
    for (let at = 0; at < compare.length; at += 1) {
      if (!passesGate((settings.accept[at] as Criterion).gate, gold, predicted)) continue;
      const { match, similarity } = (compare[at] as ReturnType<typeof relationComparer>)(gold, predicted);
      if (match !== null)
        return { gold: g, predicted: p, similarity, preference: RELATION_MATCHES.indexOf(match), criterion: at, match };
    }
    return null;
  };
}

/** Similarity and the reason why a pair was not possible; null when it was. */
type Explain = (gold: Item, predicted: Item) => { similarity: number; why: string | null };

function plainExplainer(accept: readonly Criterion[], compares: readonly Compare[]): Explain {
  // The last alternative is the widest: what it says is what kept the pair apart.
  const at = accept.length - 1;
  const criterion = accept[at] as Criterion;
  const compare = compares[at] as Compare;
  return (gold, predicted) => {
    const similarity = compare(gold, predicted, 0);
    const differing = criterion.gate.find((field) => !passesGate([field], gold, predicted));
    if (differing === 'label')
      return { similarity, why: `label differs: ${gold.label} in gold, ${predicted.label} predicted` };
    if (differing !== undefined) return { similarity, why: `${differing} differs` };
    const threshold = thresholdFor(criterion.threshold, gold.label);
    return {
      similarity,
      why: similarity >= threshold && similarity > 0 ? null : `similarity ${short(similarity)} is under ${threshold}`,
    };
  };
}

function relationExplainer(settings: PairSettings): Explain {
  const criterion = settings.accept[settings.accept.length - 1] as Criterion;
  const anyType = relationComparer({ ...criterion, equivalent: [], inverse: [], symmetric: [] });
  const compare = relationComparer(criterion);
  return (gold, predicted) => {
    if (predicted.source === null || predicted.target === null)
      return { similarity: 0, why: 'one of its ends is no extracted entity' };
    const real = compare(gold, predicted);
    if (real.match !== null) return { similarity: real.similarity, why: null };
    const straight = anyType(gold, { ...predicted, label: gold.label });
    const swapped = anyType(gold, {
      ...predicted,
      label: gold.label,
      source: predicted.target,
      target: predicted.source,
    });
    const similarity = Math.max(straight.similarity, swapped.similarity);
    if (straight.match !== null || swapped.match !== null) {
      const turned = straight.match === null ? ' and direction' : '';
      return {
        similarity,
        why:
          gold.label === predicted.label
            ? 'the ends are swapped and the type is not symmetric'
            : `type${turned} differs: ${gold.label} in gold, ${predicted.label} predicted`,
      };
    }
    return {
      similarity,
      why: `the ends are not similar enough (${short(similarity)} on average, each needs ${thresholdFor(criterion.threshold, gold.label)})`,
    };
  };
}

function pairingOf(
  gold: readonly Item[],
  predicted: readonly Item[],
  chosen: readonly Candidate[],
  near: NearPairs,
  settings: PairSettings,
  explain: Explain,
): Pairing {
  const goldTaken: (Candidate | undefined)[] = new Array(gold.length);
  const predictedTaken: (Candidate | undefined)[] = new Array(predicted.length);
  const pairs: Pair[] = [];
  for (const edge of chosen) {
    goldTaken[edge.gold] = edge;
    predictedTaken[edge.predicted] = edge;
    pairs.push({
      gold: gold[edge.gold] as Item,
      predicted: predicted[edge.predicted] as Item,
      similarity: edge.similarity,
      rule: (settings.accept[edge.criterion] as Criterion).name,
      match: edge.match,
      credit: edge.similarity < 1 ? settings.partial : 1,
      weight: 1,
    });
  }
  const bestForGold: (Rejection | undefined)[] = new Array(gold.length);
  const bestForPredicted: (Rejection | undefined)[] = new Array(predicted.length);
  for (let at = 0; at < near.gold.length; at += 1) {
    const g = near.gold[at] as number;
    const p = near.predicted[at] as number;
    const goldOpen = goldTaken[g] === undefined;
    const predictedOpen = predictedTaken[p] === undefined;
    if (!goldOpen && !predictedOpen) continue;
    const goldItem = gold[g] as Item;
    const predictedItem = predicted[p] as Item;
    const { similarity, why } = explain(goldItem, predictedItem);
    if (similarity <= 0) continue;
    if (goldOpen && similarity > (bestForGold[g]?.similarity ?? 0)) {
      bestForGold[g] = {
        item: predictedItem,
        similarity,
        why: why ?? takenBy('gold', predictedTaken[p], gold, 'gold'),
      };
    }
    if (predictedOpen && similarity > (bestForPredicted[p]?.similarity ?? 0)) {
      bestForPredicted[p] = {
        item: goldItem,
        similarity,
        why: why ?? takenBy('predicted', goldTaken[g], predicted, 'predicted'),
      };
    }
  }
  return {
    pairs,
    gold: leftOvers(gold, goldTaken, bestForGold),
    predicted: leftOvers(predicted, predictedTaken, bestForPredicted),
  };
}

function leftOvers(
  items: readonly Item[],
  taken: readonly (Candidate | undefined)[],
  best: readonly (Rejection | undefined)[],
): LeftOver[] {
  const out: LeftOver[] = [];
  for (let at = 0; at < items.length; at += 1) {
    if (taken[at] === undefined) out.push({ item: items[at] as Item, rejected: best[at] ?? null, weight: 1 });
  }
  return out;
}

function takenBy(
  side: 'gold' | 'predicted',
  by: Candidate | undefined,
  items: readonly Item[],
  field: 'gold' | 'predicted',
): string {
  if (by === undefined) return 'not chosen by the assignment';
  const other = items[by[field]] as Item;
  return `it went to ${side} ${JSON.stringify(other.text)} (similarity ${short(by.similarity)})`;
}

export function short(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
