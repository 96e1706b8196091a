import type { Case } from '../data/case.ts';
import { type Foldable, FoldState, StateMismatch } from '../data/fold-state.ts';
import { UsageError } from '../data/problems.ts';
import type { Verdict } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';
import { caseFacts, fieldValue } from './case-facts.ts';
import { FailedPlaces } from './failed-places.ts';
import {
  type CaseCounter,
  type Counter,
  hasLabel,
  isCaseCounter,
  isCounter,
  isNumbers,
  labelName,
  type Measure,
  type Numbers,
  type Sums,
} from './measure.ts';
import {
  type CaseFacts,
  type CaseResult,
  type FailedOtherwise,
  type Group,
  type GroupSureness,
  isOverall,
  kindCounts,
  measureValue,
  type MeasureValue,
  spreadOverCases,
  type TallyCases,
  unitOf,
  verdictCounts,
} from './results.ts';
import { SumLog } from './sum-log.ts';
import { NO_SUMS, sumsAt, totals, type UnitSums, unitsWith } from './unit-sums.ts';

export type * from './results.ts';

/** In all schemes together. */
const MOST_LABELS = 150_000;
const NO_NUMBERS: ReadonlyMap<string, readonly number[]> = new Map();

/** Verdicts that count alike, by a number for all that they have in common: how many there are, and of which. */
export type Cells = Readonly<Record<'counts' | 'touched', readonly number[]>>;

/** What was added up under one scheme: sums by case, with the case's id and its values of the columns that slice. */
interface Scheme {
  readonly log: SumLog;
  readonly cases: string[];
  readonly slices: CaseFacts['slices'][];
}

/** Adds verdicts up, case by case, and keeps what each case added, so that totals, slices and resamples come from one place. */
export class Tally implements Foldable {
  readonly #measures: readonly Measure[];
  readonly #counters: readonly Counter[];
  readonly #caseCounters: readonly CaseCounter[];
  readonly #numbers: readonly Numbers[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #fields: readonly string[];
  readonly #byLabel: boolean;
  readonly #cluster: string | null;
  readonly #state = new FoldState();
  /** Failed cases by their place in the log of the recipe's own scheme: empty answers that count, or are kept beside. */
  readonly #failed = this.#state.keep(new FailedPlaces(() => this.#scheme(null).log.units.length));
  readonly #schemes = this.#state.keep(new Map<string | null, Scheme>(), () => this.#newScheme());
  /** The values of the cases, by measure that has any; NaN where a case has none. */
  readonly #values: ReadonlyMap<Measure, number[]>;
  readonly #counts = this.#state.keep({ unclustered: 0 });

  /** With `cluster`, cases that have the same value of that column are one unit of resampling. */
  constructor(measures: readonly Measure[], slices: readonly string[], cluster: string | null = null) {
    this.#measures = measures;
    // What a case counter looks at comes before it.
    const all = measures.flatMap(({ beside = [], counters }) => [...beside, ...counters]);
    this.#counters = unique(all.filter(isCounter));
    this.#caseCounters = unique(all.filter(isCaseCounter));
    this.#numbers = unique(all.filter(isNumbers));
    this.#places = new Map([...this.#counters, ...this.#caseCounters].map((counter, at) => [counter.key, at]));
    this.#byLabel = slices.includes('label');
    this.#fields = slices.filter((slice) => slice !== 'label');
    this.#cluster = cluster;
    this.#values = new Map(measures.filter(({ overLabels }) => overLabels !== true).map((measure) => [measure, []]));
    for (const values of this.#values.values()) this.#state.keep(values);
    this.#scheme(null);
  }

  /** Cases that were added although they have no value of the cluster column; each stands for itself. */
  get unclustered(): number {
    return this.#counts.unclustered;
  }

  /** Verdicts of one case under one scheme (null: the recipe's own). */
  addCase(given: Case, scheme: string | null, verdicts: readonly Verdict[]): CaseResult {
    if (this.#cluster !== null && fieldValue(given, this.#cluster) === null && scheme === null)
      this.#counts.unclustered += 1;
    return this.add(caseFacts(given, this.#fields, this.#cluster), scheme, verdicts);
  }

  /** A failed case that is left out, as the empty answer that it might count as: only `failedOtherwise` has it. */
  addLeftOut(given: Case, verdicts: readonly Verdict[]): void {
    this.#addUp({ ...caseFacts(given, this.#fields, this.#cluster), slices: undefined }, null, verdicts, true);
  }

  /** The same for a case of which only the facts are at hand, such as one read from a run. */
  add(facts: CaseFacts, scheme: string | null, verdicts: readonly Verdict[]): CaseResult {
    const none = Array.from(this.#values.keys(), ({ name }) => [name, null] as const);
    const measures = facts.failed === undefined ? this.#addUp(facts, scheme, verdicts) : Object.fromEntries(none);
    const { case: id, from, failed, failedAsEmpty, answered, slices, cluster } = facts;
    const [counts, kinds] = [verdictCounts(verdicts), kindCounts(verdicts)];
    // The order of the keys is that of the file.
    return { case: id, from, counts, measures, kinds, failed, failedAsEmpty, answered, slices, cluster };
  }

  /**
   * The sums by unit: overall, per value of each slicing column, and per scheme; whatever the order of the cases. With
   * `over`, of these cases alone and in its clusters.
   */
  groups(over?: { readonly ids: ReadonlySet<string>; readonly clusterOf: (id: string) => string | null }): Group[] {
    const found: Group[] = [];
    for (const [scheme, { log, slices, cases }] of this.#schemes) {
      const units = over && cases.map((id) => unitOf({ case: id, cluster: over.clusterOf(id) ?? undefined }));
      const tableOf = (places: readonly number[] = [...cases.keys()]): UnitSums =>
        log.byUnit(over === undefined ? places : places.filter((at) => over.ids.has(cases[at]!)), units);
      const table = tableOf(scheme === null ? without(this.#failed.leftOut, log.units.length) : undefined);
      found.push({ slice: scheme === null ? {} : { scheme }, table, byLabel: this.#byLabel });
      // Columns slice the recipe's own scheme alone.
      for (const field of scheme === null ? this.#fields : []) {
        // A case without a value is in none.
        const sliced = slices.keys().filter((at) => slices[at]?.[field] !== undefined);
        for (const [value, places] of Map.groupBy(sliced, (at) => slices[at]![field]!)) {
          const own = tableOf(places);
          if (own.units.length > 0) found.push({ slice: { [field]: value }, table: own, byLabel: false });
        }
      }
    }
    return found.sort((a, b) => compareText(JSON.stringify(a.slice), JSON.stringify(b.slice)));
  }

  /** What the overall values would be if failed cases counted the other way; null where that changes nothing. */
  failedOtherwise(): FailedOtherwise | null {
    const { log } = this.#scheme(null);
    const { empty, leftOut } = this.#failed;
    if (empty.size === 0 && leftOut.size === 0) return null;
    const overall = (places: readonly number[] | undefined): FailedOtherwise['measures'] =>
      this.values([{ slice: {}, table: log.byUnit(places), byLabel: false }]).map(
        ({ name, value, undefined: why, n }) => ({ name, value, undefined: why, n }),
      );
    const own = overall(without(leftOut, log.units.length));
    const measures = overall(without(empty, log.units.length));
    if (measures.every(({ value }, at) => value === own[at]!.value)) return null;
    return { failed: empty.size > 0 ? 'leave-out' : 'empty', measures };
  }

  /** Every measure, overall and per slice; with how sure each is, where that was worked out for each group. */
  values(groups: readonly Group[] = this.groups(), sure: readonly GroupSureness[] = []): MeasureValue[] {
    const out: MeasureValue[] = [];
    groups.forEach(({ slice, table, byLabel }, place) => {
      const all = totals(table);
      const named = (measure: Measure, label: string): Group['slice'] => ({ ...slice, [labelName(measure)]: label });
      for (const label of [-1, ...(byLabel ? table.labels.keys() : [])]) {
        const sums = sumsAt(table, all, label);
        const name = table.labels[label];
        for (const [at, measure] of this.#measures.entries()) {
          const units = label < 0 || measure.byLabel ? unitsWith(table, measure, label) : 0;
          if (name !== undefined && !hasLabel(measure, name, units)) continue;
          const own = name === undefined ? slice : named(measure, name);
          const values = isOverall(own) ? this.#values.get(measure) : undefined;
          const spread = values === undefined ? null : spreadOverCases(values);
          out.push(measureValue(measure, own, sums, units, sure[place]?.[1 + label]?.[at], spread));
        }
      }
      if (!byLabel) return;
      // What was to be measured and does not occur has no value, which is reported.
      const occurring = new Set(table.labels);
      for (const measure of this.#measures)
        for (const label of measure.labelled?.labels ?? [])
          if (!occurring.has(label)) out.push(measureValue(measure, named(measure, label), NO_SUMS, 0));
    });
    return out;
  }

  save(): unknown {
    return this.#state.save();
  }

  merge(saved: unknown): void {
    this.#state.merge(saved);
    for (const { log, cases, slices } of this.#schemes.values())
      if (log.units.length !== cases.length || slices.length !== (this.#fields.length > 0 ? cases.length : 0))
        throw new StateMismatch('expected as many sums as cases');
    this.#refuseLabels();
  }

  /** What a run's cases.jsonl has as well. */
  get cases(): TallyCases {
    const values = [...this.#values].map(([{ name }, list]) => [name, list] as const);
    return { ids: this.#scheme(null).cases, leftOut: this.#failed.leftOut, values };
  }

  /** Plain spans of a case by cell; `verdictOf` gives a verdict of a cell. Only the recipe's own scheme has measures. */
  addCells(
    id: string,
    scheme: string | null,
    { counts, touched }: Cells,
    verdictOf: (cell: number) => Verdict,
  ): CaseResult['measures'] {
    const { log, slices, cases } = this.#scheme(scheme);
    const isOwn = scheme === null;
    for (const cell of touched) log.addCell(this.#counters, cell, counts[cell]!, verdictOf, isOwn);
    const measures = isOwn ? this.#valuesOf(this.#viewOf(log.own, NO_NUMBERS), true) : {};
    log.keepCase(id, true);
    cases.push(id);
    if (this.#fields.length > 0) slices.push(undefined);
    this.#refuseLabels();
    return measures;
  }

  #addUp(
    facts: CaseFacts,
    scheme: string | null,
    verdicts: readonly Verdict[],
    isLeftOut = false,
  ): CaseResult['measures'] {
    const { log, slices, cases } = this.#scheme(scheme);
    if (isLeftOut) this.#failed.leftOut.add(log.units.length);
    else if (scheme === null && facts.failedAsEmpty !== undefined) this.#failed.empty.add(log.units.length);
    log.addVerdicts(this.#counters, verdicts);
    const numbers = new Map(this.#numbers.map((kept) => [kept.key, kept.numbersOf(verdicts).sort((a, b) => a - b)]));
    for (const [key, values] of numbers) log.addNumbers(key, values);
    const view = this.#viewOf(log.own, numbers);
    for (let at = 0; at < this.#caseCounters.length; at += 1) {
      const add = this.#caseCounters[at]!.ofCase(verdicts, view);
      if (add !== null) log.set(this.#counters.length + at, add);
    }
    const measures = this.#valuesOf(view, scheme === null && !isLeftOut);
    if (facts.cluster === undefined) log.keepCase(facts.case);
    else log.keep(unitOf(facts));
    cases.push(facts.case);
    if (this.#fields.length > 0) slices.push(facts.slices);
    this.#refuseLabels();
    return measures;
  }

  /** The sums of the case at hand as measures read them. */
  #viewOf(own: Float64Array, numbers: ReadonlyMap<string, readonly number[]>): Sums {
    return {
      get: (key) => own[this.#places.get(key) ?? -1] ?? 0,
      labels: () => [],
      numbers(key) {
        const values = numbers.get(key) ?? [];
        return { values, times: values.map(() => 1) };
      },
    };
  }

  /** What each measure makes of the case at hand; `isKept` puts the values among those of all cases. */
  #valuesOf(view: Sums, isKept: boolean): CaseResult['measures'] {
    const measures: Record<string, number | null> = {};
    for (const [measure, values] of this.#values) {
      const { value } = measure.value(view);
      measures[measure.name] = value;
      if (isKept) values.push(value ?? NaN);
    }
    return measures;
  }

  /** Measures by label of so many would take minutes and gigabytes, and nobody reads them. */
  #refuseLabels(): void {
    let labels = 0;
    for (const { log } of this.#schemes.values()) labels += log.labels.size;
    if (labels <= MOST_LABELS) return;
    const schemes = this.#schemes.size === 1 ? '' : `, under ${this.#schemes.size} schemes each`;
    throw new UsageError(
      `there are ${this.#scheme(null).log.labels.size} labels or more${schemes}: too many for measures by label`,
      'is the label a free text? name the field that has the labels, or score fewer schemes: a recipe such as spans/strict has one',
    );
  }

  #scheme(name: string | null): Scheme {
    let held = this.#schemes.get(name);
    if (held === undefined) this.#schemes.set(name, (held = this.#newScheme()));
    return held;
  }

  #newScheme(): Scheme {
    return { log: new SumLog(this.#places), cases: [], slices: [] };
  }
}

/** The other places, of so many; undefined: all. */
function without(places: ReadonlySet<number>, cases: number): number[] | undefined {
  return places.size === 0 ? undefined : [...Array(cases).keys()].filter((place) => !places.has(place));
}

function unique<T extends { readonly key: string }>(counters: readonly T[]): T[] {
  return [...new Map(counters.map((counter) => [counter.key, counter])).values()];
}
