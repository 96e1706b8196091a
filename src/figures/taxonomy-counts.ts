import type { ItemKind } from '../data/item.ts';
import type { Verdict } from '../judge/verdict.ts';
import { CaseList } from './case-list.ts';
import { ERROR_TYPES, type ErrorType } from './error-type.ts';
import { countVerdict, creditOf, type F1Counts, f1Of, noCounts, sizeOf } from './f1-counts.ts';
import type { ErrorClass, Taxonomy } from './run-figures.ts';

interface ClassCounts {
  /** Hits among them are those that lack credit. */
  readonly of: F1Counts;
  readonly cases: CaseList;
}

interface KindCounts {
  readonly all: F1Counts;
  readonly classes: ReadonlyMap<ErrorType, ClassCounts>;
}

/**
 * Adds up why F1 is not 1, for each kind of item. With D = gold + predicted, a hit being one of each, F1 is 2 credit / D
 * and the gap to 1 is (missed + spurious + 2 lost credit) / D: so each type of error has its part of the gap, and the
 * parts add up to all of it.
 * Example: 3 hits, 1 missed, 1 spurious that are one boundary error: F1 6/8, all of the gap of 2/8 is boundary, and with
 * the boundary right F1 is 8/8.
 */
export class TaxonomyCounts {
  readonly #kinds: ReadonlyMap<ItemKind, KindCounts>;

  constructor(kinds: Iterable<ItemKind>) {
    const counts = (): ClassCounts => ({ of: noCounts(), cases: new CaseList() });
    this.#kinds = new Map(
      Array.from(kinds, (kind) => [
        kind,
        { all: noCounts(), classes: new Map(ERROR_TYPES.map((type) => [type, counts()])) },
      ]),
    );
  }

  /** The verdicts of one case. */
  add(id: string, verdicts: readonly Verdict[], types: ReadonlyMap<Verdict, ErrorType>): void {
    for (const verdict of verdicts) {
      const kind = this.#kinds.get(verdict.kind);
      if (kind !== undefined) countVerdict(kind.all, verdict);
    }
    if (types.size === 0) return;
    const seen = new Set<ClassCounts>();
    for (const [verdict, type] of types) {
      const own = this.#kinds.get(verdict.kind)?.classes.get(type);
      if (own === undefined) continue;
      countVerdict(own.of, verdict);
      if (!seen.has(own)) own.cases.add(id);
      seen.add(own);
    }
  }

  list(): Taxonomy[] {
    return [...this.#kinds].map(([kind, { all, classes }]) => {
      const f1 = f1Of(all);
      return {
        kind,
        hit: all.hit,
        missed: all.missed,
        spurious: all.spurious,
        f1,
        undefined: f1 === null ? 'there is neither gold nor a prediction that counts' : null,
        errors: ERROR_TYPES.map((type) => errorClass(type, classes.get(type)!, all)),
      };
    });
  }
}

function errorClass(type: ErrorType, { of, cases }: ClassCounts, all: F1Counts): ErrorClass {
  const { missed, spurious } = of;
  const lost = of.hit - creditOf(of);
  const size = sizeOf(all);
  // What was missed becomes a hit, which has a prediction too; what was spurious is gone.
  const fixed = size + missed - spurious;
  return {
    type,
    missed,
    spurious,
    lostCredit: lost,
    gap: size === 0 ? 0 : (missed + spurious + 2 * lost) / size,
    f1IfFixed: size === 0 || fixed === 0 ? null : (2 * (creditOf(all) + missed + lost)) / fixed,
    cases: cases.list(),
  };
}
