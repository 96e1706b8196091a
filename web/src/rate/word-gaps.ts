/**
 * Places between words at which a claim can be split: the beginning of every word but the first.
 *
 * @example wordGaps('one two') // [4]
 */
export function wordGaps(text: string): readonly number[] {
  return [...text.matchAll(/(?<=\S\s+)(?=\S)/g)].map(({ index }) => index);
}

/** The most likely place for a cut: after a comma or the like, near the middle; otherwise in the middle. */
export function likelyGap(text: string): number | null {
  const gaps = wordGaps(text);
  const pauses = gaps.filter((gap) => /[,;:।—–]\s*$/.test(text.slice(0, gap)));
  return closestPlace(pauses.length > 0 ? pauses : gaps, text.length / 2);
}

/** Null if there are no places. */
export function closestPlace(places: readonly number[], wanted: number): number | null {
  let best: number | null = null;
  for (const place of places) {
    if (best === null || Math.abs(place - wanted) < Math.abs(best - wanted)) best = place;
  }
  return best;
}
