import type { Case } from '../data/case.ts';
import type { Verdict, VerdictKind } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';
import { type CaseSpread, SpreadOverCases } from './case-spread.ts';
import { fieldValue } from './field-value.ts';
import { kindCounts } from './kind-counts.ts';
import type { CaseCounter, Counter, Measure, Outcome, Sums } from './measure.ts';
import type { CaseResult, MeasureValue, Slice } from './results.ts';

export { fieldValue } from './field-value.ts';
export type { CaseResult, Counts, MeasureValue, Slice } from './results.ts';

/** Sums of one slice, with those of its labels. */
class Group {
  readonly sums: Float64Array;
  readonly labels = new Map<string, Float64Array>();

  constructor(width: number) {
    this.sums = new Float64Array(width);
  }

  label(label: string): Float64Array {
    let own = this.labels.get(label);
    if (own === undefined) {
      own = new Float64Array(this.sums.length);
      this.labels.set(label, own);
    }
    return own;
  }
}

/** Adds verdicts up, case by case. All counters are whole numbers, so the order of cases cannot change a sum. */
export class Tally {
  readonly #measures: readonly Measure[];
  readonly #counters: readonly Counter[];
  readonly #caseCounters: readonly CaseCounter[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #fields: readonly string[];
  readonly #byLabel: boolean;
  readonly #groups = new Map<string, { slice: Slice; group: Group }>();
  readonly #spread: readonly SpreadOverCases[];
  /** Used again for every case. */
  readonly #caseSums: Float64Array;
  readonly #caseView: Sums;

  constructor(measures: readonly Measure[], slices: readonly string[]) {
    this.#measures = measures;
    this.#counters = unique(measures.flatMap((measure) => measure.counters));
    this.#caseCounters = unique(measures.flatMap((measure) => measure.caseCounters));
    this.#places = new Map([...this.#counters, ...this.#caseCounters].map((counter, at) => [counter.key, at]));
    this.#byLabel = slices.includes('label');
    this.#fields = slices.filter((slice) => slice !== 'label');
    this.#spread = measures.map(() => new SpreadOverCases());
    this.#caseSums = new Float64Array(this.#places.size);
    this.#caseView = this.#sums(this.#caseSums, () => []);
    this.#group({});
  }

  /** Verdicts of one case under one scheme (null: the recipe's own). */
  addCase(given: Case, scheme: string | null, verdicts: readonly Verdict[]): CaseResult {
    const counters = this.#counters;
    const own = this.#caseSums.fill(0);
    const groups = given.failed === null ? this.#groupsOf(given, scheme) : [];
    const whole = groups[0] ?? null;
    const counts: Record<VerdictKind, number> = { hit: 0, spurious: 0, missed: 0, excused: 0 };
    for (const verdict of verdicts) {
      counts[verdict.verdict] += verdict.weight;
      const label = whole?.label(verdict.label);
      for (let at = 0; at < counters.length; at += 1) {
        const add = counters[at]!.of(verdict);
        if (add === 0) continue;
        own[at]! += add;
        if (label !== undefined) label[at]! += add;
      }
    }
    for (let at = 0; at < this.#caseCounters.length; at += 1) {
      own[counters.length + at] = this.#caseCounters[at]!.ofCase(verdicts);
    }
    for (const group of groups) for (let at = 0; at < own.length; at += 1) group.sums[at]! += own[at]!;

    const measures: Record<string, number | null> = {};
    for (let at = 0; at < this.#measures.length; at += 1) {
      const measure = this.#measures[at]!;
      if (!measure.byCase) continue;
      const value = given.failed === null ? measure.value(this.#caseView).value : null;
      measures[measure.name] = value;
      if (scheme === null && given.failed === null) this.#spread[at]!.add(value);
    }
    return {
      case: given.id,
      counts,
      kinds: kindCounts(verdicts),
      measures,
      failed: given.failed,
      answered: given.answered,
    };
  }

  /** Every measure, overall and per slice, in an order that does not depend on the order of the cases. */
  values(): MeasureValue[] {
    const out: MeasureValue[] = [];
    const groups = [...this.#groups.entries()].sort(([a], [b]) => compareText(a, b)).map(([, held]) => held);
    for (const { slice, group } of groups) {
      const whole = this.#view(group);
      const overall = Object.keys(slice).length === 0;
      this.#measures.forEach((measure, at) => {
        out.push(
          record(
            measure,
            slice,
            measure.value(whole),
            overall && measure.byCase ? (this.#spread[at]?.summary() ?? null) : null,
          ),
        );
      });
      if (!this.#byLabel || !(overall || 'scheme' in slice)) continue;
      for (const { label, sums } of whole.labels()) {
        for (const measure of this.#measures)
          if (measure.byLabel) out.push(record(measure, { ...slice, label }, measure.value(sums), null));
      }
    }
    return out;
  }

  #group(slice: Slice): Group {
    const key = JSON.stringify(slice);
    let held = this.#groups.get(key);
    if (held === undefined) {
      held = { slice, group: new Group(this.#places.size) };
      this.#groups.set(key, held);
    }
    return held.group;
  }

  /** The whole (of the scheme) first, then one group per column that slices the recipe's own scheme. */
  #groupsOf(given: Case, scheme: string | null): Group[] {
    if (scheme !== null) return [this.#group({ scheme })];
    const groups = [this.#group({})];
    for (const field of this.#fields) {
      const value = fieldValue(given, field);
      if (value !== null) groups.push(this.#group({ [field]: value }));
    }
    return groups;
  }

  #view(group: Group): Sums {
    return this.#sums(group.sums, () =>
      [...group.labels.entries()]
        .sort(([a], [b]) => compareText(a, b))
        .map(([label, sums]) => ({ label, sums: this.#sums(sums, () => []) })),
    );
  }

  #sums(sums: Float64Array, labels: () => ReturnType<Sums['labels']>): Sums {
    return { get: (key) => sums[this.#places.get(key) ?? -1] ?? 0, labels };
  }
}

function record(measure: Measure, slice: Slice, outcome: Outcome, cases: CaseSpread | null): MeasureValue {
  return {
    name: measure.name,
    slice,
    value: outcome.value,
    undefined: outcome.undefined,
    n: outcome.n,
    interval: null,
    direction: measure.direction,
    range: measure.range,
    note: outcome.note ?? null,
    cases,
  };
}

function unique<T extends { readonly key: string }>(counters: readonly T[]): T[] {
  return [...new Map(counters.map((counter) => [counter.key, counter])).values()];
}
