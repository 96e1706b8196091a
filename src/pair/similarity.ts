import type { Item } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { jaccard, wordSet } from '../text/jaccard.ts';
import { levenshteinSimilarity } from '../text/levenshtein.ts';
import { nearestNames } from '../text/nearest.ts';
import { normalise } from '../text/normalise.ts';
import { iou, isContained, shareInside } from '../text/span.ts';
import type { Criterion } from './criterion.ts';

/** Similarity of two items; below `atLeast` any value below it may be returned. */
export type Compare = (gold: Item, predicted: Item, atLeast: number) => number;

interface Similarity {
  readonly about: string;
  /** `place` needs offsets and only ever accepts items that touch; `text` compares what they say. */
  readonly looksAt: 'place' | 'text' | 'ends';
  make(criterion: Criterion): Compare;
}

/** 1 when one item lies inside the other: spans by place, up to the tolerance; other items by their normalised text. */
function containment(inner: 'either' | 'predicted' | 'gold', about: string): Similarity {
  return {
    about: `${about}: spans by place (with tolerance), other items by text: 1 or 0`,
    looksAt: 'text',
    make:
      ({ tolerance, normalise: steps }) =>
      (g, p) => {
        const places = g.start >= 0 && p.start >= 0;
        const a = places ? '' : normalise(g.text, steps);
        const b = places ? '' : normalise(p.text, steps);
        if (!places && (a === '' || b === '')) return a === b ? 1 : 0;
        const predictedInside = places ? isContained(p.start, p.end, g.start, g.end, tolerance) : a.includes(b);
        const goldInside = places ? isContained(g.start, g.end, p.start, p.end, tolerance) : b.includes(a);
        return (inner !== 'gold' && predictedInside) || (inner !== 'predicted' && goldInside) ? 1 : 0;
      },
  };
}

/** Every similarity a recipe can name. A path (`./mine.js#closeness`) names a user's own. */
export const SIMILARITIES: Readonly<Record<string, Similarity>> = {
  exact: {
    about: 'same boundaries (spans, with tolerance), or same text after normalisation: 1 or 0',
    looksAt: 'text',
    make:
      ({ normalise: steps, tolerance }) =>
      (g, p) => {
        if (g.start >= 0 && p.start >= 0)
          return Math.abs(g.start - p.start) <= tolerance && Math.abs(g.end - p.end) <= tolerance ? 1 : 0;
        return normalise(g.text, steps) === normalise(p.text, steps) ? 1 : 0;
      },
  },
  iou: {
    about: 'characters in common / characters in either, boundaries within tolerance counting as equal',
    looksAt: 'place',
    make:
      ({ tolerance }) =>
      (g, p) =>
        iou(g.start, g.end, p.start, p.end, tolerance),
  },
  'inside-gold': {
    about: 'share of the predicted span that lies inside the gold span',
    looksAt: 'place',
    make: () => (g, p) => shareInside(p.start, p.end, g.start, g.end),
  },
  'covers-gold': {
    about: 'share of the gold span that the predicted span covers',
    looksAt: 'place',
    make: () => (g, p) => shareInside(g.start, g.end, p.start, p.end),
  },
  containment: containment('either', 'one lies inside the other'),
  'predicted-in-gold': containment('predicted', 'the predicted one lies inside the gold one'),
  'gold-in-predicted': containment('gold', 'the gold one lies inside the predicted one'),
  jaccard: {
    about: 'words in common / words in either, lower case; two empty texts: 1',
    looksAt: 'text',
    make({ words }) {
      const sets = new WeakMap<Item, ReadonlySet<string>>();
      const setOf = (item: Item): ReadonlySet<string> => {
        const known = sets.get(item);
        if (known !== undefined) return known;
        const made = wordSet(item.text, words);
        sets.set(item, made);
        return made;
      };
      return (g, p) => jaccard(setOf(g), setOf(p));
    },
  },
  levenshtein: {
    about: '1 - edits / longer length, in characters, after normalisation; equal: 1, one empty: 0',
    looksAt: 'text',
    make({ normalise: steps }) {
      const plain = new WeakMap<Item, string>();
      const textOf = (item: Item): string => {
        const known = plain.get(item);
        if (known !== undefined) return known;
        const made = normalise(item.text, steps);
        plain.set(item, made);
        return made;
      };
      return (g, p, atLeast) => levenshteinSimilarity(textOf(g), textOf(p), atLeast);
    },
  },
  relation: {
    about: 'relationships: same type and similar ends, also through inverse, symmetric and equivalent types',
    looksAt: 'ends',
    make: () => () => {
      throw new UsageError('the similarity relation compares relationships only', 'set it under pair.relationship');
    },
  },
};

export function isOwnSimilarity(name: string): boolean {
  return name.includes('/') || name.includes('#') || /\.[cm]?[jt]s$/.test(name);
}

export function similarityNamed(name: string): Similarity {
  const found = Object.hasOwn(SIMILARITIES, name) ? SIMILARITIES[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(SIMILARITIES);
  const near = nearestNames(name, names);
  throw new UsageError(
    `there is no similarity called ${name}`,
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : `similarities: ${names.join(', ')}, or a module (./mine.js#name)`,
  );
}

/** The comparing function of a criterion, the user's own checked for what it returns. */
export function compareFor(criterion: Criterion): Compare {
  const own = criterion.own;
  if (own === null) return similarityNamed(criterion.similarity).make(criterion);
  return (gold, predicted) => {
    const value = own(gold, predicted);
    if (typeof value !== 'number' || !(value >= 0 && value <= 1)) {
      throw new UsageError(
        `${criterion.similarity} returned ${String(value)} for ${JSON.stringify(gold.text)} and ${JSON.stringify(predicted.text)}`,
        'a similarity is a number from 0 to 1',
      );
    }
    return value;
  };
}
