import type { Item } from '../data/item.ts';
import type { Normaliser } from '../text/normalise.ts';
import type { WordRule } from '../text/words.ts';
import type { Assign } from './assign.ts';
import type { CoverSettings } from './cover.ts';

/** A threshold, or one per gold label with `default` for the rest. */
export type Threshold = number | Readonly<Record<string, number>>;

/** A user's own similarity: 0 (nothing in common) to 1 (the same). */
export type CustomSimilarity = (gold: Item, predicted: Item) => number;

/** One way in which a predicted item may match a gold one. */
export interface Criterion {
  readonly name: string;
  /** What must be equal before anything is compared: `label`, or a field. */
  readonly gate: readonly string[];
  readonly similarity: string;
  /** A pair must reach it, and have something in common: at 0 any similarity above 0 is enough. */
  readonly threshold: Threshold;
  /** Characters by which a boundary may be off. */
  readonly tolerance: number;
  readonly words: WordRule;
  readonly normalise: readonly Normaliser[];
  /** Relationships: pairs of types that say the same with the ends swapped. */
  readonly inverse: readonly (readonly [string, string])[];
  readonly symmetric: readonly string[];
  /** Relationships: what makes their ends the same; left out: their names. */
  readonly ends?: 'name' | 'place' | 'place-and-type';
  /** Relationships: how types are made comparable; left out: lower case, white space tidied. */
  readonly normaliseTypes?: readonly Normaliser[];
  /** Relationships: groups of types that count as the same. */
  readonly equivalent: readonly (readonly string[])[];
  /** Relationships: a gold field that lists further types that are right for this one. */
  readonly acceptable: string | null;
  /** Loaded from the module that `similarity` names. */
  readonly own: CustomSimilarity | null;
}

const USUAL_THRESHOLD = 0.5;

/** A criterion with the default values for what is not set. */
export function makeCriterion(
  name: string,
  {
    gate = [],
    similarity = 'exact',
    threshold = USUAL_THRESHOLD,
    tolerance = 0,
    words = 'whitespace',
    normalise = [],
    inverse = [],
    symmetric = [],
    equivalent = [],
    acceptable = null,
    ends,
    normaliseTypes,
    own = null,
  }: { readonly [Key in keyof Criterion]?: Criterion[Key] | undefined },
): Criterion {
  // With what holds for the labels it does not name.
  const whole = typeof threshold === 'number' ? threshold : { default: USUAL_THRESHOLD, ...threshold };
  const relations = {
    inverse,
    symmetric,
    equivalent,
    acceptable,
    ...(ends === undefined ? {} : { ends }),
    ...(normaliseTypes === undefined ? {} : { normaliseTypes }),
  };
  return { name, gate, similarity, threshold: whole, tolerance, words, normalise, ...relations, own };
}

export const PAIR_UNITS = ['item', 'token', 'character', 'cover', 'cover-token'] as const;

/** How the items of one kind are paired. */
export interface PairSettings {
  /** Alternatives: a pair is possible when one of them accepts it, tried in this order. */
  readonly accept: readonly Criterion[];
  readonly assign: Assign;
  /** Ties go by the order the items were given in, or by their content, so that the order of the input never shows. */
  readonly ties: 'given' | 'content';
  /** What a pair with a similarity under 1 is worth. */
  readonly partial: number;
  /**
   * Pairs are of items; or the text is scored token by token or character by character; or a gold span (or each word of
   * it) counts as masked when the predictions together cover it.
   */
  readonly unit: (typeof PAIR_UNITS)[number];
  /** Relationships of one side between which no criterion finds a difference: each counts (default), or one. */
  readonly duplicates?: 'count' | 'excuse';
  /** Tokens only: those that the files give, where they give any, or words always. */
  readonly tokens?: 'file' | 'words';
  /** Masking only. */
  readonly cover?: CoverSettings;
}

export function thresholdFor(threshold: Threshold, label: string): number {
  if (typeof threshold === 'number') return threshold;
  // Labels come from outside: one called "constructor" must not find what every object has.
  if (Object.hasOwn(threshold, label)) return threshold[label]!;
  return threshold['default'] ?? USUAL_THRESHOLD;
}

/** Whether a pair may be compared at all under the criterion's gate. */
export function passesGate(gate: readonly string[], gold: Item, predicted: Item): boolean {
  for (const field of gate) {
    if (field === 'label' ? gold.label !== predicted.label : gold.fields[field] !== predicted.fields[field])
      return false;
  }
  return true;
}
