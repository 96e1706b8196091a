/**
 * The value below which a share q of the sorted values lies, with a straight line between neighbours (numpy's linear
 * percentile, to the last bit). Example: q 0.25 of [1, 2, 3, 4]: place 0.75, so 1.75.
 */
export function percentile(sorted: ArrayLike<number>, q: number): number {
  const last = sorted.length - 1;
  if (last < 0) throw new RangeError('there is no percentile of nothing');
  const place = q * last;
  const below = Math.min(Math.floor(place), last);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, last)]!;
  const share = place - below;
  const gap = high - low;
  // From the nearer end, so that the result never passes either.
  return share >= 0.5 ? high - gap * (1 - share) : low + gap * share;
}
