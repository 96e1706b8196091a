import type { Item } from '../data/item.ts';
import { type Criterion, passesGate, thresholdFor } from './criterion.ts';
import type { Edge } from './edge.ts';
import { type CompareEnds, endsComparer, RELATION_MATCHES, relationComparer } from './relation.ts';
import type { Compare } from './similarity.ts';

/** A pair that one of the criteria accepts. */
export interface Candidate extends Edge {
  /** Which of the criteria. */
  readonly criterion: number;
  readonly match: string | null;
}

/** Decides one pair: accepted by the first criterion that does, and how similar; null when none does. */
export type Judge = (gold: Item, predicted: Item, g: number, p: number) => Candidate | null;

export function plainJudge(accept: readonly Criterion[], compares: readonly Compare[]): Judge {
  return (gold, predicted, g, p) => {
    for (let at = 0; at < accept.length; at += 1) {
      const criterion = accept[at]!;
      if (!passesGate(criterion.gate, gold, predicted)) continue;
      const threshold = thresholdFor(criterion.threshold, gold.label);
      const similarity = compares[at]!(gold, predicted, threshold);
      if (similarity >= threshold && similarity > 0)
        return { gold: g, predicted: p, similarity, preference: 0, criterion: at, match: null };
    }
    return null;
  };
}

export function relationJudge(
  accept: readonly Criterion[],
  endsOf: (criterion: Criterion) => CompareEnds = endsComparer,
): Judge {
  const compares = accept.map((criterion) => relationComparer(criterion, endsOf(criterion)));
  return (gold, predicted, g, p) => {
    for (let at = 0; at < accept.length; at += 1) {
      if (!passesGate(accept[at]!.gate, gold, predicted)) continue;
      const { match, similarity } = compares[at]!(gold, predicted);
      if (match === null || similarity === 0) continue;
      const preference = RELATION_MATCHES.indexOf(match);
      return { gold: g, predicted: p, similarity, preference, criterion: at, match };
    }
    return null;
  };
}
