import type { Verdict } from '../judge/verdict.ts';
import { wilson } from '../stats/wilson.ts';
import { countVerdict, creditOf, type F1Counts, noCounts } from './f1-counts.ts';
import type { Calibration, CalibrationBin } from './run-figures.ts';

const BINS = 10;
/** Confidences are added up as whole multiples of this, so that their sums are exact. */
const GRAIN = 2 ** -30;
/** Different confidences of the curve; with more of them they are cut to four decimals. */
const MOST_LEVELS = 50_000;
const CUT = 10_000;
export const MOST_POINTS = 200;

export type LeftOut = 'missing' | 'outside';

/** Predictions by the confidence that one of their fields gives. */
export class ConfidenceCounts {
  readonly #bins = Array.from({ length: BINS }, () => ({ n: 0, hit: 0, grains: 0 }));
  #levels = new Map<number, F1Counts>();
  #cut = false;
  readonly leftOut: Record<LeftOut, number> = { missing: 0, outside: 0 };
  n = 0;

  /** A hit or a spurious prediction, with what its field holds. */
  add(verdict: Verdict, value: unknown): void {
    const { weight } = verdict;
    if (typeof value !== 'number' || Number.isNaN(value)) this.leftOut.missing += weight;
    else if (value < 0 || value > 1) this.leftOut.outside += weight;
    else {
      const bin = this.#bins[Math.min(BINS - 1, Math.floor(value * BINS))]!;
      bin.n += weight;
      if (verdict.verdict === 'hit') bin.hit += weight;
      bin.grains += Math.round(value / GRAIN) * weight;
      this.n += weight;
      this.#level(value, verdict);
    }
  }

  bins(): CalibrationBin[] {
    return this.#bins.map(({ n, hit, grains }, at) => {
      const { interval } = wilson(hit, n);
      return {
        from: at / BINS,
        to: (at + 1) / BINS,
        n,
        confidence: n === 0 ? null : (grains * GRAIN) / n,
        precision: n === 0 ? null : hit / n,
        interval: interval === null ? null : { low: interval.low, high: interval.high },
      };
    });
  }

  /** From the highest confidence down, equal ones together. */
  curve(gold: number): Calibration['curve'] {
    const kept = noCounts();
    const points = [...this.#levels]
      .sort(([a], [b]) => b - a)
      .map(([confidence, own]) => {
        kept.credit += own.credit;
        kept.hit += own.hit;
        kept.spurious += own.spurious;
        const [worth, predicted] = [creditOf(kept), kept.hit + kept.spurious];
        return {
          confidence,
          kept: predicted,
          precision: worth / predicted,
          recall: gold === 0 ? null : worth / gold,
          f1: (2 * worth) / (predicted + gold),
        };
      });
    return thinned(points);
  }

  #level(value: number, verdict: Verdict): void {
    const level = this.#cut ? cut(value) : value;
    let own = this.#levels.get(level);
    if (own === undefined) this.#levels.set(level, (own = noCounts()));
    countVerdict(own, verdict);
    if (this.#levels.size <= MOST_LEVELS || this.#cut) return;
    this.#cut = true;
    const coarse = new Map<number, F1Counts>();
    for (const [fine, counts] of this.#levels) {
      let held = coarse.get(cut(fine));
      if (held === undefined) coarse.set(cut(fine), (held = noCounts()));
      held.credit += counts.credit;
      held.hit += counts.hit;
      held.spurious += counts.spurious;
    }
    this.#levels = coarse;
  }
}

function cut(value: number): number {
  return Math.floor(value * CUT) / CUT;
}

/** Points at even steps, the first and the last among them, and the one with the highest F1. */
function thinned(points: Calibration['curve']): Calibration['curve'] {
  if (points.length <= MOST_POINTS) return points;
  const steps = MOST_POINTS - 2;
  const wanted = new Set(Array.from({ length: steps + 1 }, (_, at) => Math.round((at * (points.length - 1)) / steps)));
  let best = 0;
  points.forEach(({ f1 }, at) => {
    if ((f1 ?? 0) > (points[best]!.f1 ?? 0)) best = at;
  });
  return points.filter((_, at) => wanted.has(at) || at === best);
}
