import { type Foldable, StateMismatch } from '../data/fold-state.ts';
import type { ItemKind } from '../data/item.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Counter } from './measure.ts';
import { caseUnit } from './results.ts';
import { loggedSums, type LoggedSums, sumsByUnit } from './sum-table.ts';
import type { UnitSums } from './unit-sums.ts';

/** Rows by label are of what was found: what reviewers answered is measured question by question. */
const OF_REVIEWERS: ReadonlySet<ItemKind> = new Set(['review', 'outcome']);

/** Keeps what each case adds to each sum, as plain numbers in two growing lists. */
export class SumLog implements Foldable {
  readonly #keys: ReadonlyMap<string, number>;
  readonly #width: number;
  /** The labels that occur, each with its place. */
  readonly labels = new Map<string, number>();
  /** The unit of each case; its id alone for as long as each case is one. */
  units: string[] = [];
  #isByCase = true;
  readonly #ends: number[] = [];
  /** Below 0, a column is that of a number. */
  #columns = new Int32Array(256);
  #values = new Float64Array(256);
  #count = 0;
  /** Sums of the case at hand: the whole from 0, each label from its first column; all zero between cases. */
  own: Float64Array<ArrayBuffer>;
  /** Columns of the case at hand that something was added to; one may come twice, the second time with nothing left. */
  #touched: number[] = [];
  /** By key, the column of each different number; and how often the case at hand has those in each column. */
  readonly #numbers = new Map<string, Map<number, number>>();
  readonly #times = new Map<number, number>();
  #lastNumber = 0;
  /** Verdicts that count alike are kept as how many there are of which cell; by cell, the columns that one adds to. */
  readonly #cellAdds: (readonly number[])[] = [];
  #cells = new Uint16Array(256);
  #cellTimes = new Uint16Array(256);
  #cellCount = 0;
  readonly #cellEnds: number[] = [];
  /** Cells that came with merged logs, by what they add. */
  readonly #merged = new Map<string, number>();

  constructor(keys: ReadonlyMap<string, number>) {
    this.#keys = keys;
    // One more than the counters: a label that occurs is kept even where it adds nothing.
    this.#width = keys.size + 1;
    this.own = new Float64Array(this.#width * 4);
  }

  /** Where the sums of a label begin in `own`. */
  label(label: string): number {
    const from = this.#columnsOf(label);
    this.add(from + this.#width - 1, 1);
    return from;
  }

  #columnsOf(label: string): number {
    let at = this.labels.get(label);
    if (at === undefined) {
      at = this.labels.size;
      this.labels.set(label, at);
      if ((at + 2) * this.#width > this.own.length) this.own = new Float64Array(twice(this.own));
    }
    return (1 + at) * this.#width;
  }

  /** Adds to a sum of the case at hand. */
  add(column: number, value: number): void {
    if (value === 0) return;
    if (this.own[column] === 0) this.#touched.push(column);
    this.own[column]! += value;
  }

  /** Adds what counters, whose columns are their places, make of verdicts to the case at hand, each so many times. */
  addVerdicts(counters: readonly Counter[], verdicts: readonly Verdict[], times = 1): void {
    for (const verdict of verdicts) {
      const label = OF_REVIEWERS.has(verdict.kind) ? null : this.label(verdict.label);
      for (let at = 0; at < counters.length; at += 1) {
        const add = times * counters[at]!.of(verdict);
        const rows = counters[at]!.byLabel?.(verdict) ?? null;
        this.add(at, add);
        if (rows === null && label !== null) this.add(label + at, add);
        for (const row of rows ?? []) if (row.add !== 0) this.add(this.label(row.label) + at, times * row.add);
      }
    }
  }

  /**
   * Adds verdicts that count alike to the case at hand: so many of a cell. `verdictOf` gives one that stands for all of a
   * cell, ever. With `isSummed` the sums of the case are there until it ends.
   */
  addCell(
    counters: readonly Counter[],
    cell: number,
    times: number,
    verdictOf: (cell: number) => Verdict,
    isSummed: boolean,
  ): void {
    const adds = (this.#cellAdds[cell] ??= this.#addsOf(counters, verdictOf(cell)));
    for (let rest = times; rest > 0; rest -= MOST_TIMES) this.#pushCell(cell, Math.min(rest, MOST_TIMES));
    if (isSummed) for (let at = 0; at < adds.length; at += 2) this.add(adds[at]!, adds[at + 1]! * times);
  }

  /** What a verdict adds: columns, each with its number behind it. */
  #addsOf(counters: readonly Counter[], verdict: Verdict): number[] {
    const label = this.#columnsOf(verdict.label);
    const adds = counters.flatMap((counter, at) => {
      const add = counter.of(verdict);
      return add === 0 ? [] : [at, add, label + at, add];
    });
    return [...adds, label + this.#width - 1, 1];
  }

  /** Counts numbers of the case at hand, each different one under a key by itself: so all of them have sums as well. */
  addNumbers(key: string, numbers: readonly number[]): void {
    const columns = this.#numbers.get(key) ?? new Map<number, number>();
    this.#numbers.set(key, columns);
    for (const number of numbers) {
      const column = columns.get(number) ?? (this.#lastNumber -= 1);
      columns.set(number, column);
      this.#times.set(column, (this.#times.get(column) ?? 0) + 1);
    }
  }

  /** Sets a sum of the case at hand; a 0 set here is kept as one. */
  set(column: number, value: number): void {
    this.own[column] = value;
    this.#touched.push(column);
  }

  /** Ends the case at hand and keeps its sums, or, for a case with `inCells`, its cells alone. */
  keep(unit: string): void {
    if (this.#isByCase) this.units = this.units.map(caseUnit);
    this.#isByCase = false;
    this.#keep(unit, false);
  }

  /** The same for a case that is a unit by itself. */
  keepCase(id: string, inCells = false): void {
    this.#keep(this.#isByCase ? id : caseUnit(id), inCells);
  }

  #keep(unit: string, inCells: boolean): void {
    this.units.push(unit);
    for (const column of this.#touched) {
      if (!inCells) this.#push(column, this.own[column]!);
      this.own[column] = 0;
    }
    for (const [column, times] of this.#times) this.#push(column, times);
    this.#touched = [];
    this.#times.clear();
    this.#ends.push(this.#count);
    this.#cellEnds.push(this.#cellCount);
  }

  /** All that is kept, in lists that go on to grow. */
  #logged(): LoggedSums {
    return {
      width: this.#width,
      labels: this.labels,
      units: this.units,
      isByCase: this.#isByCase,
      ends: this.#ends,
      columns: this.#columns.subarray(0, this.#count),
      values: this.#values.subarray(0, this.#count),
      numbers: this.#numbers,
      lastNumber: this.#lastNumber,
      cellAdds: this.#cellAdds,
      cells: this.#cells.subarray(0, this.#cellCount),
      cellTimes: this.#cellTimes.subarray(0, this.#cellCount),
      cellEnds: this.#cellEnds,
    };
  }

  save(): unknown {
    return this.#logged();
  }

  merge(saved: unknown): void {
    const { data: more } = loggedSums.safeParse(saved);
    if (more === undefined || more.width !== this.#width || !isWhole(more))
      throw new StateMismatch('expected the sums of the same measures');
    const starts = Array.from(more.labels.keys(), (label) => this.#columnsOf(label));
    const columns = new Map<number, number>();
    for (const [key, others] of more.numbers) {
      const own = this.#numbers.get(key) ?? new Map<number, number>();
      this.#numbers.set(key, own);
      for (const [number, other] of others) {
        const column = own.get(number) ?? (this.#lastNumber -= 1);
        own.set(number, column);
        columns.set(other, column);
      }
    }
    const columnOf = (other: number): number => {
      const label = Math.floor(other / this.#width) - 1;
      const start = other < 0 ? columns.get(other) : label < 0 ? 0 : starts[label];
      if (start === undefined) throw new StateMismatch('expected columns of labels or numbers');
      return other < 0 ? start : start + (other % this.#width);
    };
    const cells = Array.from(more.cellAdds, (adds: readonly number[] | undefined) =>
      this.#cellOf((adds ?? []).map((one, at) => (at % 2 === 0 ? columnOf(one) : one))),
    );
    if (this.#isByCase && !more.isByCase) this.units = this.units.map(caseUnit);
    const isUnit = !this.#isByCase && more.isByCase;
    this.#isByCase &&= more.isByCase;
    let [at, cellAt] = [0, 0];
    for (let place = 0; place < more.units.length; place += 1) {
      this.units.push(isUnit ? caseUnit(more.units[place]!) : more.units[place]!);
      for (; at < more.ends[place]!; at += 1) this.#push(columnOf(more.columns[at]!), more.values[at]!);
      for (; cellAt < more.cellEnds[place]!; cellAt += 1) {
        const [cell, times] = [cells[more.cells[cellAt]!]!, more.cellTimes[cellAt]!];
        if (typeof cell === 'number') this.#pushCell(cell, times);
        else for (let each = 0; each < cell.length; each += 2) this.#push(cell[each]!, cell[each + 1]! * times);
      }
      this.#ends.push(this.#count);
      this.#cellEnds.push(this.#cellCount);
    }
  }

  /** The cell that adds just this; what it adds, where there are too many cells for another. */
  #cellOf(adds: readonly number[]): number | readonly number[] {
    const key = adds.join(' ');
    const known = this.#merged.get(key);
    if (known !== undefined) return known;
    if (this.#cellAdds.length > MOST_CELL) return adds;
    const cell = this.#cellAdds.push(adds) - 1;
    this.#merged.set(key, cell);
    return cell;
  }

  /** The sums by unit, of all cases or of those whose places are given, in their own units or in others. */
  byUnit(places?: readonly number[], unitOf?: readonly string[]): UnitSums {
    return sumsByUnit(this.#keys, this.#logged(), places, unitOf);
  }

  #pushCell(cell: number, times: number): void {
    if (this.#cellCount === this.#cells.length) {
      this.#cells = new Uint16Array(twice(this.#cells));
      this.#cellTimes = new Uint16Array(twice(this.#cellTimes));
    }
    this.#cells[this.#cellCount] = cell;
    this.#cellTimes[this.#cellCount] = times;
    this.#cellCount += 1;
  }

  #push(column: number, value: number): void {
    if (this.#count === this.#columns.length) {
      this.#columns = new Int32Array(twice(this.#columns));
      this.#values = new Float64Array(twice(this.#values));
    }
    this.#columns[this.#count] = column;
    this.#values[this.#count] = value;
    this.#count += 1;
  }
}

/** Whether each case has its places in the lists of columns and cells, and these are of as many numbers as they say. */
function isWhole(log: LoggedSums): boolean {
  const { units, ends, columns, values, cells, cellTimes, cellEnds, cellAdds } = log;
  const isRising = (places: readonly number[], last: number): boolean =>
    places.length === units.length &&
    (places.at(-1) ?? 0) === last &&
    places.every((place, at) => Number.isInteger(place) && place >= (places[at - 1] ?? 0));
  return (
    isRising(ends, columns.length) &&
    isRising(cellEnds, cells.length) &&
    values.length === columns.length &&
    values.every((value) => Number.isFinite(value)) &&
    cellTimes.length === cells.length &&
    cells.every((cell) => cellAdds[cell] !== undefined) &&
    cellAdds.every((adds) => adds === undefined || (adds.length % 2 === 0 && adds.every(Number.isFinite)))
  );
}

/** The last cell that has room in the list of cells. */
const MOST_CELL = 0xffff - 1;

/** The most that an entry counts; more have several. */
const MOST_TIMES = 0xffff;

/** What a list holds, with as much room again behind it; the list itself is then empty. */
function twice({ buffer, byteLength }: NodeJS.TypedArray<ArrayBuffer>): ArrayBuffer {
  return buffer.transfer(byteLength * 2);
}
