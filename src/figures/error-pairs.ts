import type { Item } from '../data/item.ts';
import { compareText } from '../text/compare.ts';
import type { ErrorType } from './error-type.ts';
import type { Compare, Likeness } from './likeness.ts';
import type { Near } from './near-items.ts';

export interface FoundPair {
  readonly gold: Item;
  readonly predicted: Item;
}

/** A missed gold item and a spurious prediction that have something in common. */
export interface NearError extends Near {
  readonly sameLabel: boolean;
}

interface Given {
  readonly missed: readonly Item[];
  readonly spurious: readonly Item[];
  readonly found: readonly FoundPair[];
  readonly compare: Compare;
  readonly near: (gold: readonly Item[], predicted: readonly Item[]) => Near[];
}

/** The errors of one kind in one case while they are given their types: each is marked once. */
export class ErrorPairs {
  readonly missed: readonly Item[];
  readonly spurious: readonly Item[];
  readonly found: readonly FoundPair[];
  readonly compare: Compare;
  /** Missed gold with spurious predictions, with predictions of hits; and gold of hits with spurious predictions. */
  readonly near: readonly NearError[];
  readonly missedInHits: readonly Near[];
  readonly spuriousInHits: readonly Near[];
  readonly #missed: (ErrorType | undefined)[];
  readonly #spurious: (ErrorType | undefined)[];
  readonly #partners: (number | undefined)[] = [];

  constructor({ missed, spurious, found, compare, near }: Given) {
    this.missed = missed;
    this.spurious = spurious;
    this.found = found;
    this.compare = compare;
    this.near = near(missed, spurious)
      .map((one) => ({ ...one, sameLabel: missed[one.gold]!.label === spurious[one.predicted]!.label }))
      .sort((a, b) => byOverlap(a, b) || this.#byPlace(a, b));
    this.missedInHits = near(
      missed,
      found.map(({ predicted }) => predicted),
    );
    this.spuriousInHits = near(
      found.map(({ gold }) => gold),
      spurious,
    );
    this.#missed = missed.map(() => undefined);
    this.#spurious = spurious.map(() => undefined);
  }

  missedType(at: number): ErrorType | undefined {
    return this.#missed[at];
  }

  spuriousType(at: number): ErrorType | undefined {
    return this.#spurious[at];
  }

  /** The spurious prediction that a missed item was put together with, by its place. */
  partnerOf(at: number): number | undefined {
    return this.#partners[at];
  }

  /** Has no effect on what has a type. */
  markMissed(at: number, type: ErrorType): void {
    this.#missed[at] ??= type;
  }

  markSpurious(at: number, type: ErrorType): void {
    this.#spurious[at] ??= type;
  }

  /** Pairs that are open on both sides and wanted, each item in one, the largest overlap first. */
  oneToOne(
    wanted: (near: NearError) => boolean,
    typeOf: (gold: Item, predicted: Item, like: Likeness) => ErrorType,
  ): void {
    for (const near of this.near) {
      const { gold, predicted, like } = near;
      if (this.#missed[gold] !== undefined || this.#spurious[predicted] !== undefined || !wanted(near)) continue;
      const type = typeOf(this.missed[gold]!, this.spurious[predicted]!, like);
      this.#missed[gold] = type;
      this.#spurious[predicted] = type;
      this.#partners[gold] = predicted;
    }
  }

  /** Ties go by what both have together, so that it does not matter which of the two is gold. */
  #byPlace(a: Near, b: Near): number {
    const [one, other] = [this.missed[a.gold]!, this.spurious[a.predicted]!];
    const [third, fourth] = [this.missed[b.gold]!, this.spurious[b.predicted]!];
    return (
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

function wordsOf(...both: readonly [Item, Item]): string {
  return both
    .map(({ label, text, source, target }) => JSON.stringify([label, text, source, target]))
    .sort(compareText)
    .join();
}

function byOverlap(a: NearError, b: NearError): number {
  return b.like.overlap - a.like.overlap || Number(b.sameLabel) - Number(a.sameLabel);
}
