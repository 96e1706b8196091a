import type { Item } from '../data/item.ts';
import { toldApart } from '../data/visible.ts';
import { type Criterion, passesGate, thresholdFor } from './criterion.ts';
import { endsComparer } from './relation.ts';
import { relationTypes } from './relation-types.ts';
import { shortUnder } from './short-number.ts';
import type { Compare } from './similarity.ts';

/** Why a pair was not possible, and how near it came. The last of the criteria speaks for all: it is the widest. */
export type Explain = (gold: Item, predicted: Item) => { readonly similarity: number; readonly why: string };

export function plainExplainer(accept: readonly Criterion[], compares: readonly Compare[]): Explain {
  const criterion = accept.at(-1)!;
  const compare = compares.at(-1)!;
  return (gold, predicted) => {
    const similarity = compare(gold, predicted, 0);
    const differing = criterion.gate.find((field) => !passesGate([field], gold, predicted));
    if (differing === 'label') return { similarity, why: `label differs: ${labelsOf(gold, predicted)}` };
    if (differing !== undefined) return { similarity, why: `${differing} differs` };
    const threshold = thresholdFor(criterion.threshold, gold.label);
    return { similarity, why: `similarity ${shortUnder(similarity, threshold)} is under ${threshold}` };
  };
}

export function relationExplainer(accept: readonly Criterion[]): Explain {
  const criterion = accept.at(-1)!;
  const ends = endsComparer(criterion);
  const types = relationTypes(criterion);
  return (gold, predicted) => {
    if (predicted.source === null || predicted.target === null)
      return { similarity: 0, why: 'one of its ends is no extracted entity' };
    const straight = ends(gold, predicted, false);
    const swapped = ends(gold, predicted, true);
    const better = straight.similarity >= swapped.similarity ? straight : swapped;
    const { similarity } = better;
    if (!straight.reached && !swapped.reached) {
      const threshold = thresholdFor(criterion.threshold, gold.label);
      const least = shortUnder(better.least, threshold);
      return { similarity, why: `the ends are not similar enough (one has ${least}, each needs ${threshold})` };
    }
    if (types.areSame(gold, predicted))
      return { similarity, why: 'the ends are swapped and the type is not symmetric' };
    const turned = straight.reached ? '' : ' and direction';
    return { similarity, why: `type${turned} differs: ${labelsOf(gold, predicted)}` };
  };
}

function labelsOf(gold: Item, predicted: Item): string {
  const [one, other] = toldApart(gold.label, predicted.label);
  return `${one} in gold, ${other} predicted`;
}
