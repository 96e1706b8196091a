import type { SpanScoring } from '../columns/span-scoring.ts';
import { FoldState } from '../data/fold-state.ts';
import type { ItemKind } from '../data/item.ts';
import type { SpanCase } from '../data/span-case.ts';
import { ERROR_TYPES, type ErrorType } from '../judge/error-type.ts';
import { makeVerdict, type Verdict } from '../judge/verdict.ts';
import type { SpanFacts } from '../score/score.ts';
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
  const state = new FoldState();
  const counted = state.keep(new Map(Array.from(kinds, (kind) => [kind, { all: noCounts(), classes: classesOf() }])));
  const ofSpans = counted.get('span');
  const spans = new SpanEnds();
  const addCase = (cases: ClassCounts['cases'], id: string): void => {
    cases.total += 1;
    if (cases.shown.length < MOST_SHOWN) cases.shown.push(id);
  };
  const drainSpans = (): void =>
    spans.drain((type, verdict, n) => {
      countVerdict(ofSpans!.all, verdict, n);
      if (type !== undefined) countVerdict(ofSpans!.classes.get(type)!.of, verdict, n);
    });
  return {
    save(): unknown {
      drainSpans();
      return state.save();
    },
    merge: (saved: unknown) => state.merge(saved),
    /** A case of plain spans. */
    addSpans({ given, scoring }: SpanFacts): void {
      const seen = spans.add(given, scoring);
      for (let at = 0; seen >> at > 1; at += 1)
        if ((seen & (2 << at)) !== 0) addCase(ofSpans!.classes.get(ERROR_TYPES[at]!)!.cases, given.id);
    },
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
      for (const cases of seen) addCase(cases, id);
    },
    list(): Taxonomy[] {
      drainSpans();
      return [...counted].map(([kind, { all, classes }]) => {
        const { hit, missed, spurious } = all;
        const size = sizeOf(all);
        const f1 = size === 0 ? null : (2 * creditOf(all)) / size;
        const nothing = f1 === null ? 'there is neither gold nor a prediction that counts' : null;
        const errors = [...classes].map(([type, own]) => errorClass(type, own, all));
        return { kind, hit, missed, spurious, f1, undefined: nothing, errors };
      });
    },
  };
}

/** How a plain span can end. */
const [FULL, PART, MISSED, SPURIOUS] = [0, 1, 2, 3];
const ENDS = ['hit', 'hit', 'missed', 'spurious'] as const;

/** How many plain spans ended in which way, by the number of their type of error; 0 is none. */
class SpanEnds {
  readonly #counts = new Float64Array((1 + ERROR_TYPES.length) * ENDS.length);
  #partial = 1;

  /** A case; returns the types that it has, bit by bit. */
  add(given: SpanCase, scoring: SpanScoring): number {
    const errors = scoring.errors(given);
    const { pairing, scheme } = scoring.schemes[0]!;
    const { gold, predicted } = given.spans;
    this.#partial = scheme.partial;
    let seen = 0;
    for (let g = 0; g < gold.count; g += 1) {
      const end = pairing.gold[g]! < 0 ? MISSED : pairing.similarity[g]! < 1 ? PART : FULL;
      this.#counts[errors.gold[g]! * ENDS.length + end]! += 1;
      seen |= 1 << errors.gold[g]!;
    }
    for (let p = 0; p < predicted.count; p += 1) {
      if (pairing.predicted[p]! >= 0) continue;
      this.#counts[errors.predicted[p]! * ENDS.length + SPURIOUS]! += 1;
      seen |= 1 << errors.predicted[p]!;
    }
    return seen;
  }

  /** Hands on what has been counted, each with a verdict that stands for all of them. */
  drain(count: (type: ErrorType | undefined, verdict: Verdict, n: number) => void): void {
    this.#counts.forEach((n, at) => {
      const end = at % ENDS.length;
      const credit = end === PART ? this.#partial : 1;
      const made = { case: '', scheme: null, kind: 'span', verdict: ENDS[end]!, rule: '', label: '', credit } as const;
      if (n > 0) count(ERROR_TYPES[Math.floor(at / ENDS.length) - 1], makeVerdict(made), n);
    });
    this.#counts.fill(0);
  }
}

function errorClass(type: ErrorType, { of, cases }: ClassCounts, all: F1Counts): ErrorClass {
  const { missed, spurious } = of;
  const lostCredit = of.hit - creditOf(of);
  const size = sizeOf(all);
  // What was missed becomes a hit, which has a prediction too; what was spurious is gone.
  const fixed = size + missed - spurious;
  const gap = size === 0 ? 0 : (missed + spurious + 2 * lostCredit) / size;
  const f1IfFixed = size === 0 || fixed === 0 ? null : (2 * (creditOf(all) + missed + lostCredit)) / fixed;
  // Of parts that were merged each has its first ones.
  const shown = cases.shown.slice(0, MOST_SHOWN);
  return { type, missed, spurious, lostCredit, gap, f1IfFixed, cases: { total: cases.total, shown } };
}
