import type { Case } from '../data/case.ts';
import type { Verdict, VerdictKind } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';
import { type CaseSpread, SpreadOverCases } from './case-spread.ts';
import type { CaseCounter, Counter, Direction, Measure, Outcome, Sums } from './measure.ts';

export type Slice = Readonly<Record<string, string>>;

/** One measure of one slice, as measures.json holds it. */
export interface MeasureValue {
  readonly name: string;
  /** Empty: overall. */
  readonly slice: Slice;
  readonly value: number | null;
  readonly undefined: string | null;
  readonly n: number;
  readonly interval: {
    readonly low: number;
    readonly high: number;
    readonly level: number;
    readonly method: string;
  } | null;
  readonly direction: Direction;
  readonly range: readonly [number, number | null];
  readonly note: string | null;
  /** How the measure spreads over cases; only for overall values. */
  readonly cases: CaseSpread | null;
}

export type Counts = Readonly<Record<VerdictKind, number>>;

/** What one case adds up to, as cases.jsonl holds it. */
export interface CaseResult {
  readonly case: string;
  readonly counts: Counts;
  readonly kinds: Readonly<Record<string, Counts>> | null;
  readonly measures: Readonly<Record<string, number | null>>;
  readonly failed: string | null;
  readonly answered: boolean;
}

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

/** Counts by kind of item where a case has several kinds. */
function kindCounts(verdicts: readonly Verdict[]): Readonly<Record<string, Counts>> | null {
  const first = verdicts[0]?.kind;
  if (verdicts.every((verdict) => verdict.kind === first)) return null;
  const kinds: Record<string, Record<VerdictKind, number>> = {};
  for (const verdict of verdicts) {
    const own = (kinds[verdict.kind] ??= { hit: 0, spurious: 0, missed: 0, excused: 0 });
    own[verdict.verdict] += verdict.weight;
  }
  return Object.fromEntries(Object.entries(kinds).sort(([a], [b]) => compareText(a, b)));
}

/** A case's value of a column, also nested (`metadata.difficulty`); null when it has none. */
export function fieldValue(given: Case, path: string): string | null {
  let value: unknown = given.fields;
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return null;
    value = Reflect.get(value, part);
  }
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
