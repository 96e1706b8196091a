import { firstFrom } from './compare.ts';

/** A stretch of text in UTF-16 units: from `start` up to, not including, `end`; `start <= end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The last of spans in order that begins at a place or before it; -1 if none does. */
export function lastAtOrBefore(spans: readonly Pick<Span, 'start'>[], place: number): number {
  return firstFrom(spans.length, (at) => spans[at]!.start > place) - 1;
}

// The functions take numbers, not spans: they run for every pair of candidates and should allocate nothing.

/** How many characters two spans have in common: max(0, min(ends) - max(starts)). Example: 0 to 5 and 3 to 9: 2. */
export function overlapLength(aStart: number, aEnd: number, bStart: number, bEnd: number): number {
  const length = Math.min(aEnd, bEnd) - Math.max(aStart, bStart);
  return length > 0 ? length : 0;
}

/**
 * Intersection over union: characters in both spans / characters in either, from 0 (apart) to 1 (the same). With a
 * tolerance, a predicted boundary at most that many characters away from gold's counts as gold's, each end on its own;
 * spans that share no character stay 0. Two empty spans (0/0): 1 at the same place, else 0.
 *
 * @example iou(0, 4, 2, 6) // 2 / 6
 * @example iou(10, 20, 11, 22, 1) // 10 / 12: the start counts as gold's, the end does not
 */
export function iou(gStart: number, gEnd: number, pStart: number, pEnd: number, tolerance = 0): number {
  if (gStart === pStart && gEnd === pEnd) return 1;
  if (overlapLength(gStart, gEnd, pStart, pEnd) === 0) return 0;
  const start = Math.abs(pStart - gStart) <= tolerance ? gStart : pStart;
  const end = Math.abs(pEnd - gEnd) <= tolerance ? gEnd : pEnd;
  const common = overlapLength(gStart, gEnd, start, end);
  return common / (gEnd - gStart + (end - start) - common);
}

/**
 * Whether the inner span lies inside the outer one, or sticks out by at most `tolerance` at either end.
 * It looks at boundaries only: with a tolerance, a one-character span beside the outer one is "inside" too.
 */
export function isContained(iStart: number, iEnd: number, oStart: number, oEnd: number, tolerance = 0): boolean {
  return iStart >= oStart - tolerance && iEnd <= oEnd + tolerance;
}

/**
 * Share of the inner span that is inside the outer one: characters in common / inner length, from 0 to 1. 0/0, an empty
 * inner span, is 0: nothing of it is inside. Example: 8 to 12 in 10 to 20: 0.5.
 */
export function shareInside(iStart: number, iEnd: number, oStart: number, oEnd: number): number {
  return iStart === iEnd ? 0 : overlapLength(iStart, iEnd, oStart, oEnd) / (iEnd - iStart);
}
