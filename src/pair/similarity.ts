import type { Item } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { didYouMean } from '../prepare/setting-error.ts';
import { EditIndex } from '../text/edit-index.ts';
import { WordIndex } from '../text/word-index.ts';
import { jaccard, wordSet } from '../text/words.ts';
import { levenshteinSimilarity } from '../text/levenshtein.ts';
import { type Normaliser, normalise } from '../text/normalise.ts';
import { isPlaceInside, haveSamePieces, placeIou, placeShareInside } from '../text/pieces.ts';
import type { Criterion } from './criterion.ts';

/** Similarity of two items; below `atLeast` any value below it may be returned. */
export type Compare = (gold: Item, predicted: Item, atLeast: number) => number;

interface Similarity {
  readonly about: string;
  /**
   * `place` only ever accepts items that touch in the text, `text` compares what they say, `either` looks at the place
   * of spans and the text of all else, `ends` at what a relationship joins. What has no place is never near by place.
   */
  readonly looksAt: 'place' | 'text' | 'either' | 'ends';
  make(criterion: Criterion): Compare;
  /** For comparing texts: the text of an item, and an index of many texts that finds the similar ones. */
  search?(criterion: Criterion): TextSearch;
}

export interface TextSearch {
  readonly textOf: (item: Item) => string;
  readonly lookupOf: (list: readonly string[]) => TextLookup;
}

/** Finds texts in a list without comparing all. */
export interface TextLookup {
  /** The positions of all texts with a similarity of at least `atLeast`, and above 0, in ascending order. */
  similar(text: string, atLeast: number): readonly number[];
  /** The position of the text with the highest similarity above 0, the first of equally similar ones; -1 if none has one. */
  closest(text: string): number;
}

/** Texts and names come again and again; a file of invented ones must not fill the memory. */
const MOST_KEPT = 10_000;

/** What is worked out once for a text and asked for many times. */
export function keptByText<T extends object | string>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  return (text) => {
    let own = made.get(text);
    if (own !== undefined) return own;
    if (made.size >= MOST_KEPT) made.clear();
    made.set(text, (own = make(text)));
    return own;
  };
}

const normalisersBySteps = new Map<string, (text: string) => string>();

/** Texts after the steps, kept for all who ask for the same steps; without steps they stay as they are. */
export function normaliserOf(steps: readonly Normaliser[]): (text: string) => string {
  if (steps.length === 0) return (text) => text;
  const key = steps.join(' ');
  let normalised = normalisersBySteps.get(key);
  if (normalised === undefined)
    normalisersBySteps.set(key, (normalised = keptByText((text) => normalise(text, steps))));
  return normalised;
}

function normalisedText(steps: readonly Normaliser[]): (item: Item) => string {
  const normalised = normaliserOf(steps);
  return (item) => normalised(item.text);
}

function havePlaces(gold: Item, predicted: Item): boolean {
  return gold.start >= 0 && predicted.start >= 0;
}

function byPlace(about: string, make: (criterion: Criterion) => (gold: Item, predicted: Item) => number): Similarity {
  return {
    about,
    looksAt: 'place',
    make(criterion) {
      const compare = make(criterion);
      return (gold, predicted) => (havePlaces(gold, predicted) ? compare(gold, predicted) : 0);
    },
  };
}

/** 1 when one item lies inside the other: spans by place, up to the tolerance; other items by their normalised text. */
function containment(inner: 'either' | 'predicted' | 'gold', about: string): Similarity {
  return {
    about: `${about}: spans by place (with tolerance), others by text: 1 or 0`,
    looksAt: 'either',
    make({ tolerance, normalise: steps }) {
      const textOf = normalisedText(steps);
      return (g, p) => {
        if (g.kind === 'span') {
          if (!havePlaces(g, p)) return 0;
          const predictedInside = inner !== 'gold' && isPlaceInside(p, g, tolerance);
          const goldInside = inner !== 'predicted' && isPlaceInside(g, p, tolerance);
          return predictedInside || goldInside ? 1 : 0;
        }
        const a = textOf(g);
        const b = textOf(p);
        if (a === '' || b === '') return a === b ? 1 : 0;
        return (inner !== 'gold' && a.includes(b)) || (inner !== 'predicted' && b.includes(a)) ? 1 : 0;
      };
    },
  };
}

function equalTexts(list: readonly string[]): TextLookup {
  const positions = Map.groupBy(list.keys(), (at) => list[at]!);
  return {
    similar: (text) => positions.get(text) ?? [],
    closest: (text) => positions.get(text)?.[0] ?? -1,
  };
}

/** Every similarity a recipe can name. A path (`./mine.js#closeness`) names a user's own. */
export const SIMILARITIES: Readonly<Record<string, Similarity>> = {
  exact: {
    about: 'same boundaries (spans, with tolerance), or same text after normalisation (all else): 1 or 0',
    looksAt: 'either',
    make({ normalise: steps, tolerance }) {
      const textOf = normalisedText(steps);
      return (g, p) => {
        if (g.kind !== 'span') return textOf(g) === textOf(p) ? 1 : 0;
        return havePlaces(g, p) && haveSamePieces(g, p, tolerance) ? 1 : 0;
      };
    },
    search: ({ normalise: steps }) => ({ textOf: normalisedText(steps), lookupOf: equalTexts }),
  },
  iou: byPlace(
    'characters in common / characters in either, boundaries within tolerance counting as equal',
    ({ tolerance }) =>
      (g, p) =>
        placeIou(g, p, tolerance),
  ),
  'inside-gold': byPlace(
    'share of the predicted span that lies inside the gold span',
    () => (g, p) => placeShareInside(p, g),
  ),
  'covers-gold': byPlace(
    'share of the gold span that the predicted span covers',
    () => (g, p) => placeShareInside(g, p),
  ),
  containment: containment('either', 'one lies inside the other'),
  'predicted-in-gold': containment('predicted', 'the predicted one lies inside the gold one'),
  'gold-in-predicted': containment('gold', 'the gold one lies inside the predicted one'),
  jaccard: {
    about: 'words in common / words in either, lower case; two empty texts: 1',
    looksAt: 'text',
    make({ words }) {
      const setOf = keptByText((text) => wordSet(text, words));
      return (g, p) => jaccard(setOf(g.text), setOf(p.text));
    },
    search: ({ words }) => ({
      textOf: ({ text }) => text,
      lookupOf: (list) => new WordIndex(list, (text) => wordSet(text, words)),
    }),
  },
  levenshtein: {
    about: '1 - edits / longer length, in characters, after normalisation; equal: 1, one empty: 0',
    looksAt: 'text',
    make({ normalise: steps }) {
      const textOf = normalisedText(steps);
      return (g, p, atLeast) => levenshteinSimilarity(textOf(g), textOf(p), atLeast);
    },
    search: ({ normalise: steps }) => ({
      textOf: normalisedText(steps),
      lookupOf: (list) => new EditIndex(list),
    }),
  },
  relation: {
    about: 'relationships: same type and similar ends, also through inverse, symmetric and equivalent types',
    looksAt: 'ends',
    make: () => () => {
      throw new UsageError('the similarity relation compares relationships only', 'set it under pair.relationship');
    },
  },
};

export function isModulePath(name: string): boolean {
  return name.includes('/') || name.includes('#') || /\.[cm]?[jt]s$/.test(name);
}

export function similarityNamed(name: string): Similarity {
  const found = Object.hasOwn(SIMILARITIES, name) ? SIMILARITIES[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(SIMILARITIES);
  const all = `similarities: ${names.join(', ')}, or a module (./mine.js#name)`;
  throw new UsageError(`there is no similarity called ${name}`, didYouMean(name, names) ?? all);
}

/** The comparing function of a criterion; what the user's own throws or returns otherwise is the user's to fix. */
export function compareFor(criterion: Criterion): Compare {
  const { own, similarity: name } = criterion;
  if (own === null) return similarityNamed(name).make(criterion);
  return (gold, predicted) => {
    let value: unknown;
    try {
      value = own(gold, predicted);
    } catch (error) {
      throw new UsageError(
        `the similarity ${name} failed for ${texts(gold, predicted)} (${error instanceof Error ? error.message : String(error)})`,
        'fix it, or name another under pair.similarity',
      );
    }
    if (typeof value === 'number' && value >= 0 && value <= 1) return value;
    throw new UsageError(
      `the similarity ${name} returned ${shown(value)} for ${texts(gold, predicted)}`,
      'a similarity is a number from 0 (nothing in common) to 1 (the same)',
    );
  };
}

function texts(gold: Item, predicted: Item): string {
  return `gold ${JSON.stringify(gold.text)} and predicted ${JSON.stringify(predicted.text)}`;
}

function shown(value: unknown): string {
  if (value instanceof Promise) return 'a promise (it must not be async)';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
