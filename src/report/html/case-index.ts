import { ERROR_TYPES } from '../../runs/figures/error-type.ts';
import { printsOf } from './case-print.ts';
import type { CaseDetail, CaseIndex } from './report-data.ts';

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

/** The columns of one run in the making. */
function newColumns(measures: readonly string[]) {
  return {
    hit: new Array<number>(),
    missed: new Array<number>(),
    spurious: new Array<number>(),
    excused: new Array<number>(),
    state: new Array<number>(),
    errors: new Array<number>(),
    wrongLabels: new Array<number[]>(),
    rules: new Array<number[]>(),
    print: new Array<number>(),
    measures: Object.fromEntries(measures.map((name) => [name, new Array<number | null>()])),
  };
}

/** Gathers what the list of cases filters and sorts by, one case at a time. */
export class CaseIndexMaker {
  readonly #ids: string[] = [];
  readonly #labels = new Names();
  readonly #rules = new Names();
  readonly #slices = new Map<string, { values: Names; of: number[] }>();
  readonly #runs: ReturnType<typeof newColumns>[];

  /** The measures that each run has a column for. */
  constructor(measures: readonly (readonly string[])[]) {
    this.#runs = measures.map(newColumns);
  }

  get cases(): number {
    return this.#ids.length;
  }

  add({ case: id, runs }: Pick<CaseDetail, 'case' | 'runs'>): void {
    const row = this.#ids.push(id) - 1;
    this.#addSlices(row, runs.find((run) => run !== null)?.result.slices ?? {});
    const prints = this.#runs.length > 1 ? printsOf(runs) : [];
    this.#runs.forEach((columns, at) => {
      const run = runs[at] ?? null;
      const counts = run?.result.counts ?? { hit: 0, missed: 0, spurious: 0, excused: 0 };
      for (const verdict of ['hit', 'missed', 'spurious', 'excused'] as const) columns[verdict].push(counts[verdict]);
      columns.state.push(
        run === null ? 3 : run.result.failed !== undefined ? 1 : run.result.answered === false ? 2 : 0,
      );
      let errors = 0;
      const wrong = new Set<number>();
      const rules = new Set<number>();
      for (const { error, verdict, label, rule } of run?.records ?? []) {
        if (error !== undefined) errors |= 1 << ERROR_TYPES.indexOf(error);
        if (verdict === 'missed' || verdict === 'spurious') wrong.add(this.#labels.placeOf(label));
        rules.add(this.#rules.placeOf(rule));
      }
      columns.errors.push(errors);
      columns.wrongLabels.push([...wrong]);
      columns.rules.push([...rules]);
      columns.print.push(...prints.slice(at, at + 1));
      for (const [name, values] of Object.entries(columns.measures)) values.push(run?.result.measures[name] ?? null);
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
      labels: this.#labels.list,
      rules: this.#rules.list,
      slices: Object.fromEntries(
        [...this.#slices].map(([column, { values, of }]) => [column, { values: values.list, of: whole(of) }]),
      ),
      runs: this.#runs,
    };
  }
}
