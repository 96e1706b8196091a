import { confidenceOf } from '../data/confidence.ts';
import { ExactSum, type Foldable, FoldState } from '../data/fold-state.ts';
import { type ItemKind, NO_FIELDS } from '../data/item.ts';
import { isRecord } from '../data/record-fields.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Plan } from '../recipe/plan.ts';
import { wilson } from '../stats/wilson.ts';
import { addCounts, countsOf, countVerdict, creditOf, type F1Counts, noCounts } from './f1-counts.ts';
import type { Calibration, CalibrationBin } from './run-figures.ts';

/** Where systems say how sure they are. */
const USUAL_FIELDS = ['confidence', 'score', 'probability'] as const;
const RULE = 'min-confidence';
const BINS = 10;
/** Confidences are added up as whole multiples of this, so that their sums are exact. */
const GRAIN = 2 ** -30;
/** Different confidences of the curve; with more of them they are cut to four decimals. */
const MOST_LEVELS = 50_000;
const CUT = 10_000;
const MOST_POINTS = 200;

/**
 * Sorts predictions by the confidence that the system itself gives them, for each kind of item. A prediction is right
 * when it is a hit. If the recipe names a field, that one counts; else the default field that most predictions have.
 */
export function calibrationCounts(kinds: Iterable<ItemKind>, fields: readonly string[]) {
  const counts = () => new Map(fields.map((field) => [field, new ConfidenceCounts()]));
  const state = new FoldState();
  const counted = state.keep(new Map(Array.from(kinds, (kind) => [kind, { fields: counts(), gold: 0, bare: 0 }])));
  return {
    save: () => state.save(),
    merge: (saved: unknown) => state.merge(saved),
    add(verdicts: readonly Verdict[]): void {
      for (const verdict of verdicts) {
        const own = verdict.verdict === 'excused' ? undefined : counted.get(verdict.kind);
        if (own === undefined) continue;
        if (verdict.verdict !== 'spurious') own.gold += verdict.weight;
        if (verdict.verdict === 'missed') continue;
        const given = verdict.predicted?.fields ?? NO_FIELDS;
        // Many predictions have no fields at all.
        if (given === NO_FIELDS) own.bare += verdict.weight;
        else for (const [field, of] of own.fields) of.add(verdict, Object.hasOwn(given, field) ? given[field] : null);
      }
    },
    /** Items of one kind that have no fields. */
    addBare(kind: ItemKind, gold: number, predicted: number): void {
      const own = counted.get(kind);
      if (own === undefined) return;
      own.gold += gold;
      own.bare += predicted;
    },
    /** Kinds of which at least one prediction gives a confidence. */
    list: (): Calibration[] =>
      [...counted].flatMap(([kind, own]) => {
        const [field, best] = [...own.fields].reduce((most, one) => (one[1].sums.n > most[1].sums.n ? one : most));
        const { n, outside } = best.sums;
        const missing = best.sums.missing + own.bare;
        if (n === 0) return [];
        const bins = best.bins();
        const leftOut = {
          ...(missing > 0 ? { [`no number in ${field}`]: missing } : {}),
          ...(outside > 0 ? { [`${field} below 0 or above 1`]: outside } : {}),
        };
        const apart = bins.map((bin) => (bin.n / n) * Math.abs((bin.precision ?? 0) - (bin.confidence ?? 0)));
        const error = apart.reduce((sum, part) => sum + part, 0);
        return { kind, field, n, leftOut, bins, error, curve: best.curve(own.gold) };
      }),
  };
}

/** The fields that may hold a confidence: the recipe's own if it drops what is unsure, else the default ones. */
export function confidenceFields({ resolved }: Pick<Plan, 'resolved'>): readonly string[] {
  const rules = Object.entries(isRecord(resolved['prepare']) ? resolved['prepare'] : {});
  const own = rules.flatMap(([name, params]) =>
    isRecord(params) && (params['rule'] ?? name) === RULE && typeof params['field'] === 'string' ? params['field'] : [],
  );
  return own.length > 0 ? own.slice(0, 1) : USUAL_FIELDS;
}

/** Predictions by the confidence that one of their fields gives. */
class ConfidenceCounts implements Foldable {
  readonly #state = new FoldState();
  readonly #bins = Array.from({ length: BINS }, () => this.#state.keep({ n: 0, hit: 0, grains: new ExactSum() }));
  readonly sums = this.#state.keep({ n: 0, missing: 0, outside: 0 });
  /** By confidence; once there are too many, all of them by confidence cut to four decimals. */
  readonly #levels = this.#state.keep(new Map<number, F1Counts>());
  readonly #coarse = this.#state.keep(new Map<number, F1Counts>());

  /** A hit or a spurious prediction, with what its field holds. */
  add(verdict: Verdict, given: unknown): void {
    const { weight } = verdict;
    const value = confidenceOf(given);
    if (value === null) this.sums.missing += weight;
    else if (value < 0 || value > 1) this.sums.outside += weight;
    if (value === null || value < 0 || value > 1) return;
    const bin = this.#bins[Math.min(BINS - 1, Math.floor(value * BINS))]!;
    bin.n += weight;
    if (verdict.verdict === 'hit') bin.hit += weight;
    bin.grains.add(Math.round(value / GRAIN) * weight);
    this.sums.n += weight;
    const isCut = this.#coarse.size > 0;
    countVerdict(isCut ? countsOf(this.#coarse, cut(value)) : countsOf(this.#levels, value), verdict);
    if (!isCut) this.#cutLevels();
  }

  #cutLevels(): void {
    if (this.#levels.size <= MOST_LEVELS && this.#coarse.size === 0) return;
    // Each is cut once: to cut what was cut may come to the step below.
    for (const [fine, counts] of this.#levels) addCounts(countsOf(this.#coarse, cut(fine)), counts);
    this.#levels.clear();
  }

  save(): unknown {
    return this.#state.save();
  }

  merge(saved: unknown): void {
    this.#state.merge(saved);
    this.#cutLevels();
  }

  bins(): CalibrationBin[] {
    return this.#bins.map(({ n, hit, grains }, at) => {
      const { interval } = wilson(hit, n);
      return {
        from: at / BINS,
        to: (at + 1) / BINS,
        n,
        confidence: n === 0 ? null : (grains.value * GRAIN) / n,
        precision: n === 0 ? null : hit / n,
        interval: interval === null ? null : { low: interval.low, high: interval.high },
      };
    });
  }

  /** From the highest confidence down, equal ones together. */
  curve(gold: number): Calibration['curve'] {
    const all = noCounts();
    const points = [...this.#levels, ...this.#coarse]
      .sort(([a], [b]) => b - a)
      .map(([confidence, own]) => {
        addCounts(all, own);
        const [worth, kept] = [creditOf(all), all.hit + all.spurious];
        const recall = gold === 0 ? null : worth / gold;
        return { confidence, kept, precision: worth / kept, recall, f1: (2 * worth) / (kept + gold) };
      });
    return thinned(points);
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
  const best = points.reduce((most, { f1 }, at) => ((f1 ?? 0) > (points[most]!.f1 ?? 0) ? at : most), 0);
  return points.filter((_, at) => wanted.has(at) || at === best);
}
