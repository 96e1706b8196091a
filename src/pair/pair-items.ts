import type { Item } from '../data/item.ts';
import type { Criterion, OwnSimilarity, PairSettings } from './criterion.ts';
import { makePairer } from './pair.ts';
import type { Pairing } from './pairing.ts';

/** Pairing settings as a program gives them: anything left out has its usual value. */
export interface PairOptions extends Partial<Omit<Criterion, 'similarity' | 'own' | 'name'>>, Partial<Omit<PairSettings, 'accept' | 'unit'>> {
  /** A similarity by name, or a function of one's own. */
  readonly similarity?: string | OwnSimilarity;
}

/**
 * Pairs two lists of items, with the best rejected candidate for each that is left over.
 *
 * @example pair(gold, predicted, { gate: ['label'], similarity: 'iou', threshold: 0.5 }).pairs
 */
export function pair(gold: readonly Item[], predicted: readonly Item[], options: PairOptions = {}): Pairing {
  const { similarity = 'exact' } = options;
  const own = typeof similarity === 'string' ? null : similarity;
  const criterion: Criterion = {
    name: 'pair',
    gate: options.gate ?? [],
    similarity: typeof similarity === 'string' ? similarity : 'own',
    threshold: options.threshold ?? 0.5,
    tolerance: options.tolerance ?? 0,
    words: options.words ?? 'whitespace',
    normalise: options.normalise ?? [],
    inverse: options.inverse ?? [],
    symmetric: options.symmetric ?? [],
    equivalent: options.equivalent ?? [],
    own,
  };
  const settings: PairSettings = {
    accept: [criterion],
    assign: options.assign ?? 'greedy',
    ties: options.ties ?? 'content',
    partial: options.partial ?? 1,
    unit: 'item',
  };
  return makePairer(settings).pair(gold, predicted);
}
