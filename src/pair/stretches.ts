/** From `start` up to, not including, `end`. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface CutStretch extends Stretch {
  readonly inGold: boolean;
  readonly inPredicted: boolean;
}

/** The places that at least one of the stretches covers, in order and apart from one another; empty ones cover nothing. */
export function unionOf(stretches: readonly Stretch[]): Stretch[] {
  const out: Stretch[] = [];
  for (const { start, end } of stretches.toSorted((a, b) => a.start - b.start)) {
    if (end <= start) continue;
    const last = out.at(-1);
    if (last !== undefined && start <= last.end)
      out[out.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else out.push({ start, end });
  }
  return out;
}

/**
 * Cuts two unions where either begins or ends and says of each piece which of them it is in; pieces in neither are left out.
 *
 * @example gold 0..5, predicted 3..8: 0..3 gold only, 3..5 both, 5..8 predicted only
 */
export function cutStretches(gold: readonly Stretch[], predicted: readonly Stretch[]): CutStretch[] {
  const points = [...gold, ...predicted].flatMap(({ start, end }) => [start, end]).sort((a, b) => a - b);
  const out: CutStretch[] = [];
  let g = 0;
  let p = 0;
  for (let at = 0; at + 1 < points.length; at += 1) {
    const start = points[at]!;
    const end = points[at + 1]!;
    if (start === end) continue;
    while (g < gold.length && gold[g]!.end <= start) g += 1;
    while (p < predicted.length && predicted[p]!.end <= start) p += 1;
    const inGold = g < gold.length && gold[g]!.start <= start;
    const inPredicted = p < predicted.length && predicted[p]!.start <= start;
    if (inGold || inPredicted) out.push({ start, end, inGold, inPredicted });
  }
  return out;
}
