import type { End, Item, Side } from '../data/item.ts';
import { shortUnder } from '../text/figures.ts';
import { placeIou } from '../text/pieces.ts';
import { type Criterion, passesGate, thresholdFor } from './criterion.ts';
import { BOUNDARIES_DIFFER, labelsOf } from './difference.ts';
import type { Edge } from './pairing.ts';
import type { NearPairs } from './places.ts';
import { type Compare, similarityNamed, type TextLookup } from './similarity.ts';

/** A pair that one of the criteria accepts: which of them, and the kind of match. */
export type Candidate = Edge & Readonly<{ criterion: number; match: string | null }>;

/** What a criterion makes of pairs of items. */
export interface Matcher {
  /** Of a pair that passes the gate; null where the criterion does not accept it. */
  readonly accept: (gold: Item, predicted: Item) => Pick<Candidate, 'similarity' | 'preference' | 'match'> | null;
  /** Why a pair was not accepted. `places` puts the boundaries of the two, or of an end of both, into words. */
  readonly explain: (gold: Item, predicted: Item, places: (of?: End) => string) => Reason;
  /** For long lists: finds what may be accepted, and what comes closest, without comparing each with each. */
  readonly search: ((gold: readonly Item[], predicted: readonly Item[]) => ItemSearch) | null;
}

export interface ItemSearch {
  /** The pairs that are accepted, and perhaps others. */
  readonly near: NearPairs;
  /**
   * The position of the closest item of the other side, by `explain`, but for those of `accepted`; the first of equally
   * close ones, -1 if none has anything in common.
   */
  closest(side: Side, at: number, accepted: ReadonlySet<number>): number;
}

export interface Reason {
  readonly similarity: number;
  /** Which of the candidates is the closest; 0 where the two have nothing in common. */
  readonly closeness: number;
  why(): string;
}

export function plainMatcher(criterion: Criterion, compare: Compare): Matcher {
  const byPlace = criterion.own === null && similarityNamed(criterion.similarity).looksAt !== 'text';
  const isOverlap = criterion.own === null && criterion.similarity === 'iou';
  return {
    accept(gold, predicted) {
      const threshold = thresholdFor(criterion.threshold, gold.label);
      const similarity = compare(gold, predicted, threshold);
      return similarity >= threshold && similarity > 0 ? { similarity, preference: 0, match: null } : null;
    },
    explain(gold, predicted, places) {
      const similarity = compare(gold, predicted, 0);
      // A similarity of yes or no does not tell a near miss from nothing: the overlap does.
      const isOff = similarity === 0 && gold.kind === 'span' && gold.start >= 0 && predicted.start >= 0;
      const closeness = isOff ? placeIou(gold, predicted) : similarity;
      const why = (): string => {
        const differing = criterion.gate.find((field) => !passesGate([field], gold, predicted));
        const labels = differing === 'label' ? `: ${labelsOf(gold, predicted)}` : '';
        const differs = differing === undefined ? '' : `${differing} differs${labels}`;
        const off = isOff && byPlace ? `${BOUNDARIES_DIFFER}: ${places()}` : '';
        if (differs !== '' || off !== '') return `${differs}${differs === '' || off === '' ? '' : '; '}${off}`;
        const threshold = thresholdFor(criterion.threshold, gold.label);
        // At 1 the overlap is only another word for the same boundaries.
        if (isOverlap && threshold === 1) return `${BOUNDARIES_DIFFER}: ${places()}`;
        return underText(similarity, threshold);
      };
      return { similarity, closeness, why };
    },
    search: textSearch(criterion),
  };
}

/** The search of a similarity that has an index of texts. */
function textSearch(criterion: Criterion): Matcher['search'] {
  const { own, similarity, threshold } = criterion;
  const found = own === null ? similarityNamed(similarity).search?.(criterion) : undefined;
  if (found === undefined) return null;
  const { textOf, lookupOf } = found;
  return (gold, predicted) => {
    const [goldTexts, predictedTexts] = [gold.map(textOf), predicted.map(textOf)];
    const lookup = lookupOf(predictedTexts);
    const near: Record<Side, number[]> = { gold: [], predicted: [] };
    for (const [g, text] of goldTexts.entries())
      for (const p of lookup.similar(text, thresholdFor(threshold, gold[g]!.label))) {
        near.gold.push(g);
        near.predicted.push(p);
      }
    let goldLookup: TextLookup | null = null;
    return {
      near,
      // What is accepted is as close as its similarity: it need not be left out.
      closest: (side, at) =>
        side === 'gold'
          ? lookup.closest(goldTexts[at]!)
          : (goldLookup ??= lookupOf(goldTexts)).closest(predictedTexts[at]!),
    };
  };
}

/** Why a pair that was compared was not accepted. */
export function underText(similarity: number, threshold: number): string {
  return `similarity ${shortUnder(similarity, threshold)} is under ${threshold}`;
}
