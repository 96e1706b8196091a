import type { End, Item, Side } from '../data/item.ts';
import type { OffsetMap } from '../text/offsets.ts';
import type { PiecedSpan } from '../text/pieces.ts';
import { assign } from './assign.ts';
import { type Criterion, makeCriterion, type CustomSimilarity, type PairSettings, passesGate } from './criterion.ts';
import { placesText } from './difference.ts';
import { type Candidate, plainMatcher, type Reason } from './matcher.ts';
import type { LeftOver, Pairing, Rejection } from './pairing.ts';
import { allPairs, contentOrder, inCharacters, type NearPairs, nearSpans } from './places.ts';
import { endsComparer, relationMatcher } from './relation.ts';
import { short } from '../text/figures.ts';
import { compareFor, similarityNamed } from './similarity.ts';

/** The parts of pairing whose results many pairers can share. */
export const UNSHARED_WORK = {
  compareOf: compareFor,
  endsOf: endsComparer,
  inContentOrder: contentOrder,
  inCharacters,
  /** The pairs that come into question: all, or those within reach of one another. */
  pairsOf: (gold: readonly Item[], predicted: readonly Item[], reach: number | null): NearPairs =>
    reach === null ? allPairs(gold.length, predicted.length) : nearSpans(gold, predicted, reach),
  /** Whether the closest candidate of an unpaired item can be asked for. */
  explains: true,
};
export type PairWork = Readonly<typeof UNSHARED_WORK>;

/**
 * The settings of one kind of item, made ready once and used for every case. Order of the input shows only in ties, and not
 * even there by `content`.
 */
export function makePairer(settings: PairSettings, work: PairWork = UNSHARED_WORK) {
  const { accept, ties, partial } = settings;
  const relations = accept.some((criterion) => criterion.similarity === 'relation' && criterion.own === null);
  const matchers = accept.map((own) =>
    relations ? relationMatcher(own, work.endsOf(own)) : plainMatcher(own, work.compareOf(own)),
  );
  /** The first criterion that accepts a pair, given by its items and their positions, makes it a candidate. */
  const judge = (gold: Item, predicted: Item, g: number, p: number): Candidate | null => {
    for (let at = 0; at < accept.length; at += 1) {
      const found = passesGate(accept[at]!.gate, gold, predicted) ? matchers[at]!.accept(gold, predicted) : null;
      if (found === null) continue;
      const { similarity, preference, match } = found;
      return { gold: g, predicted: p, similarity, preference, criterion: at, match };
    }
    return null;
  };
  // The last of the criteria speaks for all.
  const widest = matchers.at(-1)!;
  const looksAt = new Set(
    accept.map(({ own, similarity }) => (own === null ? similarityNamed(similarity).looksAt : 'text')),
  );
  const isAnywhere = looksAt.has('text') || looksAt.has('ends');
  /** How far apart two spans may be, in UTF-16 units, and still come into question; null where all pairs do. */
  const reach = isAnywhere ? null : 2 * Math.max(0, ...accept.map((criterion) => criterion.tolerance));
  /**
   * `near`: pairs of spans within `reach` that were found already, for lists in content order. Where this pairer must
   * look further than at places, it does not use them. With the `text`, places are compared in characters; `offsets` is
   * how the files count them, for the reasons.
   */
  const pairItems = (
    givenGold: readonly Item[],
    givenPredicted: readonly Item[],
    near?: NearPairs,
    text: string | null = null,
    offsets: OffsetMap | null = null,
  ): Pairing => {
    const kind = givenGold[0]?.kind ?? givenPredicted[0]?.kind;
    const byPlace = reach !== null && (kind === 'span' || !looksAt.has('either'));
    const shared = byPlace ? near : undefined;
    const ordered = shared === undefined && ties === 'content';
    const gold = ordered ? work.inContentOrder(givenGold) : givenGold;
    const predicted = ordered ? work.inContentOrder(givenPredicted) : givenPredicted;
    const items = { gold, predicted };
    const isSearched = !byPlace && accept.length === 1 && gold.length * predicted.length > MOST_COMPARED;
    const search = isSearched ? (widest.search?.(gold, predicted) ?? null) : null;
    const pairs = shared ?? search?.near ?? work.pairsOf(gold, predicted, byPlace ? reach : null);
    const places =
      pairs.gold.length === 0 && search === null
        ? items
        : { gold: work.inCharacters(gold, text), predicted: work.inCharacters(predicted, text) };
    const judged = pairs.gold.map((g, at) => {
      const p = pairs.predicted[at]!;
      return judge(places.gold[g]!, places.predicted[p]!, g, p);
    });
    const edges = judged.filter((edge) => edge !== null);
    const chosen = assign(settings.assign, edges, { firstOfKind: relations, partial });
    const taken: BySide<Candidate> = { gold: [], predicted: [] };
    for (const edge of chosen) taken.gold[edge.gold] = taken.predicted[edge.predicted] = edge;
    /** For each item left over the candidate that came closest. */
    const closestOf = once((): BySide<Closest> => {
      const closest: BySide<Closest> = { gold: [], predicted: [] };
      const consider = (side: Side, own: number, candidate: Closest): void => {
        if (taken[side][own] !== undefined) return;
        const { closeness = 0, other = 0 } = closest[side][own] ?? {};
        // A search comes upon them in any order.
        const isEarlier = search !== null && candidate.closeness === closeness && candidate.other < other;
        if (candidate.closeness > closeness || isEarlier) closest[side][own] = candidate;
      };
      const considerPair = (g: number, p: number, edge: Candidate | null): void => {
        if (taken.gold[g] !== undefined && taken.predicted[p] !== undefined) return;
        const placesOf = (of?: End): string => {
          const place = (item: Item): PiecedSpan => (of === undefined ? item : (item.ends?.[of] ?? item));
          return placesText(place(gold[g]!), place(predicted[p]!), offsets);
        };
        const reason = edge === null ? widest.explain(places.gold[g]!, places.predicted[p]!, placesOf) : null;
        const { similarity } = edge ?? reason!;
        const closeness = reason?.closeness ?? similarity;
        consider('gold', g, { other: p, similarity, closeness, reason });
        consider('predicted', p, { other: g, similarity, closeness, reason });
      };
      judged.forEach((edge, at) => considerPair(pairs.gold[at]!, pairs.predicted[at]!, edge));
      if (search !== null) {
        const accepted: BySide<Set<number>> = { gold: [], predicted: [] };
        for (const { gold: g, predicted: p } of edges) {
          (accepted.gold[g] ??= new Set()).add(p);
          (accepted.predicted[p] ??= new Set()).add(g);
        }
        for (const side of ['gold', 'predicted'] as const)
          for (let at = 0; at < items[side].length; at += 1) {
            if (taken[side][at] !== undefined) continue;
            const other = search.closest(side, at, accepted[side][at] ?? NONE);
            if (other >= 0) considerPair(side === 'gold' ? at : other, side === 'gold' ? other : at, null);
          }
        // Spans whose texts have nothing in common may still overlap.
        const touching = kind === 'span' ? nearSpans(places.gold, places.predicted, 0) : { gold: [], predicted: [] };
        touching.gold.forEach((g, at) => considerPair(g, touching.predicted[at]!, null));
      }
      return closest;
    });
    const rejectionOf = (side: Side, other: Side, at: number): Rejection | null => {
      const best = closestOf()[side][at];
      if (best === undefined) return null;
      const by = taken[other][best.other];
      const why = best.reason?.why() ?? wentTo(side, by && items[side][by[side]]!.text, by?.similarity);
      return { item: items[other][best.other]!, similarity: best.similarity, why };
    };
    const leftOvers = (side: Side, other: Side): LeftOver[] =>
      items[side].flatMap((item, at) => {
        if (taken[side][at] !== undefined) return [];
        if (!work.explains) return [{ item, rejected: null, weight: 1 }];
        if (search === null) return [{ item, rejected: rejectionOf(side, other, at), weight: 1 }];
        const rejected = once(() => rejectionOf(side, other, at));
        const left: LeftOver = {
          item,
          get rejected() {
            return rejected();
          },
          weight: 1,
        };
        return [left];
      });
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
      gold: leftOvers('gold', 'predicted'),
      predicted: leftOvers('predicted', 'gold'),
      ...(search === null ? {} : { isSearched: true }),
    };
  };
  return { judge, reach, ties, pair: pairItems };
}

/** Comparing so few pairs of items takes less than an index of their texts. */
const MOST_COMPARED = 400;
const NONE: ReadonlySet<number> = new Set();

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** For the items of each side, by their position. */
type BySide<T> = Record<Side, (T | undefined)[]>;

/** The candidate of the other side that came closest; without a reason it was accepted and not chosen. */
type Closest = Readonly<{ other: number; similarity: number; closeness: number; reason: Reason | null }>;

/** Why a candidate that was accepted is not the partner: it has another. */
export function wentTo(side: Side, partner: string | undefined, similarity = 0): string {
  if (partner === undefined) return 'not chosen by the assignment';
  return `it went to ${side} ${JSON.stringify(partner)} (similarity ${short(similarity)})`;
}

/** Pairing settings as a program gives them: anything left out has its usual value. */
export interface PairOptions
  extends Partial<Omit<Criterion, 'similarity' | 'own' | 'name'>>, Partial<Omit<PairSettings, 'accept' | 'unit'>> {
  /** A similarity by name, or a custom function. */
  readonly similarity?: string | CustomSimilarity;
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
