import type { ItemKind } from '../../data/item.ts';
import { hitCredit, verdictCount, WHOLE } from '../../measure/hit-measures.ts';
import { type CaseCounter, type Counter, type Measure, total } from '../../measure/measure.ts';
import { buildMeasures } from '../../measure/measures.ts';
import { SumLog } from '../../measure/sum-log.ts';
import { Tally } from '../../measure/tally.ts';
import { sumsOf, totals } from '../../measure/unit-sums.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { SchemeVerdicts } from '../../score/score-case.ts';
import type { KindCounts, WaterfallStep } from './waterfall.ts';

const OF_KIND = ['precision', 'recall', 'f1'] as const;

/** What the rows of one waterfall count. */
export interface RowShape {
  readonly kinds: readonly ReturnType<typeof kindCounters>[];
  /** The recipe's, then precision, recall and F1 of each kind. */
  readonly measures: readonly Measure[];
  readonly own: number;
  readonly cluster: string | null;
}

export function rowShape(plan: Plan): RowShape {
  const kinds = [...plan.schemes[0]!.pair.keys()];
  const zeroDivision = plan.resolved['zeroDivision'];
  const { measures } = buildMeasures(
    Object.fromEntries(kinds.flatMap((kind) => OF_KIND.map((of) => [`${kind} ${of}`, { of, kind }]))),
    typeof zeroDivision === 'number' ? zeroDivision : null,
  );
  return {
    kinds: kinds.map(kindCounters),
    measures: [...plan.measures, ...measures],
    own: plan.measures.length,
    cluster: plan.interval?.cluster ?? null,
  };
}

function kindCounters(kind: ItemKind) {
  const scope = { ...WHOLE, kind };
  return {
    kind,
    credit: hitCredit(scope),
    counters: {
      hits: verdictCount('hit', scope),
      missed: verdictCount('missed', scope),
      spurious: verdictCount('spurious', scope),
      excused: countOf(`excused:${kind}`, (v) => v.verdict === 'excused' && v.kind === kind),
      partly: countOf(`partly:${kind}`, (v) => v.verdict === 'hit' && v.credit !== 1 && v.kind === kind),
    },
  };
}

function countOf(key: string, counts: (verdict: Parameters<Counter['of']>[0]) => boolean): Counter {
  return { key, of: (verdict) => (counts(verdict) ? verdict.weight : 0) };
}

/** Counters, by how their keys begin, that only ever add whole numbers: weights of verdicts, and credits in millionths. */
const WHOLE_NUMBERS = new Set(
  'credit hit missed spurious excused-gold excused-predicted attributes attributes-right quotes quotes-found verdicts total'.split(
    ' ',
  ),
);

/** Whether nothing but whole numbers goes into a measure, so that no order of adding can change a bit of it. */
export function isOfWholeNumbers({ counters, caseCounters, beside = [] }: Measure): boolean {
  return caseCounters.length === 0 && [...counters, ...beside].every(isWhole);
}

function isWhole(counter: Counter | CaseCounter): counter is Counter {
  return 'of' in counter && WHOLE_NUMBERS.has(counter.key.slice(0, counter.key.indexOf(':')));
}

/** The sums of one row: the counts of each kind, and every measure overall. */
export class RowTally {
  readonly #shape: RowShape;
  readonly #counters: readonly Counter[];
  /** Of whole numbers: they are added up as one case, since what each case added can be forgotten. */
  readonly #whole: SumLog;
  /** For measures of other numbers, whose last bits depend on the order of the cases. */
  readonly #tally: Tally | null;

  constructor(shape: RowShape) {
    this.#shape = shape;
    const others = shape.measures.filter((measure) => !isOfWholeNumbers(measure));
    this.#tally = others.length === 0 ? null : new Tally(others, [], shape.cluster);
    const counters = [
      ...shape.kinds.flatMap(({ credit, counters: own }) => [credit, ...Object.values(own)]),
      ...shape.measures
        .filter(isOfWholeNumbers)
        .flatMap((measure) => [...measure.counters, ...(measure.beside ?? []).filter(isWhole)]),
    ];
    const byKey = new Map(counters.map((counter) => [counter.key, counter]));
    this.#counters = [...byKey.values()];
    this.#whole = new SumLog(new Map([...byKey.keys()].map((key, at) => [key, at])));
  }

  add({ case: scored, scheme, verdicts }: SchemeVerdicts): void {
    this.#tally?.addCase(scored, scheme, verdicts);
    if (scored.failed === null) this.#whole.addVerdicts(this.#counters, verdicts);
  }

  result(): Pick<WaterfallStep, 'kinds' | 'measures'> {
    const { measures, own, kinds } = this.#shape;
    this.#whole.keep('all');
    const table = this.#whole.byUnit();
    const sums = sumsOf(table, totals(table));
    const others = this.#tally?.values().map(({ value }) => value) ?? [];
    let next = 0;
    const values = measures.map((measure) =>
      isOfWholeNumbers(measure) ? measure.value(sums).value : (others[next++] ?? null),
    );
    return {
      kinds: kinds.map(({ kind, credit, counters }, at): KindCounts => {
        const { hits, partly, missed, spurious, excused } = counters;
        const [precision = null, recall = null, f1 = null] = values.slice(own + at * OF_KIND.length);
        return {
          kind,
          hit: total(sums, credit),
          missed: sums.get(missed.key),
          spurious: sums.get(spurious.key),
          excused: sums.get(excused.key),
          precision,
          recall,
          f1,
          ...(sums.get(partly.key) === 0 ? {} : { hits: sums.get(hits.key), partly: sums.get(partly.key) }),
        };
      }),
      measures: Object.fromEntries(measures.slice(0, own).map(({ name }, at) => [name, values[at]!])),
    };
  }
}
