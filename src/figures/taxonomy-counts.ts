import type { ItemKind } from '../data/item.ts';
import { ERROR_TYPES, type ErrorType } from '../judge/error-type.ts';
import type { Verdict } from '../judge/verdict.ts';
import { countVerdict, creditOf, type F1Counts, noCounts, sizeOf } from './f1-counts.ts';
import type { ErrorClass, Taxonomy } from './run-figures.ts';

/** Ids that a figure names of all the cases behind it; the rest are counted. */
const MOST_SHOWN = 200;

/** Hits among them are those that lack credit. */
type ClassCounts = Readonly<{ of: F1Counts; cases: { total: number; readonly shown: string[] } }>;

/**
 * Adds up why F1 is not 1, for each kind of item. With D = gold + predicted, a hit being one of each, F1 is 2 credit / D
 * and the gap to 1 is (missed + spurious + 2 lost credit) / D: so each type of error has its part of the gap, and the
 * parts add up to all of it.
 * Example: 3 hits, 1 missed, 1 spurious that are one boundary error: F1 6/8, all of the gap of 2/8 is boundary, and with
 * the boundary right F1 is 8/8.
 */
export function taxonomyCounts(kinds: Iterable<ItemKind>) {
  const none = (): ClassCounts => ({ of: noCounts(), cases: { total: 0, shown: [] } });
  const classesOf = () => new Map(ERROR_TYPES.map((type) => [type, none()]));
  const counted = new Map(Array.from(kinds, (kind) => [kind, { all: noCounts(), classes: classesOf() }]));
  return {
    /** The verdicts of one case. */
    add(id: string, verdicts: readonly Verdict[], types: ReadonlyMap<Verdict, ErrorType>): void {
      let kind: ItemKind | null = null;
      let ofKind = counted.values().next().value;
      for (const verdict of verdicts) {
        if (verdict.kind !== kind) ofKind = counted.get((kind = verdict.kind));
        if (ofKind !== undefined) countVerdict(ofKind.all, verdict);
      }
      if (types.size === 0) return;
      const seen = new Set<ClassCounts['cases']>();
      for (const [verdict, type] of types) {
        const own = counted.get(verdict.kind)?.classes.get(type);
        if (own === undefined) continue;
        countVerdict(own.of, verdict);
        seen.add(own.cases);
      }
      for (const cases of seen) {
        cases.total += 1;
        if (cases.shown.length < MOST_SHOWN) cases.shown.push(id);
      }
    },
    list: (): Taxonomy[] =>
      [...counted].map(([kind, { all, classes }]) => {
        const { hit, missed, spurious } = all;
        const size = sizeOf(all);
        const f1 = size === 0 ? null : (2 * creditOf(all)) / size;
        const nothing = f1 === null ? 'there is neither gold nor a prediction that counts' : null;
        const errors = [...classes].map(([type, own]) => errorClass(type, own, all));
        return { kind, hit, missed, spurious, f1, undefined: nothing, errors };
      }),
  };
}

function errorClass(type: ErrorType, { of, cases }: ClassCounts, all: F1Counts): ErrorClass {
  const { missed, spurious } = of;
  const lostCredit = of.hit - creditOf(of);
  const size = sizeOf(all);
  // What was missed becomes a hit, which has a prediction too; what was spurious is gone.
  const fixed = size + missed - spurious;
  const gap = size === 0 ? 0 : (missed + spurious + 2 * lostCredit) / size;
  const f1IfFixed = size === 0 || fixed === 0 ? null : (2 * (creditOf(all) + missed + lostCredit)) / fixed;
  return { type, missed, spurious, lostCredit, gap, f1IfFixed, cases };
}
