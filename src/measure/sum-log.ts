import type { ItemKind } from '../data/item.ts';
import type { Verdict } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';
import type { Counter } from './measure.ts';
import type { UnitColumn, UnitSums } from './unit-sums.ts';

/** Rows by label are of what was found: what reviewers answered is measured question by question. */
const OF_REVIEWERS: ReadonlySet<ItemKind> = new Set(['review', 'outcome']);

/** Keeps what each case adds to each sum, as plain numbers in two growing lists. */
export class SumLog {
  readonly #keys: ReadonlyMap<string, number>;
  readonly #width: number;
  readonly #labels = new Map<string, number>();
  readonly #units: string[] = [];
  readonly #ends: number[] = [];
  #columns = new Int32Array(256);
  #values = new Float64Array(256);
  #count = 0;
  /** Sums of the case at hand, by column; all zero between cases. */
  #own: Float64Array;
  /** Columns whose 0 is a value of the case at hand, not the lack of one. */
  #zeros: number[] = [];
  #seen: number[] = [];

  constructor(keys: ReadonlyMap<string, number>) {
    this.#keys = keys;
    // One more than the counters: a label that occurs is kept even where it adds nothing.
    this.#width = keys.size + 1;
    this.#own = new Float64Array(this.#width * 4);
  }

  /** Where the sums of a label begin in `own`. */
  label(label: string): number {
    let at = this.#labels.get(label);
    if (at === undefined) {
      at = this.#labels.size;
      this.#labels.set(label, at);
      if ((at + 2) * this.#width > this.#own.length) {
        const grown = new Float64Array(this.#own.length * 2);
        grown.set(this.#own);
        this.#own = grown;
      }
    }
    const from = (1 + at) * this.#width;
    const occurs = from + this.#width - 1;
    if (this.#own[occurs] === 0) this.#seen.push(from);
    this.#own[occurs]! += 1;
    return from;
  }

  /** The sums of the case at hand: the whole from 0, each label from where `label` says. */
  get own(): Float64Array {
    return this.#own;
  }

  /** Adds what counters, whose columns are their places, make of verdicts to the case at hand. */
  addVerdicts(counters: readonly Counter[], verdicts: readonly Verdict[]): void {
    for (const verdict of verdicts) {
      const label = OF_REVIEWERS.has(verdict.kind) ? null : this.label(verdict.label);
      for (let at = 0; at < counters.length; at += 1) {
        const add = counters[at]!.of(verdict);
        const rows = counters[at]!.byLabel?.(verdict) ?? null;
        this.#own[at]! += add;
        if (rows === null && label !== null) this.#own[label + at]! += add;
        for (const row of rows?.filter((one) => one.add !== 0) ?? []) {
          // First, since a label that is new may move the sums.
          const from = this.label(row.label);
          this.#own[from + at]! += row.add;
        }
      }
    }
  }

  /** Says what a sum of the case at hand is; a 0 said here is kept as one. */
  set(column: number, value: number): void {
    this.#own[column] = value;
    if (value === 0) this.#zeros.push(column);
  }

  /** Ends the case at hand and keeps its sums. */
  keep(unit: string): void {
    this.#units.push(unit);
    this.#take(0);
    for (const column of this.#zeros) this.#push(column, 0);
    for (const from of this.#seen) this.#take(from);
    this.#zeros = [];
    this.#seen = [];
    this.#ends.push(this.#count);
  }

  /** How many labels have occurred. */
  get labels(): number {
    return this.#labels.size;
  }

  /** How many cases are kept. */
  get cases(): number {
    return this.#units.length;
  }

  /** The sums by unit, of all cases or of those whose places are given, in their own units or in others. */
  byUnit(places: readonly number[] = [...this.#units.keys()], unitOf: readonly string[] = this.#units): UnitSums {
    const order = places.toSorted((a, b) => compareText(unitOf[a]!, unitOf[b]!));
    const sizes = new Int32Array((1 + this.#labels.size) * this.#width);
    for (const place of places) for (const column of this.#columnsOf(place)) sizes[column]! += 1;
    const units: string[] = [];
    const filled = new Int32Array(sizes.length);
    const all = Array.from(sizes, (size) => ({ units: new Int32Array(size), values: new Float64Array(size) }));
    for (const place of order) {
      const unit = unitOf[place]!;
      if (units.at(-1) !== unit) units.push(unit);
      this.#addTo(all, filled, place, units.length - 1);
    }
    return { ...this.#inOrder(all, filled), units, clustered: units.length < places.length };
  }

  #columnsOf(place: number): Int32Array {
    return this.#columns.subarray(this.#ends[place - 1] ?? 0, this.#ends[place]);
  }

  /** Adds a case to the columns; cases of one unit become one entry. */
  #addTo(all: readonly UnitColumn[], filled: Int32Array, place: number, unit: number): void {
    for (let at = this.#ends[place - 1] ?? 0; at < this.#ends[place]!; at += 1) {
      const column = this.#columns[at]!;
      const { units, values } = all[column]!;
      const last = filled[column]! - 1;
      if (last >= 0 && units[last] === unit) {
        values[last]! += this.#values[at]!;
        continue;
      }
      units[last + 1] = unit;
      values[last + 1] = this.#values[at]!;
      filled[column]! += 1;
    }
  }

  /** Labels in text order, and only those that occur. */
  #inOrder(all: readonly UnitColumn[], filled: Int32Array): Omit<UnitSums, 'units' | 'clustered'> {
    const width = this.#width;
    const cut = (column: number): UnitColumn => ({
      units: all[column]!.units.subarray(0, filled[column]),
      values: all[column]!.values.subarray(0, filled[column]),
    });
    const labels = [...this.#labels]
      .filter(([, at]) => filled[(1 + at) * width + width - 1]! > 0)
      .sort(([a], [b]) => compareText(a, b));
    const starts = [0, ...labels.map(([, at]) => (1 + at) * width)];
    return {
      keys: this.#keys,
      labels: labels.map(([label]) => label),
      width,
      columns: starts.flatMap((start) => Array.from({ length: width }, (_, at) => cut(start + at))),
    };
  }

  #take(from: number): void {
    const own = this.#own;
    for (let column = from; column < from + this.#width; column += 1) {
      const value = own[column]!;
      if (value === 0) continue;
      this.#push(column, value);
      own[column] = 0;
    }
  }

  #push(column: number, value: number): void {
    if (this.#count === this.#columns.length) this.#grow();
    this.#columns[this.#count] = column;
    this.#values[this.#count] = value;
    this.#count += 1;
  }

  #grow(): void {
    const columns = new Int32Array(Math.ceil(this.#count * 1.5));
    const values = new Float64Array(Math.ceil(this.#count * 1.5));
    columns.set(this.#columns);
    values.set(this.#values);
    this.#columns = columns;
    this.#values = values;
  }
}
