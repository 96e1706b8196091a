import { z } from 'zod';

import { type Foldable, FoldState, StateMismatch } from '../data/fold-state.ts';
import type { Verdict } from '../judge/verdict.ts';
import { type Counter, isCounter, type Measure } from '../measure/measure.ts';
import { type CaseFacts, unitOf } from '../measure/results.ts';
import { Tally } from '../measure/tally.ts';
import { EMPTY_COLUMN, type UnitColumn, type UnitSums } from '../measure/unit-sums.ts';
import { compareText } from '../text/compare.ts';
import type { AuditSpans } from './audit-case.ts';
import { parseSaved } from './saved-shape.ts';

const savedLog = z.object({
  cases: z.array(z.string()),
  clusters: z.map(z.int(), z.string()),
  sums: z.array(z.instanceof(Float64Array)),
  tally: z.unknown(),
});

/** What each case adds to some measures. Keeps the numbers that they are made of, and nothing by label. */
export class PrimaryLog implements Foldable {
  readonly #counters: readonly Counter[];
  readonly #sums: Float64Array[];
  readonly #own: Float64Array;
  /** What a verdict of each cell of plain spans adds, cell after cell. */
  readonly #ofCells: number[] = [];
  readonly #cases: string[] = [];
  /** By the places of their cases. */
  readonly #clusters = new Map<number, string>();
  /** For measures that look at more than sums of the whole. */
  readonly #tally: Tally | null;
  readonly #state = new FoldState();

  constructor(measures: readonly Measure[]) {
    this.#tally = measures.every(isPlain) ? null : this.#state.keep(new Tally(measures, []));
    const all = this.#tally === null ? measures.flatMap(({ beside = [], counters }) => [...beside, ...counters]) : [];
    this.#counters = [...new Map(all.filter(isCounter).map((one) => [one.key, one])).values()];
    this.#sums = this.#counters.map(() => new Float64Array(64));
    this.#own = new Float64Array(this.#counters.length);
  }

  /** One that failed adds nothing. */
  add(facts: CaseFacts, verdicts: readonly Verdict[]): void {
    if (facts.failed !== undefined) return;
    if (this.#tally !== null) {
      this.#tally.add(facts, null, verdicts);
      return;
    }
    this.#own.fill(0);
    for (const verdict of verdicts)
      for (let counter = 0; counter < this.#counters.length; counter += 1)
        this.#own[counter]! += this.#counters[counter]!.of(verdict);
    this.#keep(facts.case);
    if (facts.cluster !== undefined) this.#clusters.set(this.#cases.length - 1, facts.cluster);
  }

  /** A case of plain spans, of which all counters look at cells only. */
  addSpans({ case: id, own, cells, count }: AuditSpans): void {
    if (this.#tally !== null) {
      this.#tally.addCells(id, null, own.cells, own.verdictOf);
      return;
    }
    const width = this.#counters.length;
    this.#own.fill(0);
    for (let at = 0; at < count; at += 1) {
      const cell = cells[at]!;
      while (this.#ofCells.length < (cell + 1) * width) {
        const verdict = own.verdictOf(this.#ofCells.length / width);
        for (const counter of this.#counters) this.#ofCells.push(counter.of(verdict));
      }
      for (let place = 0; place < width; place += 1) this.#own[place]! += this.#ofCells[cell * width + place]!;
    }
    this.#keep(id);
  }

  save(): z.infer<typeof savedLog> {
    const sums = this.#sums.map((own) => own.slice(0, this.#cases.length));
    return { cases: this.#cases, clusters: this.#clusters, sums, tally: this.#state.save() };
  }

  merge(saved: unknown): void {
    const { cases, clusters, sums, tally } = parseSaved(savedLog, saved);
    if (sums.length !== this.#sums.length || sums.some((own) => own.length !== cases.length))
      throw new StateMismatch(`expected ${this.#sums.length} sums of ${cases.length} cases`);
    this.#state.merge(tally);
    const before = this.#cases.length;
    for (const [at, cluster] of clusters) this.#clusters.set(before + at, cluster);
    for (const [at, id] of cases.entries()) {
      for (const [counter, own] of sums.entries()) this.#own[counter] = own[at]!;
      this.#keep(id);
    }
  }

  #keep(id: string): void {
    const at = this.#cases.push(id) - 1;
    for (let counter = 0; counter < this.#own.length; counter += 1) {
      if (at === this.#sums[counter]!.length) this.#sums[counter] = twice(this.#sums[counter]!);
      this.#sums[counter]![at] = this.#own[counter]!;
    }
  }

  byUnit(): UnitSums | undefined {
    if (this.#tally !== null) return this.#tally.groups()[0]?.table;
    const units = this.#cases.map((id, at) => unitOf({ case: id, cluster: this.#clusters.get(at) }));
    const order = Uint32Array.from(units.keys()).sort((a, b) => compareText(units[a]!, units[b]!) || a - b);
    const different = [...order].filter((at, place) => place === 0 || units[at] !== units[order[place - 1]!]);
    return {
      units: different.map((at) => units[at]!),
      clustered: different.length < units.length,
      keys: new Map(this.#counters.map(({ key }, at) => [key, at])),
      labels: [],
      width: this.#counters.length + 1,
      numbers: new Map(),
      columns: [...this.#sums.map((sums) => columnOf(sums, order, units)), EMPTY_COLUMN],
    };
  }
}

/** Cases of one unit become one entry, and those that add nothing have none. */
function columnOf(sums: Float64Array, order: Uint32Array, units: readonly string[]): UnitColumn {
  const column = { units: new Int32Array(order.length), values: new Float64Array(order.length) };
  let [unit, entries] = [-1, 0];
  for (let place = 0; place < order.length; place += 1) {
    const at = order[place]!;
    if (place === 0 || units[at] !== units[order[place - 1]!]) unit += 1;
    if (sums[at] === 0) continue;
    if (entries === 0 || column.units[entries - 1] !== unit) entries += 1;
    column.units[entries - 1] = unit;
    column.values[entries - 1]! += sums[at]!;
  }
  return { units: column.units.subarray(0, entries), values: column.values.subarray(0, entries) };
}

/** Whether a measure is made of sums over the verdicts of a case, and of nothing else. */
function isPlain(measure: Measure): boolean {
  const { overLabels = false, beside = [], counters } = measure;
  let looksFurther = overLabels || ![...beside, ...counters].every(isCounter);
  const further = <T>(nothing: T) => {
    looksFurther = true;
    return nothing;
  };
  try {
    measure.value({ get: () => 1, labels: () => further([]), numbers: () => further({ values: [], times: [] }) });
  } catch {
    // A custom measure may not take these numbers: then nobody knows what it looks at.
    return false;
  }
  return !looksFurther;
}

function twice(list: Float64Array): Float64Array {
  const more = new Float64Array(2 * list.length);
  more.set(list);
  return more;
}
