import { type Verdict, VERDICTS } from '../../judge/verdict.ts';
import { ERROR_TYPES, type ErrorType } from '../../judge/error-type.ts';
import { LABEL, type SpanList } from '../../data/span-list.ts';
import type { CaseResult } from '../../measure/results.ts';
import type { SpanFacts } from '../../score/score.ts';
import { errorPrint } from '../../compare/case-change.ts';
import type { CaseIndex, ReportCase } from './report-data.ts';

/** Numbers names in the order in which they come. */
class Names {
  readonly list: string[] = [];
  readonly #places = new Map<string, number>();

  placeOf(name: string): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    const place = this.list.push(name) - 1;
    this.#places.set(name, place);
    return place;
  }
}

/** Which names each case has, as lists of their places. Most cases have one of a few lists, which are there once. */
class NameSets {
  readonly names = new Names();
  readonly #lists = new Map<number, readonly number[]>();
  /** Places below 31 are bits. */
  #bits = 0;
  #others: number[] = [];
  #name = '';
  #place = -1;

  add(name: string): void {
    if (this.#place < 0 || this.#name !== name) [this.#name, this.#place] = [name, this.names.placeOf(name)];
    const place = this.#place;
    if (place < 31) this.#bits |= 1 << place;
    else if (!this.#others.includes(place)) this.#others.push(place);
  }

  /** The list of what was added since the last one. */
  take(): readonly number[] {
    const [bits, others] = [this.#bits, this.#others];
    let list = this.#lists.get(bits);
    if (list === undefined) {
      list = Array.from({ length: 31 }, (_, place) => place).filter((place) => (bits & (1 << place)) !== 0);
      this.#lists.set(bits, list);
    }
    [this.#bits, this.#others] = [0, []];
    return others.length === 0 ? list : [...list, ...others];
  }
}

const NO_RESULT: Pick<CaseResult, 'counts' | 'measures'> = {
  counts: { hit: 0, missed: 0, spurious: 0, excused: 0 },
  measures: {},
};

/** The columns of one run in the making. */
function newColumns(measures: readonly string[]) {
  return {
    hit: new Array<number>(),
    missed: new Array<number>(),
    spurious: new Array<number>(),
    excused: new Array<number>(),
    state: new Array<number>(),
    errors: new Array<number>(),
    wrongLabels: new Array<readonly number[]>(),
    rules: new Array<readonly number[]>(),
    print: new Array<number>(),
    measures: Object.fromEntries(measures.map((name) => [name, new Array<number | null>()])),
  };
}

/** Gathers what the list of cases filters and sorts by, one case at a time. */
export class CaseIndexMaker {
  readonly #ids: string[] = [];
  readonly #labels = new NameSets();
  readonly #rules = new NameSets();
  readonly #slices = new Map<string, { values: Names; of: number[] }>();
  readonly #runs: ReturnType<typeof newColumns>[];

  /** The measures that each run has a column for. */
  constructor(measures: readonly (readonly string[])[]) {
    this.#runs = measures.map(newColumns);
  }

  get cases(): number {
    return this.#ids.length;
  }

  /** `errors`: of each run, the types of its verdicts. */
  add({ case: id, runs }: ReportCase, errors: readonly ReadonlyMap<Verdict, ErrorType>[]): void {
    const row = this.#ids.push(id) - 1;
    this.#addSlices(row, runs.find((run) => run !== null)?.result.slices ?? {});
    const prints = this.#runs.length > 1 ? printsOf(runs) : [];
    this.#runs.forEach((columns, at) => {
      const run = runs[at] ?? null;
      const { result } = run ?? {};
      const state =
        result === undefined
          ? 3
          : result.failed !== undefined
            ? 1
            : result.failedAsEmpty !== undefined
              ? 4
              : result.answered === false
                ? 2
                : 0;
      this.#addRun(columns, result ?? NO_RESULT, state, run?.verdicts ?? [], errors[at]!);
      columns.print.push(...prints.slice(at, at + 1));
    });
  }

  #addRun(
    columns: ReturnType<typeof newColumns>,
    result: Pick<CaseResult, 'counts' | 'measures'>,
    state: number,
    verdicts: readonly Verdict[],
    types: ReadonlyMap<Verdict, ErrorType>,
  ): void {
    let errors = 0;
    for (const error of types.values()) errors |= 1 << ERROR_TYPES.indexOf(error);
    for (const { verdict, rule, label } of verdicts) {
      this.#rules.add(rule);
      if (verdict === 'missed' || verdict === 'spurious') this.#labels.add(label);
    }
    this.#addNumbers(columns, result, state, errors);
  }

  #addNumbers(
    columns: ReturnType<typeof newColumns>,
    { counts, measures }: Pick<CaseResult, 'counts' | 'measures'>,
    state: number,
    errors: number,
  ): void {
    for (const verdict of VERDICTS) columns[verdict].push(counts[verdict]);
    columns.state.push(state);
    columns.errors.push(errors);
    columns.wrongLabels.push(this.#labels.take());
    columns.rules.push(this.#rules.take());
    for (const name of Object.keys(columns.measures)) columns.measures[name]!.push(measures[name] ?? null);
  }

  /** The same for plain spans, from their columns. */
  addSpans({ given, scoring, result }: SpanFacts): void {
    const { gold, predicted } = given.spans;
    const { pairing, scheme, linkRule } = scoring.schemes[0]!;
    const [columns] = this.#runs;
    const errors = scoring.errors(given);
    this.#ids.push(given.id);
    if (result.counts.hit > 0) this.#rules.add(scheme.rule);
    let types = 0;
    const alone = (spans: SpanList, at: number, type: number, isLinked: boolean): void => {
      types |= 1 << type;
      this.#labels.add(spans.labels[spans.get(at, LABEL)]!);
      this.#rules.add(isLinked ? linkRule! : 'no-match');
    };
    for (let g = 0; g < gold.count; g += 1)
      if (pairing.gold[g]! < 0) alone(gold, g, errors.gold[g]!, linkRule !== null && pairing.linkedGold[g]! >= 0);
      else types |= 1 << errors.gold[g]!;
    for (let p = 0; p < predicted.count; p += 1)
      if (pairing.predicted[p]! < 0)
        alone(predicted, p, errors.predicted[p]!, linkRule !== null && pairing.linkedPredicted[p]! >= 0);
    this.#addNumbers(columns!, result, 0, types >> 1);
  }

  /** The only row of another index, whose names are in the order in which the case has them. */
  addRow({ ids, labels, rules, slices, runs }: CaseIndex): void {
    const row = this.#ids.push(ids[0]!) - 1;
    this.#addSlices(row, recordOf(Object.entries(slices).map(([column, { values }]) => [column, values[0]!])));
    this.#runs.forEach((columns, at) => {
      const { wrongLabels, rules: used, hit, missed, spurious, excused, state, errors, print, measures } = runs[at]!;
      for (const place of wrongLabels[0]!) this.#labels.add(labels[place]!);
      for (const place of used[0]!) this.#rules.add(rules[place]!);
      const counts = { hit: hit[0]!, missed: missed[0]!, spurious: spurious[0]!, excused: excused[0]! };
      const values = recordOf(Object.entries(measures).map(([name, [value = null]]) => [name, value]));
      this.#addNumbers(columns, { counts, measures: values }, state[0]!, errors[0]!);
      columns.print.push(...print);
    });
  }

  #addSlices(row: number, slices: Readonly<Record<string, string>>): void {
    for (const [column, value] of Object.entries(slices)) {
      let known = this.#slices.get(column);
      if (known === undefined) this.#slices.set(column, (known = { values: new Names(), of: [] }));
      while (known.of.length < row) known.of.push(-1);
      known.of.push(known.values.placeOf(value));
    }
  }

  index(): CaseIndex {
    const whole = (of: readonly number[]): number[] => this.#ids.map((_, row) => of[row] ?? -1);
    return {
      ids: this.#ids,
      labels: this.#labels.names.list,
      rules: this.#rules.names.list,
      slices: Object.fromEntries(
        [...this.#slices].map(([column, { values, of }]) => [column, { values: values.list, of: whole(of) }]),
      ),
      runs: this.#runs,
    };
  }
}

function recordOf<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  return Object.fromEntries(entries);
}

/**
 * For each run the place of the first one with the same errors in the case. A place gives nothing of a text away, while a
 * hash of it could be guessed.
 */
export function printsOf(runs: ReportCase['runs']): readonly number[] {
  const prints = runs.map((run) => (run === null ? -1 : errorPrint(run.verdicts)));
  return prints.map((print) => prints.indexOf(print));
}
