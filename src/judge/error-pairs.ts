import type { Item } from '../data/item.ts';
import { compareText } from '../text/compare.ts';
import { byPieces } from '../text/pieces.ts';
import type { ErrorType } from './error-type.ts';
import type { LikenessOf, Likeness, Near } from './likeness.ts';

type ErrorSide = 'missed' | 'spurious';

/** A missed gold item and a spurious prediction that have something in common. */
interface NearError extends Near {
  readonly sameLabel: boolean;
}

/** The errors of one kind in one case, and its hits. */
export interface Errors extends Readonly<Record<ErrorSide, readonly Item[]>> {
  /** Both sides of the hits. */
  readonly foundGold: readonly Item[];
  readonly foundPredicted: readonly Item[];
  readonly compare: LikenessOf;
}

/** More pieces than this are not compared with each other by their words. */
const MOST_COMPARED = 30;

/** Errors while they are given their types: each is marked once. */
export class ErrorPairs {
  readonly #errors: Errors;
  /** Missed gold with spurious predictions, with predictions of hits; and gold of hits with spurious predictions. */
  readonly #near: readonly NearError[];
  readonly #missedInHits: readonly Near[];
  readonly #spuriousInHits: readonly Near[];
  readonly types: Readonly<Record<ErrorSide, (ErrorType | undefined)[]>>;
  readonly #further: Record<ErrorSide, number[]> = { missed: [], spurious: [] };
  /** By a missed item, the spurious prediction that it was put together with. */
  readonly partners: (number | undefined)[] = [];

  constructor(errors: Errors, near: (gold: readonly Item[], predicted: readonly Item[]) => Near[]) {
    const { missed, spurious, foundGold, foundPredicted } = errors;
    this.#errors = errors;
    this.#near = near(missed, spurious)
      .map(({ gold, predicted, like }) => {
        return { gold, predicted, like, sameLabel: missed[gold]!.label === spurious[predicted]!.label };
      })
      .sort((a, b) => this.#byOverlap(a, b));
    this.#missedInHits = near(missed, foundPredicted);
    this.#spuriousInHits = near(foundGold, spurious);
    this.types = { missed: missed.map(() => undefined), spurious: spurious.map(() => undefined) };
  }

  /** Has no effect on what has a type. */
  mark(side: ErrorSide, at: number, type: ErrorType): void {
    this.types[side][at] ??= type;
  }

  /** Pairs that are open on both sides and wanted, each item in one, the largest overlap first. */
  oneToOne(
    wanted: (near: NearError) => boolean,
    typeOf: (gold: Item, predicted: Item, like: Likeness) => ErrorType,
  ): void {
    const { missed, spurious } = this.types;
    for (const near of this.#near) {
      const { gold, predicted, like } = near;
      if (missed[gold] !== undefined || spurious[predicted] !== undefined || !wanted(near)) continue;
      missed[gold] = typeOf(this.#errors.missed[gold]!, this.#errors.spurious[predicted]!, like);
      spurious[predicted] = missed[gold];
      this.partners[gold] = predicted;
    }
  }

  /** Gold that was found in pieces, and pieces of gold that were found as one: the largest group first. */
  markPieces(): void {
    for (const { type, side, other, at, pieces, hits } of this.#near.length === 0 ? [] : this.#groups()) {
      const open = pieces.filter((piece) => this.types[other][piece] === undefined);
      if (this.types[side][at] !== undefined || open.length === 0) continue;
      if (!someApart([...open.map((piece) => this.#errors[other][piece]!), ...hits], this.#errors.compare)) continue;
      this.mark(side, at, type);
      for (const piece of open) this.mark(other, piece, type);
    }
  }

  #groups(): Group[] {
    const { missed, spurious, foundGold, foundPredicted } = this.#errors;
    const [split, merged] = [new Map<number, Group>(), new Map<number, Group>()];
    for (const { gold, predicted, like, sameLabel } of this.#near) {
      if (!sameLabel) continue;
      if (like.secondInside) groupOf(split, 'split', missed, gold).add(predicted, like);
      if (like.firstInside) groupOf(merged, 'merged', spurious, predicted).add(gold, like);
    }
    // Of hits alone no group is made.
    for (const { gold, predicted, like } of this.#missedInHits)
      if (like.secondInside) split.get(gold)?.addHit(foundPredicted[predicted]!);
    for (const { gold, predicted, like } of this.#spuriousInHits)
      if (like.firstInside) merged.get(predicted)?.addHit(foundGold[gold]!);
    return [...split.values(), ...merged.values()]
      .filter(({ pieces, hits }) => pieces.length + hits.length > 1)
      .sort(largestFirst);
  }

  /**
   * Errors that lie where a hit is. A second find of what was found, or a second mark in gold of it, is a duplicate: it lies
   * at the same place, or has the same label and one is inside the other. What is in one half of the hit and not in the
   * other is a further piece: of gold that was found in part (split), or of a prediction that took in too much (merged).
   */
  markRepeats(): void {
    const { missed, spurious, foundGold, foundPredicted } = this.#errors;
    for (const { gold, predicted, like } of this.#spuriousInHits) {
      const [whole, other] = [foundGold[gold]!, foundPredicted[gold]!];
      this.#markRepeat('spurious', predicted, spurious[predicted]!, {
        whole,
        other,
        like,
        isInside: like.secondInside,
      });
    }
    for (const { gold, predicted, like } of this.#missedInHits) {
      const [other, whole] = [foundGold[predicted]!, foundPredicted[predicted]!];
      this.#markRepeat('missed', gold, missed[gold]!, { whole, other, like, isInside: like.firstInside });
    }
    // Whatever is a duplicate of one hit is no piece of another.
    for (const at of this.#further.spurious) this.mark('spurious', at, 'split');
    for (const at of this.#further.missed) this.mark('missed', at, 'merged');
  }

  /** `whole` is the other side's half of the hit, in which the error lies, and `other` the half on the error's side. */
  #markRepeat(
    side: ErrorSide,
    at: number,
    own: Item,
    { whole, other, like, isInside }: { whole: Item; other: Item; like: Likeness; isInside: boolean },
  ): void {
    const beside = this.#errors.compare(own, other);
    if (like.same || beside?.same === true) this.mark(side, at, 'duplicate');
    else if (own.label !== whole.label || !(like.firstInside || like.secondInside)) return;
    else if (beside !== null) this.mark(side, at, 'duplicate');
    else if (isInside) this.#further[side].push(at);
  }

  /** Ties go by what both have together, so that it does not matter which of the two is gold. */
  #byOverlap(a: NearError, b: NearError): number {
    const { missed, spurious } = this.#errors;
    const [one, other] = [missed[a.gold]!, spurious[a.predicted]!];
    const [third, fourth] = [missed[b.gold]!, spurious[b.predicted]!];
    return (
      b.like.overlap - a.like.overlap ||
      Number(b.sameLabel) - Number(a.sameLabel) ||
      Math.min(one.start, other.start) - Math.min(third.start, fourth.start) ||
      Math.max(one.start, other.start) - Math.max(third.start, fourth.start) ||
      Math.min(one.end, other.end) - Math.min(third.end, fourth.end) ||
      Math.max(one.end, other.end) - Math.max(third.end, fourth.end) ||
      compareText(wordsOf(one, other), wordsOf(third, fourth)) ||
      a.gold - b.gold ||
      a.predicted - b.predicted
    );
  }
}

function groupOf(groups: Map<number, Group>, type: Group['type'], items: readonly Item[], at: number): Group {
  let group = groups.get(at);
  if (group === undefined) groups.set(at, (group = new Group(type, items[at]!, at)));
  return group;
}

/** One item and the pieces of its label that lie more in it than out of it. */
class Group {
  readonly type: 'split' | 'merged';
  readonly side: ErrorSide;
  readonly other: ErrorSide;
  readonly whole: Item;
  readonly at: number;
  /** Pieces that are errors, by their places in the list of the other side, and pieces that are part of a hit. */
  readonly pieces: number[] = [];
  readonly hits: Item[] = [];
  overlap = 0;

  constructor(type: Group['type'], whole: Item, at: number) {
    this.type = type;
    [this.side, this.other] = type === 'split' ? ['missed', 'spurious'] : ['spurious', 'missed'];
    this.whole = whole;
    this.at = at;
  }

  add(piece: number, { overlap }: Likeness): void {
    this.pieces.push(piece);
    this.overlap += overlap;
  }

  addHit(piece: Item): void {
    if (piece.label === this.whole.label) this.hits.push(piece);
  }
}

/** Never by which side the whole is on: the type is looked at only where all else is equal, and then it does not matter. */
function largestFirst(a: Group, b: Group): number {
  return (
    b.pieces.length - a.pieces.length ||
    b.hits.length - a.hits.length ||
    // A sum does not depend on its order but for the last digits.
    Math.round(b.overlap * 1e9) - Math.round(a.overlap * 1e9) ||
    byPieces(a.whole, b.whole) ||
    compareText(a.whole.label, b.whole.label) ||
    compareText(a.whole.text, b.whole.text) ||
    a.at - b.at ||
    compareText(b.type, a.type)
  );
}

/** Whether two of the pieces have nothing in common: copies of one piece are no pieces. */
function someApart(pieces: readonly Item[], compare: LikenessOf): boolean {
  if (pieces.length < 2) return false;
  if (pieces.every(({ start, fragments }) => start >= 0 && fragments === undefined)) {
    const firstEnd = pieces.reduce((least, { end }) => Math.min(least, end), Infinity);
    return firstEnd <= pieces.reduce((most, { start }) => Math.max(most, start), -Infinity);
  }
  const some = pieces.slice(0, MOST_COMPARED);
  return some.some((one, at) => some.slice(at + 1).some((other) => compare(one, other) === null));
}

function wordsOf(...both: readonly [Item, Item]): string {
  return both
    .map(({ label, text, source, target }) => JSON.stringify([label, text, source, target]))
    .sort(compareText)
    .join();
}
