import type { Verdict } from '../../judge/verdict.ts';
import type { CaseCounter, Counter, Measure, Sums } from '../../measure/measure.ts';
import { compareText } from '../../text/compare.ts';

/** Counters, by how their keys begin, that only ever add whole numbers: weights of verdicts, and credits in millionths. */
const WHOLE = new Set(
  'credit hit missed spurious excused-gold excused-predicted attributes attributes-right quotes quotes-found verdicts total'.split(
    ' ',
  ),
);

/** Whether nothing but whole numbers goes into a measure, so that no order of adding can change a bit of it. */
export function isOfWholeNumbers({ counters, caseCounters, beside = [] }: Measure): boolean {
  return caseCounters.length === 0 && [...counters, ...beside].every(isWhole);
}

function isWhole(counter: Counter | CaseCounter): boolean {
  return 'of' in counter && WHOLE.has(counter.key.slice(0, counter.key.indexOf(':')));
}

/** Adds up measures of whole numbers as verdicts come: what each case added is forgotten. */
export class WholeSums {
  readonly #counters: readonly Counter[];
  readonly #places: ReadonlyMap<string, number>;
  /** Where the sums of each label begin; those of the whole begin at 0. */
  readonly #labels = new Map<string, number>();
  #sums: Float64Array;

  constructor(measures: readonly Measure[]) {
    const all = measures.flatMap(({ counters, beside = [] }) => [...counters, ...beside]);
    const byKey = new Map(all.flatMap((one) => ('of' in one ? [[one.key, one] as const] : [])));
    this.#counters = [...byKey.values()];
    this.#places = new Map([...byKey.keys()].map((key, at) => [key, at]));
    this.#sums = new Float64Array(this.#counters.length * 8);
  }

  add(verdicts: readonly Verdict[]): void {
    const counters = this.#counters;
    for (const verdict of verdicts) {
      const label = this.#label(verdict.label);
      for (let at = 0; at < counters.length; at += 1) {
        const counter = counters[at]!;
        const add = counter.of(verdict);
        this.#sums[at]! += add;
        const rows = counter.byLabel?.(verdict) ?? null;
        if (rows === null) this.#sums[label + at]! += add;
        else
          for (const row of rows) {
            const from = this.#label(row.label);
            this.#sums[from + at]! += row.add;
          }
      }
    }
  }

  /** The sums as a measure reads them. */
  sums(): Sums {
    const labels = [...this.#labels].sort(([a], [b]) => compareText(a, b));
    const own = labels.map(([label, from]) => ({ label, sums: this.#from(from, []) }));
    return this.#from(0, own);
  }

  #from(from: number, labels: ReturnType<Sums['labels']>): Sums {
    return {
      get: (key) => {
        const place = this.#places.get(key);
        return place === undefined ? 0 : this.#sums[from + place]!;
      },
      labels: () => labels,
    };
  }

  #label(label: string): number {
    let from = this.#labels.get(label);
    if (from === undefined) {
      from = (1 + this.#labels.size) * this.#counters.length;
      this.#labels.set(label, from);
      if (from + this.#counters.length > this.#sums.length) {
        const grown = new Float64Array(this.#sums.length * 2);
        grown.set(this.#sums);
        this.#sums = grown;
      }
    }
    return from;
  }
}
