import type { Item } from '../data/item.ts';
import type { ErrorPairs } from './error-pairs.ts';
import type { ErrorType } from './error-type.ts';
import type { Likeness } from './likeness.ts';

/**
 * Errors that lie where a hit is. A second find of what was found, or a second mark in gold of it, is a duplicate: it lies
 * at the same place, or has the same label and one lies in the other. What lies in the one half of the hit and not in the
 * other is a further piece: of gold that was found in part (split), or of a prediction that took in too much (merged).
 */
export function typeRepeats(pairs: ErrorPairs): void {
  const { missed, spurious, found } = pairs;
  mark(
    pairs.spuriousInHits.map(({ gold, predicted, like }) => ({
      at: predicted,
      own: spurious[predicted]!,
      whole: found[gold]!.gold,
      other: found[gold]!.predicted,
      like: { ...like, firstInside: like.secondInside, secondInside: like.firstInside },
    })),
    'split',
    pairs,
    (at, type) => pairs.markSpurious(at, type),
  );
  mark(
    pairs.missedInHits.map(({ gold, predicted, like }) => ({
      at: gold,
      own: missed[gold]!,
      whole: found[predicted]!.predicted,
      other: found[predicted]!.gold,
      like,
    })),
    'merged',
    pairs,
    (at, type) => pairs.markMissed(at, type),
  );
}

interface InHit {
  readonly at: number;
  readonly own: Item;
  /** The other side's half of the hit, in which the error lies. */
  readonly whole: Item;
  /** The half of the error's own side. */
  readonly other: Item;
  /** Of the error and the half in which it lies. */
  readonly like: Likeness;
}

function mark(
  all: readonly InHit[],
  piece: ErrorType,
  { compare }: ErrorPairs,
  as: (at: number, type: ErrorType) => void,
): void {
  const further: number[] = [];
  for (const { at, own, whole, other, like } of all) {
    const beside = compare(own, other);
    if (like.same || beside?.same === true) as(at, 'duplicate');
    else if (own.label !== whole.label || !(like.firstInside || like.secondInside)) continue;
    else if (beside !== null) as(at, 'duplicate');
    else if (like.firstInside) further.push(at);
  }
  // Whatever is a duplicate of one hit is no piece of another.
  for (const at of further) as(at, piece);
}
