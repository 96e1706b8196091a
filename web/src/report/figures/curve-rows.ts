import type { Calibration } from '../../../../src/figures/run-figures.ts';

export type CurvePoint = Calibration['curve'][number];

/** Some points of a curve, evenly picked: the first, the last and the one with the best F1 are always among them. */
export function pickedPoints(curve: readonly CurvePoint[], most: number): CurvePoint[] {
  if (curve.length <= most) return [...curve];
  const wanted = new Set<number>();
  for (let at = 0; at < most - 1; at += 1) wanted.add(Math.round((at * (curve.length - 1)) / (most - 2)));
  const best = bestPoint(curve);
  if (best !== null) wanted.add(curve.indexOf(best));
  return curve.filter((_, at) => wanted.has(at));
}

/** The point with the highest F1; the first of equals, which keeps the fewest. */
export function bestPoint(curve: readonly CurvePoint[]): CurvePoint | null {
  let best: CurvePoint | null = null;
  for (const point of curve) if (point.f1 !== null && point.f1 > (best?.f1 ?? -1)) best = point;
  return best;
}
