import type { SpanCase } from '../data/span-case.ts';
import { END, LABEL, type SpanList, START } from '../data/span-list.ts';
import { wordsOf } from '../judge/error-pairs.ts';
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

/** The order of near pairs in `ErrorPairs`; words are compared only where all else is equal. */
export function byOverlap(given: SpanCase, near: NearSpans, a: number, b: number): number {
  const gain = near.iou[b]! - near.iou[a]!;
  if (gain !== 0) return gain;
  const { gold, predicted } = given.spans;
  const [g, p, h, q] = [near.gold[a]!, near.predicted[a]!, near.gold[b]!, near.predicted[b]!];
  const [start, end] = [gold.get(g, START), gold.get(g, END)];
  const [otherStart, otherEnd] = [predicted.get(p, START), predicted.get(p, END)];
  const [thirdStart, thirdEnd] = [gold.get(h, START), gold.get(h, END)];
  const [fourthStart, fourthEnd] = [predicted.get(q, START), predicted.get(q, END)];
  const sameLabel = (one: number, other: number): number =>
    Number(gold.get(one, LABEL) === predicted.get(other, LABEL));
  return (
    sameLabel(h, q) - sameLabel(g, p) ||
    Math.min(start, otherStart) - Math.min(thirdStart, fourthStart) ||
    Math.max(start, otherStart) - Math.max(thirdStart, fourthStart) ||
    Math.min(end, otherEnd) - Math.min(thirdEnd, fourthEnd) ||
    Math.max(end, otherEnd) - Math.max(thirdEnd, fourthEnd) ||
    (isSameSpan(gold, g, h) && isSameSpan(predicted, p, q) ? 0 : byWords(given, g, p, h, q)) ||
    g - h ||
    p - q
  );
}

function isSameSpan(list: SpanList, a: number, b: number): boolean {
  return arePlacedAlike(list, a, list, b) && list.get(a, LABEL) === list.get(b, LABEL);
}

function byWords({ spans: { gold, predicted }, text }: SpanCase, g: number, p: number, h: number, q: number): number {
  const itemOf = (list: SpanList, at: number) => ({
    label: list.labels[list.get(at, LABEL)]!,
    text: text.slice(list.get(at, START), list.get(at, END)),
    source: null,
    target: null,
  });
  return compareText(wordsOf(itemOf(gold, g), itemOf(predicted, p)), wordsOf(itemOf(gold, h), itemOf(predicted, q)));
}
