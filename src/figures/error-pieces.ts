import type { Item } from '../data/item.ts';
import { compareText } from '../text/compare.ts';
import type { ErrorPairs } from './error-pairs.ts';
import type { Compare } from './likeness.ts';

/** One item and the pieces of its label that lie more in it than out of it. */
interface Group {
  readonly type: 'split' | 'merged';
  readonly at: number;
  readonly whole: Item;
  /** Pieces that are errors, by their places in the list. */
  readonly pieces: readonly number[];
  /** Pieces that are part of a hit of something else. */
  readonly hits: readonly Item[];
  readonly overlap: number;
}

/** More pieces than this are not compared with each other by their words. */
const MOST_COMPARED = 30;

/** Gold that was found in pieces, and pieces of gold that were found as one: the largest group first. */
export function typePieces(pairs: ErrorPairs): void {
  if (pairs.near.length === 0) return;
  for (const group of groupsOf(pairs)) {
    const split = group.type === 'split';
    const typeOf = (at: number): unknown => (split ? pairs.spuriousType(at) : pairs.missedType(at));
    const whole = split ? pairs.missedType(group.at) : pairs.spuriousType(group.at);
    const open = group.pieces.filter((at) => typeOf(at) === undefined);
    const items = split ? pairs.spurious : pairs.missed;
    if (whole !== undefined || open.length === 0) continue;
    if (!someApart([...open.map((at) => items[at]!), ...group.hits], pairs.compare)) continue;
    if (split) pairs.markMissed(group.at, 'split');
    else pairs.markSpurious(group.at, 'merged');
    for (const at of open) {
      if (split) pairs.markSpurious(at, 'split');
      else pairs.markMissed(at, 'merged');
    }
  }
}

interface Gathered {
  readonly pieces: number[];
  readonly hits: Item[];
  overlap: number;
}

function groupsOf(pairs: ErrorPairs): Group[] {
  const { missed, spurious, found } = pairs;
  const split = missed.map((): Gathered => ({ pieces: [], hits: [], overlap: 0 }));
  const merged = spurious.map((): Gathered => ({ pieces: [], hits: [], overlap: 0 }));
  for (const { gold, predicted, like, sameLabel } of pairs.near) {
    if (!sameLabel) continue;
    if (like.secondInside) {
      split[gold]!.pieces.push(predicted);
      split[gold]!.overlap += like.overlap;
    }
    if (like.firstInside) {
      merged[predicted]!.pieces.push(gold);
      merged[predicted]!.overlap += like.overlap;
    }
  }
  for (const { gold, predicted, like } of pairs.missedInHits) {
    const piece = found[predicted]!.predicted;
    if (like.secondInside && piece.label === missed[gold]!.label) split[gold]!.hits.push(piece);
  }
  for (const { gold, predicted, like } of pairs.spuriousInHits) {
    const piece = found[gold]!.gold;
    if (like.firstInside && piece.label === spurious[predicted]!.label) merged[predicted]!.hits.push(piece);
  }
  const group = (type: Group['type'], items: readonly Item[]) => (own: Gathered, at: number) => ({
    type,
    at,
    whole: items[at]!,
    ...own,
  });
  return [...split.map(group('split', missed)), ...merged.map(group('merged', spurious))]
    .filter(({ pieces, hits }) => pieces.length > 0 && pieces.length + hits.length > 1)
    .sort(largestFirst);
}

/** Never by which side the whole is on: the type is looked at only where all else is equal, and then it does not matter. */
function largestFirst(a: Group, b: Group): number {
  return (
    b.pieces.length - a.pieces.length ||
    b.hits.length - a.hits.length ||
    rounded(b.overlap) - rounded(a.overlap) ||
    a.whole.start - b.whole.start ||
    a.whole.end - b.whole.end ||
    compareText(a.whole.label, b.whole.label) ||
    compareText(a.whole.text, b.whole.text) ||
    a.at - b.at ||
    compareText(b.type, a.type)
  );
}

/** A sum does not depend on its order but for the last digits. */
function rounded(sum: number): number {
  return Math.round(sum * 1e9);
}

/** Whether two of the pieces have nothing in common: copies of one piece are no pieces. */
function someApart(pieces: readonly Item[], compare: Compare): boolean {
  if (pieces.length < 2) return false;
  if (pieces.every(({ start }) => start >= 0)) {
    const firstEnd = pieces.reduce((least, { end }) => Math.min(least, end), Infinity);
    const lastStart = pieces.reduce((most, { start }) => Math.max(most, start), -Infinity);
    return firstEnd <= lastStart;
  }
  const some = pieces.slice(0, MOST_COMPARED);
  return some.some((one, at) => some.slice(at + 1).some((other) => compare(one, other) === null));
}
