import type { SpanCase } from '../data/span-case.ts';
import { END, LABEL, type SpanList, START } from '../data/span-list.ts';
import { compareText } from '../text/compare.ts';
import { overlapLength } from '../text/span.ts';
import type { NearSpans } from './span-pairs.ts';

/** How many characters two spans have in common. */
export function commonOf(first: SpanList, a: number, second: SpanList, b: number): number {
  return overlapLength(first.get(a, START), first.get(a, END), second.get(b, START), second.get(b, END));
}

export function arePlacedAlike(first: SpanList, a: number, second: SpanList, b: number): boolean {
  return first.get(a, START) === second.get(b, START) && first.get(a, END) === second.get(b, END);
}

/** More than half of it. */
export function isInside(inner: SpanList, at: number, outer: SpanList, whole: number): boolean {
  return 2 * commonOf(inner, at, outer, whole) > inner.get(at, END) - inner.get(at, START);
}

/** The order of near pairs in `ErrorPairs`: words are compared only where all else is equal. */
export class NearOrder {
  readonly #given: SpanCase;
  readonly #near: NearSpans;
  /** In JSON, by number. */
  readonly #labels: string[] = [];

  constructor(given: SpanCase, near: NearSpans) {
    this.#given = given;
    this.#near = near;
  }

  compare(a: number, b: number): number {
    const { gold: golds, predicted: predicteds, iou } = this.#near;
    const gain = iou[b]! - iou[a]!;
    if (gain !== 0) return gain;
    const { gold, predicted } = this.#given.spans;
    const g = golds[a]!;
    const p = predicteds[a]!;
    const h = golds[b]!;
    const q = predicteds[b]!;
    const isSame = gold.get(g, LABEL) === predicted.get(p, LABEL);
    const isOtherSame = gold.get(h, LABEL) === predicted.get(q, LABEL);
    return (
      Number(isOtherSame) - Number(isSame) ||
      byPlaces(gold, predicted, START, g, p, h, q) ||
      byPlaces(gold, predicted, END, g, p, h, q) ||
      this.#byWords(g, p, h, q) ||
      g - h ||
      p - q
    );
  }

  /** By the words of both spans of the pairs, whichever of them is gold; a predicted one is from -1 down. */
  #byWords(g: number, p: number, h: number, q: number): number {
    const isGoldFirst = this.#byWord(g, ~p) <= 0;
    const isOtherGoldFirst = this.#byWord(h, ~q) <= 0;
    return (
      this.#byWord(isGoldFirst ? g : ~p, isOtherGoldFirst ? h : ~q) ||
      this.#byWord(isGoldFirst ? ~p : g, isOtherGoldFirst ? ~q : h)
    );
  }

  /** As `wordsOf` has them. */
  #byWord(a: number, b: number): number {
    const { gold, predicted } = this.#given.spans;
    const first = a < 0 ? predicted : gold;
    const second = b < 0 ? predicted : gold;
    const one = a < 0 ? ~a : a;
    const other = b < 0 ? ~b : b;
    const label = first.get(one, LABEL);
    const otherLabel = second.get(other, LABEL);
    if (label !== otherLabel) return compareText(this.#label(label), this.#label(otherLabel));
    return arePlacedAlike(first, one, second, other)
      ? 0
      : compareText(this.#text(first, one), this.#text(second, other));
  }

  #label(label: number): string {
    return (this.#labels[label] ??= JSON.stringify(this.#given.spans.gold.labels[label]));
  }

  #text(list: SpanList, at: number): string {
    return JSON.stringify(this.#given.text.slice(list.get(at, START), list.get(at, END)));
  }
}

/** By the lesser of two starts, or ends, and then by the greater. */
function byPlaces(
  gold: SpanList,
  predicted: SpanList,
  what: number,
  g: number,
  p: number,
  h: number,
  q: number,
): number {
  const one = gold.get(g, what);
  const other = predicted.get(p, what);
  const third = gold.get(h, what);
  const fourth = predicted.get(q, what);
  return Math.min(one, other) - Math.min(third, fourth) || Math.max(one, other) - Math.max(third, fourth);
}
