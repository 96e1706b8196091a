import type { Item } from '../data/item.ts';
import { type Criterion, makeCriterion, type OwnSimilarity, type PairSettings } from './criterion.ts';
import { makePairer } from './pair.ts';
import type { Pairing } from './pairing.ts';

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
  const { similarity = 'exact', assign = 'greedy', ties = 'content', partial = 1, ...own } = options;
  const named = typeof similarity === 'string' ? { similarity } : { similarity: 'own', own: similarity };
  const criterion = makeCriterion('pair', { ...own, ...named });
  return makePairer({ accept: [criterion], assign, ties, partial, unit: 'item' }).pair(gold, predicted);
}
