import type { Item } from '../data/item.ts';
import { toldApart } from '../data/visible.ts';
import type { OffsetMap } from '../text/offsets.ts';
import { iou } from '../text/span.ts';
import { type Criterion, passesGate, thresholdFor } from './criterion.ts';
import type { Edge } from './edge.ts';
import { type CompareEnds, endsComparer, RELATION_MATCHES, relationComparer, relationTypes } from './relation.ts';
import { shortUnder } from '../text/figures.ts';
import { type Compare, similarityNamed } from './similarity.ts';

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

export function relationJudge(accept: readonly Criterion[], endsOf: (criterion: Criterion) => CompareEnds): Judge {
  const compares = accept.map((criterion) => relationComparer(criterion, endsOf(criterion)));
  return (gold, predicted, g, p) => {
    for (let at = 0; at < accept.length; at += 1) {
      if (!passesGate(accept[at]!.gate, gold, predicted)) continue;
      const found = compares[at]!(gold, predicted);
      if (found === null || found.similarity === 0) continue;
      const preference = RELATION_MATCHES.indexOf(found.match);
      return { gold: g, predicted: p, similarity: found.similarity, preference, criterion: at, match: found.match };
    }
    return null;
  };
}

export interface Reason {
  readonly similarity: number;
  /** Which of the candidates is the closest; 0 where the two have nothing in common. */
  readonly closeness: number;
  why(): string;
}

/**
 * Why a pair was not possible, and how close it came. The last of the criteria speaks for all: it is the widest. `places`
 * puts the boundaries of the two into words.
 */
export type Explain = (gold: Item, predicted: Item, places: () => string) => Reason;

export function plainExplainer(accept: readonly Criterion[], compares: readonly Compare[]): Explain {
  const criterion = accept.at(-1)!;
  const compare = compares.at(-1)!;
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

export function relationExplainer(accept: readonly Criterion[]): Explain {
  const criterion = accept.at(-1)!;
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
