import { type End, type EndPlace, ENDS, type Item } from '../data/item.ts';
import { type PiecedSpan, placeIou, placeKey, placeOfKey } from '../text/pieces.ts';
import type { Criterion } from './criterion.ts';
import { labelsOf } from './difference.ts';

/** How alike the ends are: the mean of both, and the end that is less alike; -1 where they cannot be the same. */
export type EndsOutcome = Readonly<{ similarity: number; least: number }>;

/** Compares the ends of two relationships, as given or with the predicted ones swapped; types of relationships do not count. */
export type CompareEnds = (gold: Item, predicted: Item, swapped: boolean) => EndsOutcome;

/** Whether ends are the same by where they are in the text, and not by what they are called. */
export function comparesPlaces({ ends }: Pick<Criterion, 'ends'>): boolean {
  return ends === 'place' || ends === 'place-and-type';
}

/** The overlap of both ends with gold's, as spans are compared; where types count, ends of two types are never the same. */
export function placesComparer({ ends, tolerance }: Criterion): CompareEnds {
  return (gold, predicted, swapped) => {
    const first = [gold.ends?.source, swapped ? predicted.ends?.target : predicted.ends?.source] as const;
    const second = [gold.ends?.target, swapped ? predicted.ends?.source : predicted.ends?.target] as const;
    const [one, other] = [overlap(...first, tolerance), overlap(...second, tolerance)];
    const areTyped = ends === 'place' || [first, second].every(([own, found]) => own?.label === found?.label);
    const least = areTyped && one !== null && other !== null ? Math.min(one, other) : -1;
    return { similarity: ((one ?? 0) + (other ?? 0)) / 2, least };
  };
}

/** Whether all ends of both have a place. */
export function arePlaced(...both: readonly [gold: Item, predicted: Item]): boolean {
  return both.every(({ ends }) => ENDS.every((end) => ends?.[end] != null));
}

type MaybePlace = EndPlace | null | undefined;

function overlap(gold: MaybePlace, predicted: MaybePlace, tolerance: number): number | null {
  if (gold == null || predicted == null) return null;
  return placeIou(gold, predicted, tolerance);
}

/** What keeps the ends of two relationships from being the same, end by end. */
export function placesApart(
  { ends, tolerance }: Criterion,
  gold: Item,
  predicted: Item,
  threshold: number,
  places: (of: End) => string,
): string {
  const apart = ENDS.flatMap((end) => {
    const [own, found] = [gold.ends?.[end], predicted.ends?.[end]];
    const share = overlap(own, found, tolerance);
    if (own == null || found == null || share === null)
      return [`the ${end} ${own == null ? 'in gold' : 'predicted'} is not one entity with a place`];
    const boundaries = share < threshold ? [`boundaries of the ${end} differ: ${places(end)}`] : [];
    const isTyped = ends === 'place' || own.label === found.label;
    return [...boundaries, ...(isTyped ? [] : [`type of the ${end} differs: ${labelsOf(own, found)}`])];
  });
  return apart.join('; ');
}

/** The places of both ends as texts, which is what an index of ends keeps. */
export function placeKeys({ ends }: Item): readonly [source: string | null, target: string | null] {
  const key = (place: MaybePlace): string | null => (place == null ? null : placeKey(place));
  return [key(ends?.source), key(ends?.target)];
}

/** Finds places that overlap among those of one side. A text has few: they are compared one by one. */
export class PlaceIndex {
  readonly #places: readonly PiecedSpan[];
  readonly #tolerance: number;

  constructor(keys: readonly string[], tolerance: number) {
    this.#places = keys.map(placeOfKey);
    this.#tolerance = tolerance;
  }

  similar(key: string, atLeast: number): readonly number[] {
    return [...this.similarities(key).entries()].flatMap(([at, share]) => (share >= atLeast && share > 0 ? [at] : []));
  }

  /** Of gold with predictions or the other way round: with a tolerance, the larger of the two. */
  similarities(key: string): Float64Array {
    const own = placeOfKey(key);
    const tolerance = this.#tolerance;
    return Float64Array.from(this.#places, (place) =>
      Math.max(placeIou(own, place, tolerance), placeIou(place, own, tolerance)),
    );
  }
}
