import type { Case } from '../data/case.ts';
import { VERDICTS, type Verdict, type VerdictKind } from '../judge/verdict.ts';
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

/** Adds verdicts up, case by case. All counters are whole or half numbers, so the order of cases cannot change a sum. */
export class Tally {
  readonly #measures: readonly Measure[];
  readonly #counters: readonly Counter[];
  readonly #caseCounters: readonly CaseCounter[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #fields: readonly string[];
  readonly #byLabel: boolean;
  readonly #groups = new Map<string, { slice: Slice; group: Group }>();
  readonly #spread: readonly SpreadOverCases[];

  constructor(measures: readonly Measure[], slices: readonly string[]) {
    this.#measures = measures;
    this.#counters = unique(measures.flatMap((measure) => measure.counters));
    this.#caseCounters = unique(measures.flatMap((measure) => measure.caseCounters));
    this.#places = new Map([...this.#counters, ...this.#caseCounters].map((counter, at) => [counter.key, at]));
    this.#byLabel = slices.includes('label');
    this.#fields = slices.filter((slice) => slice !== 'label');
    this.#spread = measures.map(() => new SpreadOverCases());
    this.#group({});
  }

  /** Verdicts of one case under one scheme (null: the recipe's own). */
  addCase(given: Case, scheme: string | null, verdicts: readonly Verdict[]): CaseResult {
    const width = this.#counters.length + this.#caseCounters.length;
    const own = new Group(width);
    const counters = this.#counters;
    const counts: Record<VerdictKind, number> = { hit: 0, spurious: 0, missed: 0, excused: 0 };
    const kinds = new Map<string, Record<VerdictKind, number>>();
    for (const verdict of verdicts) {
      counts[verdict.verdict] += verdict.weight;
      let ofKind = kinds.get(verdict.kind);
      if (ofKind === undefined) kinds.set(verdict.kind, (ofKind = { hit: 0, spurious: 0, missed: 0, excused: 0 }));
      ofKind[verdict.verdict] += verdict.weight;
      const label = own.label(verdict.label);
      for (let at = 0; at < counters.length; at += 1) {
        const add = (counters[at] as Counter).of(verdict);
        if (add !== 0) {
          (own.sums[at] as number) += add;
          (label[at] as number) += add;
        }
      }
    }
    this.#caseCounters.forEach((counter, at) => {
      own.sums[counters.length + at] = counter.ofCase(verdicts);
    });

    const schemeSlice: Slice = scheme === null ? {} : { scheme };
    if (given.failed === null) {
      add(this.#group(schemeSlice), own);
      if (scheme === null) {
        for (const field of this.#fields) {
          const value = fieldValue(given, field);
          if (value !== null) add(this.#group({ [field]: value }), own);
        }
      }
    }
    const sums = this.#view(own);
    const measures: Record<string, number | null> = {};
    this.#measures.forEach((measure, at) => {
      const outcome: Outcome =
        given.failed === null ? measure.value(sums) : { value: null, undefined: 'the case failed', n: 0 };
      measures[measure.name] = outcome.value;
      if (scheme === null && given.failed === null) this.#spread[at]?.add(outcome.value);
    });
    return {
      case: given.id,
      counts,
      kinds: kinds.size > 1 ? Object.fromEntries([...kinds].sort(([a], [b]) => compareText(a, b))) : null,
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
        out.push(record(measure, slice, measure.value(whole), overall ? (this.#spread[at]?.summary() ?? null) : null));
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
      held = { slice, group: new Group(this.#counters.length + this.#caseCounters.length) };
      this.#groups.set(key, held);
    }
    return held.group;
  }

  #view(group: Group): Sums {
    const of = (sums: Float64Array, labels: () => ReturnType<Sums['labels']>): Sums => ({
      get: (key) => sums[this.#places.get(key) ?? -1] ?? 0,
      labels,
    });
    return of(group.sums, () =>
      [...group.labels.entries()]
        .sort(([a], [b]) => compareText(a, b))
        .map(([label, sums]) => ({ label, sums: of(sums, () => []) })),
    );
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

function add(to: Group, from: Group): void {
  addInto(to.sums, from.sums);
  for (const [label, sums] of from.labels) addInto(to.label(label), sums);
}

function addInto(to: Float64Array, from: Float64Array): void {
  for (let at = 0; at < from.length; at += 1) (to[at] as number) += from[at] as number;
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

export function noCounts(): Record<VerdictKind, number> {
  return Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<VerdictKind, number>;
}
