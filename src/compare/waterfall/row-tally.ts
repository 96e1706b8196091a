import type { ItemKind } from '../../data/item.ts';
import type { Verdict } from '../../judge/verdict.ts';
import type { Measure } from '../../measure/measure.ts';
import { buildMeasures } from '../../measure/measures.ts';
import { Tally } from '../../measure/tally.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { SchemeVerdicts } from '../../score/score-case.ts';
import type { KindCounts, WaterfallStep } from './waterfall.ts';
import { isOfWholeNumbers, WholeSums } from './whole-sums.ts';

/** Whole numbers have an exact sum, in whatever order they come. */
const CREDIT_UNITS = 1_000_000;

const OF_KIND = ['precision', 'recall', 'f1'] as const;

/** What the rows of one waterfall count. */
export interface RowShape {
  readonly kinds: readonly ItemKind[];
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
    kinds,
    measures: [...plan.measures, ...measures],
    own: plan.measures.length,
    cluster: plan.interval?.cluster ?? null,
  };
}

interface Counted {
  hit: number;
  missed: number;
  spurious: number;
  excused: number;
  /** Hits that lack credit, and the millionths they lack. */
  partly: number;
  lacking: number;
}

const NOTHING: Counted = { hit: 0, missed: 0, spurious: 0, excused: 0, partly: 0, lacking: 0 };

/** The sums of one row: the counts of each kind, and every measure overall. */
export class RowTally {
  readonly #shape: RowShape;
  readonly #whole: WholeSums;
  /** For measures of other numbers, whose last bits depend on the order of the cases. */
  readonly #tally: Tally | null;
  readonly #counts: ReadonlyMap<ItemKind, Counted>;

  constructor(shape: RowShape) {
    this.#shape = shape;
    const others = shape.measures.filter((measure) => !isOfWholeNumbers(measure));
    this.#whole = new WholeSums(shape.measures.filter(isOfWholeNumbers));
    this.#tally = others.length === 0 ? null : new Tally(others, [], shape.cluster);
    this.#counts = new Map(shape.kinds.map((kind) => [kind, { ...NOTHING }]));
  }

  add({ case: scored, scheme, verdicts }: SchemeVerdicts): void {
    this.#tally?.addCase(scored, scheme, verdicts);
    if (scored.failed === null) this.#whole.add(verdicts);
    for (const verdict of verdicts) {
      const own = this.#counts.get(verdict.kind);
      if (own === undefined) continue;
      const units = unitsOf(verdict);
      own[verdict.verdict] += units;
      if (verdict.verdict !== 'hit' || verdict.credit === 1) continue;
      own.partly += verdict.weight;
      own.lacking += verdict.weight * CREDIT_UNITS - units;
    }
  }

  result(): Pick<WaterfallStep, 'kinds' | 'measures'> {
    const { measures, own, kinds } = this.#shape;
    const sums = this.#whole.sums();
    const others = this.#tally?.values().map(({ value }) => value) ?? [];
    let next = 0;
    const values = measures.map((measure) =>
      isOfWholeNumbers(measure) ? measure.value(sums).value : (others[next++] ?? null),
    );
    return {
      kinds: kinds.map((kind, at): KindCounts => {
        const { hit, missed, spurious, excused, partly, lacking } = this.#counts.get(kind)!;
        const [precision, recall, f1] = values.slice(own + at * OF_KIND.length);
        return {
          kind,
          hit: hit / CREDIT_UNITS,
          missed,
          spurious,
          excused,
          precision: precision ?? null,
          recall: recall ?? null,
          f1: f1 ?? null,
          ...(partly === 0 ? {} : { hits: (hit + lacking) / CREDIT_UNITS, partly }),
        };
      }),
      measures: Object.fromEntries(measures.slice(0, own).map(({ name }, at) => [name, values[at]!])),
    };
  }
}

/** Hits in millionths of their credit, all else by weight. */
function unitsOf({ verdict, credit, weight }: Verdict): number {
  return verdict === 'hit' ? Math.round(credit * CREDIT_UNITS) * weight : weight;
}
