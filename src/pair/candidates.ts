import type { Item } from '../data/item.ts';
import { toldApart } from '../data/visible.ts';
import type { OffsetMap } from '../text/offsets.ts';
import { iou } from '../text/span.ts';
import { type Criterion, passesGate, thresholdFor } from './criterion.ts';
import type { Edge } from './edge.ts';
import { endsComparer, relationTypes } from './relation.ts';
import { shortUnder } from '../text/figures.ts';
import { type Compare, similarityNamed } from './similarity.ts';

/** A pair that one of the criteria accepts. */
export interface Candidate extends Edge {
  /** Which of the criteria. */
  readonly criterion: number;
  readonly match: string | null;
}

/** What a criterion makes of a pair that passes its gate; null where it does not accept it. */
export type Accepts = (gold: Item, predicted: Item) => Pick<Candidate, 'similarity' | 'preference' | 'match'> | null;

/** Decides pairs, each by its items and their positions: the first criterion that accepts a pair makes it a candidate. */
export function makeJudge(criteria: readonly Criterion[], accepts: readonly Accepts[]) {
  return (gold: Item, predicted: Item, g: number, p: number): Candidate | null => {
    for (let at = 0; at < criteria.length; at += 1) {
      const found = passesGate(criteria[at]!.gate, gold, predicted) ? accepts[at]!(gold, predicted) : null;
      if (found === null) continue;
      const { similarity, preference, match } = found;
      return { gold: g, predicted: p, similarity, preference, criterion: at, match };
    }
    return null;
  };
}

export function plainAccepts(criterion: Criterion, compare: Compare): Accepts {
  return (gold, predicted) => {
    const threshold = thresholdFor(criterion.threshold, gold.label);
    const similarity = compare(gold, predicted, threshold);
    return similarity >= threshold && similarity > 0 ? { similarity, preference: 0, match: null } : null;
  };
}

export interface Reason {
  readonly similarity: number;
  /** Which of the candidates is the closest; 0 where the two have nothing in common. */
  readonly closeness: number;
  why(): string;
}

/**
 * Why a pair was not possible under a criterion, and how close it came. `places` puts the boundaries of the two into words.
 */
type Explain = (gold: Item, predicted: Item, places: () => string) => Reason;

export function plainExplainer(criterion: Criterion, compare: Compare): Explain {
  const byPlace = criterion.own === null && similarityNamed(criterion.similarity).looksAt !== 'text';
  return (gold, predicted, places) => {
    const similarity = compare(gold, predicted, 0);
    // A similarity of yes or no does not tell a near miss from nothing: the overlap does.
    const isOff = similarity === 0 && gold.kind === 'span' && gold.start >= 0 && predicted.start >= 0;
    const closeness = isOff ? iou(gold.start, gold.end, predicted.start, predicted.end) : similarity;
    const why = (): string => {
      const off = isOff && byPlace ? `boundaries differ: ${places()}` : '';
      const differing = criterion.gate.find((field) => !passesGate([field], gold, predicted));
      if (differing !== undefined) {
        const own = differing === 'label' ? `label differs: ${labelsOf(gold, predicted)}` : `${differing} differs`;
        return off === '' ? own : `${own}; ${off}`;
      }
      if (off !== '') return off;
      const threshold = thresholdFor(criterion.threshold, gold.label);
      return `similarity ${shortUnder(similarity, threshold)} is under ${threshold}`;
    };
    return { similarity, closeness, why };
  };
}

/** What keeps two spans from being the same, for those who look at neither gates nor thresholds. */
export function differenceText(gold: Item, predicted: Item, offsets: OffsetMap | null): string {
  const label = gold.label === predicted.label ? '' : `label differs: ${labelsOf(gold, predicted)}`;
  const isSamePlace = gold.start === predicted.start && gold.end === predicted.end;
  const places = isSamePlace ? '' : `boundaries differ: ${placesText(gold, predicted, offsets)}`;
  return [label, places].filter((part) => part !== '').join('; ');
}

/** Both places as the files count them. */
export function placesText(gold: Item, predicted: Item, offsets: OffsetMap | null): string {
  const at = (index: number): number => (offsets === null ? index : offsets.fromUtf16(index));
  const place = ({ start, end }: Item): string => `${at(start)}–${at(end)}`;
  return `${place(gold)} in gold, ${place(predicted)} predicted`;
}

export function relationExplainer(criterion: Criterion): Explain {
  const ends = endsComparer(criterion);
  const types = relationTypes(criterion);
  const reason = (similarity: number, why: string): Reason => ({ similarity, closeness: similarity, why: () => why });
  return (gold, predicted) => {
    if (predicted.source === null || predicted.target === null)
      return reason(0, 'one of its ends is no extracted entity');
    const straight = ends(gold, predicted, false);
    const swapped = ends(gold, predicted, true);
    const better = straight.similarity >= swapped.similarity ? straight : swapped;
    const { similarity } = better;
    if (!straight.reached && !swapped.reached) {
      const threshold = thresholdFor(criterion.threshold, gold.label);
      const least = shortUnder(better.least, threshold);
      return reason(similarity, `the ends are not similar enough (one has ${least}, each needs ${threshold})`);
    }
    if (types.areSame(gold, predicted)) return reason(similarity, 'the ends are swapped and the type is not symmetric');
    const turned = straight.reached ? '' : ' and direction';
    return reason(similarity, `type${turned} differs: ${labelsOf(gold, predicted)}`);
  };
}

function labelsOf(gold: Item, predicted: Item): string {
  const [one, other] = toldApart(gold.label, predicted.label);
  return `${one} in gold, ${other} predicted`;
}
