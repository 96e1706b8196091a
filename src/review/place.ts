/** A place in the text under review, in UTF-16 units; both are -1 if absent. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export function overlap(a: Place, b: Place): boolean {
  return a.start >= 0 && b.start >= 0 && a.start < b.end && b.start < a.end;
}

export function isWithin(inner: Place, outer: Place): boolean {
  return inner.start >= outer.start && inner.end <= outer.end && inner.start >= 0;
}

export function isSamePlace(a: Place, b: Place): boolean {
  return a.start === b.start && a.end === b.end;
}

/** From the first of several places to the end of the last; null if none of them is one. */
export function placeAround(places: readonly Place[]): Place | null {
  const placed = places.filter(({ start }) => start >= 0);
  if (placed.length === 0) return null;
  return {
    start: Math.min(...placed.map(({ start }) => start)),
    end: Math.max(...placed.map(({ end }) => end)),
  };
}

/** By place; what has none comes last, in the order in which it came. */
export function byPlace(a: Place, b: Place): number {
  if (a.start < 0 || b.start < 0) return Number(a.start < 0) - Number(b.start < 0);
  return a.start - b.start || a.end - b.end;
}

/** `12-40` as a place; null for a part that is none. */
export function placeOfPart(part: string | null): Place | null {
  const [, start, end] = /^(\d{1,15})-(\d{1,15})(?:#\d+)?$/.exec(part ?? '') ?? [];
  return start === undefined ? null : { start: Number(start), end: Number(end) };
}
