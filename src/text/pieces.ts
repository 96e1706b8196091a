import { skipSpace, skipSpaceBack } from './characters.ts';
import { iou, isContained, lastAtOrBefore, overlapLength, shareInside, type Span } from './span.ts';

/**
 * The place of an item in a text: one stretch, or several pieces that belong together ("left … atrium"). The text between
 * pieces is not part of it: everything that compares two places asks here, and takes `start` and `end` of a place in
 * pieces for a first guess at most.
 */
export interface PiecedSpan extends Span {
  readonly fragments?: readonly Span[];
}

/** The stretches of a place, in order and apart from one another; those that touch are one. */
export function stretchesOf(place: PiecedSpan): readonly Span[] {
  const { fragments } = place;
  if (fragments === undefined) return [place];
  return fragments.every((piece, at) => piece.start < piece.end && (fragments[at - 1]?.end ?? -1) < piece.start)
    ? fragments
    : unionOf(fragments);
}

/** The places that at least one of the stretches covers, in order and apart from one another; empty ones cover nothing. */
export function unionOf(stretches: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const { start, end } of stretches.toSorted((a, b) => a.start - b.start)) {
    if (end <= start) continue;
    const last = out.at(-1);
    if (last !== undefined && start <= last.end)
      out[out.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else out.push({ start, end });
  }
  return out;
}

/** From the first character of the pieces to the last, whatever their order. */
export function hullOf(pieces: readonly Span[]): Span {
  return {
    start: pieces.reduce((least, { start }) => Math.min(least, start), Infinity),
    end: pieces.reduce((most, { end }) => Math.max(most, end), 0),
  };
}

function lengthOf(pieces: readonly Span[]): number {
  return pieces.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** How much two lists of pieces have in common, in one walk over both. */
function commonLength(first: readonly Span[], second: readonly Span[]): number {
  let length = 0;
  for (let a = 0, b = 0; a < first.length && b < second.length;) {
    const [one, other] = [first[a]!, second[b]!];
    length += overlapLength(one.start, one.end, other.start, other.end);
    if (one.end < other.end) a += 1;
    else b += 1;
  }
  return length;
}

function areWhole(a: PiecedSpan, b: PiecedSpan): boolean {
  return a.fragments === undefined && b.fragments === undefined;
}

/** How many characters two places have in common. */
export function placeOverlap(a: PiecedSpan, b: PiecedSpan): number {
  if (areWhole(a, b)) return overlapLength(a.start, a.end, b.start, b.end);
  return commonLength(stretchesOf(a), stretchesOf(b));
}

/** Below 0 for stretches with a gap between them. */
function common(a: Span, b: Span): number {
  return Math.min(a.end, b.end) - Math.max(a.start, b.start);
}

/** Whether two places share a character; with a reach, also if the gap between them is at most that long. */
export function areNear(a: PiecedSpan, b: PiecedSpan, reach: number): boolean {
  const least = reach === 0 ? 1 : -reach;
  if (areWhole(a, b)) return common(a, b) >= least;
  const [first, second] = [stretchesOf(a), stretchesOf(b)];
  for (let at = 0, other = 0; at < first.length && other < second.length;) {
    if (common(first[at]!, second[other]!) >= least) return true;
    if (first[at]!.end < second[other]!.end) at += 1;
    else other += 1;
  }
  return false;
}

/** Whether two places have the same pieces, each boundary up to the tolerance. */
export function haveSamePieces(a: PiecedSpan, b: PiecedSpan, tolerance = 0): boolean {
  if (areWhole(a, b)) return haveBoundaries(a, b, tolerance);
  const [first, second] = [stretchesOf(a), stretchesOf(b)];
  return first.length === second.length && first.every((piece, at) => haveBoundaries(piece, second[at]!, tolerance));
}

function haveBoundaries(a: Span, b: Span, tolerance: number): boolean {
  return Math.abs(a.start - b.start) <= tolerance && Math.abs(a.end - b.end) <= tolerance;
}

/**
 * `iou` of all characters of both. With a tolerance and as many pieces on both sides, each boundary of a predicted piece
 * at most that far from gold's counts as gold's; pieces that are not as many have no boundaries to compare.
 *
 * @example gold 0..4 and 15..21, predicted 0..4: 4 / 10; predicted 9..14: 0
 */
export function placeIou(gold: PiecedSpan, predicted: PiecedSpan, tolerance = 0): number {
  if (areWhole(gold, predicted)) return iou(gold.start, gold.end, predicted.start, predicted.end, tolerance);
  const [golds, given] = [stretchesOf(gold), stretchesOf(predicted)];
  if (commonLength(golds, given) === 0) return 0;
  const snapped = tolerance > 0 && golds.length === given.length ? snap(golds, given, tolerance) : given;
  const shared = commonLength(golds, snapped);
  return shared / (lengthOf(golds) + lengthOf(snapped) - shared);
}

function snap(golds: readonly Span[], given: readonly Span[], tolerance: number): readonly Span[] {
  const near = (own: number, gold: number): number => (Math.abs(own - gold) <= tolerance ? gold : own);
  return unionOf(
    given.map(({ start, end }, at) => ({ start: near(start, golds[at]!.start), end: near(end, golds[at]!.end) })),
  );
}

/** Whether each character of the inner place is in the outer one, or at most `tolerance` characters beside it. */
export function isPlaceInside(inner: PiecedSpan, outer: PiecedSpan, tolerance = 0): boolean {
  if (areWhole(inner, outer)) return isContained(inner.start, inner.end, outer.start, outer.end, tolerance);
  const wide = unionOf(
    stretchesOf(outer).map(({ start, end }) => ({ start: start - tolerance, end: end + tolerance })),
  );
  return stretchesOf(inner).every(({ start, end }) => (wide[lastAtOrBefore(wide, start)]?.end ?? -Infinity) >= end);
}

/** Share of the inner place that is inside the outer one: characters in common / inner length, from 0 to 1. */
export function placeShareInside(inner: PiecedSpan, outer: PiecedSpan): number {
  if (areWhole(inner, outer)) return shareInside(inner.start, inner.end, outer.start, outer.end);
  const own = stretchesOf(inner);
  return commonLength(own, stretchesOf(outer)) / lengthOf(own);
}

/** Orders places by where they begin and end, and then by their pieces. */
export function byPieces(a: PiecedSpan, b: PiecedSpan): number {
  if (a.start !== b.start || a.end !== b.end || areWhole(a, b)) return a.start - b.start || a.end - b.end;
  const [first, second] = [stretchesOf(a), stretchesOf(b)];
  const at = first.findIndex((piece, place) => {
    const other = second[place];
    return other === undefined || piece.start !== other.start || piece.end !== other.end;
  });
  if (at < 0) return first.length - second.length;
  const [one, other] = [first[at]!, second[at]];
  return other === undefined ? 1 : one.start - other.start || one.end - other.end;
}

/** The place that stretches make together; null if they cover nothing. */
export function placeOfPieces(stretches: readonly Span[]): PiecedSpan | null {
  const fragments = unionOf(stretches);
  const [first] = fragments;
  if (first === undefined) return null;
  return fragments.length === 1 ? first : { start: first.start, end: fragments.at(-1)!.end, fragments };
}

/** A place with the white space taken off both ends of each piece; null if there is nothing else. */
export function trimmedPlace(text: string, place: PiecedSpan): PiecedSpan | null {
  return placeOfPieces(
    stretchesOf(place).flatMap((piece) => {
      const start = skipSpace(text, piece.start);
      return start < piece.end ? [{ start, end: skipSpaceBack(text, start, piece.end) }] : [];
    }),
  );
}

/** Equal for places with the same pieces, and for no others. */
export function placeKey(place: PiecedSpan): string {
  return place.fragments === undefined
    ? `${place.start} ${place.end}`
    : stretchesOf(place)
        .map(({ start, end }) => `${start} ${end}`)
        .join(' ');
}

/** The place of a key. */
export function placeOfKey(key: string): PiecedSpan {
  const numbers = key.split(' ').map(Number);
  const whole = { start: numbers[0]!, end: numbers.at(-1)! };
  if (numbers.length === 2) return whole;
  return {
    ...whole,
    fragments: numbers.flatMap((start, at) => (at % 2 === 0 ? [{ start, end: numbers[at + 1]! }] : [])),
  };
}

/** The same place with its numbers changed, such as to another unit. */
export function movedPlace<P extends PiecedSpan>(place: P, at: (index: number) => number): P {
  const moved = { ...place, start: at(place.start), end: at(place.end) };
  if (place.fragments === undefined) return moved;
  return { ...moved, fragments: place.fragments.map(({ start, end }) => ({ start: at(start), end: at(end) })) };
}

/** What a text has at a place; pieces are joined by a space. */
export function textAt(text: string, place: PiecedSpan): string {
  if (place.fragments === undefined) return text.slice(place.start, place.end);
  return stretchesOf(place)
    .map(({ start, end }) => text.slice(start, end))
    .join(' ');
}

/** A place as people read it: 0–4 + 15–21. */
export function offsetsText(place: PiecedSpan, at: (index: number) => number = (index) => index): string {
  return stretchesOf(place)
    .map(({ start, end }) => `${at(start)}–${at(end)}`)
    .join(' + ');
}
