import { FoldState } from '../data/fold-state.ts';
import { UsageError } from '../data/problems.ts';
import type { Verdict } from '../judge/verdict.ts';
import { isCounter, type Measure, type Sums } from '../measure/measure.ts';
import type { CaseResult } from '../measure/results.ts';
import { SumLog } from '../measure/sum-log.ts';
import { Tally } from '../measure/tally.ts';
import { NO_SUMS, sumsAt, totals } from '../measure/unit-sums.ts';
import type { SchemeVerdicts } from '../score/score-case.ts';
import { compareText } from '../text/compare.ts';

/** What pairing has to know of a case. */
export type PairableCase = { readonly [Key in 'failed' | 'cluster']?: string | null | undefined };

/** One of several runs, systems or recipes over the same cases: its cases by id, and what each adds to its sums. */
export interface CaseSet {
  readonly cases: ReadonlyMap<string, PairableCase>;
  readonly tally: Tally;
}

/** A case as one of several sets has it. */
export type ScoredRow = Pick<SchemeVerdicts, 'case' | 'verdicts'>;

/** A set that is added to case by case; those that are known to have the same cases can share one map of them. */
export function makeSet(measures: readonly Measure[], cluster: string | null, cases = new Map<string, CaseResult>()) {
  const tally = new Tally(measures, [], cluster);
  return {
    cases,
    tally,
    add({ case: given, verdicts }: ScoredRow): CaseResult {
      const result = tally.addCase(given, null, verdicts);
      cases.set(given.id, result);
      return result;
    },
  };
}

/**
 * A set of which only the values over all cases are wanted, however many they are: whole numbers are added up as one case,
 * since what each case added to them can be forgotten. Other measures depend on the order of adding and keep their cases.
 */
export function makeTotals(measures: readonly Measure[], cluster: string | null) {
  const whole = measures.filter(isOfWholeNumbers);
  const others = measures.filter((measure) => !whole.includes(measure));
  const kept = others.length === 0 ? null : new Tally(others, [], cluster);
  const all = whole.flatMap(({ counters, beside = [] }) => [...counters, ...beside].filter(isCounter));
  const counters = [...new Map(all.map((counter) => [counter.key, counter])).values()];
  const places = new Map(counters.map(({ key }, at) => [key, at]));
  let log = new SumLog(places);
  const state = new FoldState();
  /** What is no longer in the log, of the whole and by label. */
  const sums = state.keep({ all: new Map<string, number>(), labels: new Map<string, Map<string, number>>() });
  if (kept !== null) state.keep(kept);
  const drainLog = (): void => {
    log.keep('all');
    const table = log.byUnit();
    const drained = sumsAt(table, totals(table));
    const addTo = (own: Map<string, number>, more: Sums): void => {
      for (const key of places.keys()) own.set(key, (own.get(key) ?? 0) + more.get(key));
    };
    addTo(sums.all, drained);
    for (const { label, sums: more } of drained.labels()) {
      const own = sums.labels.get(label) ?? new Map<string, number>();
      sums.labels.set(label, own);
      addTo(own, more);
    }
    log = new SumLog(places);
  };
  const sumsOf = (own: ReadonlyMap<string, number>): Sums => ({ ...NO_SUMS, get: (key) => own.get(key) ?? 0 });
  return {
    save(): unknown {
      drainLog();
      return state.save();
    },
    merge: (saved: unknown) => state.merge(saved),
    add({ case: given, verdicts }: ScoredRow): void {
      kept?.addCase(given, null, verdicts);
      log.addVerdicts(counters, verdicts);
    },
    /** Verdicts that count alike, of measures of whole numbers. */
    addLike(verdict: Verdict, n: number): void {
      log.addVerdicts(counters, [verdict], n);
    },
    /** Once all cases are added: the whole numbers, and the values of the other measures. */
    result() {
      drainLog();
      const values = new Map(kept?.values().map(({ name, value }) => [name, value]));
      const labels = [...sums.labels].map(([label, own]) => ({ label, sums: sumsOf(own) }));
      return { whole, sums: { ...sumsOf(sums.all), labels: () => labels }, values };
    },
  };
}

/**
 * The whole numbers of several parts of the cases together, and the value of each measure. Measures of other numbers have
 * the value of the last part: there must be no other.
 */
export function joinTotals(parts: readonly ReturnType<typeof makeTotals>[]) {
  const results = parts.map((part) => part.result());
  const all = results.map(({ sums }) => sums);
  const labels = Map.groupBy(
    all.flatMap((sums) => sums.labels()),
    ({ label }) => label,
  );
  const add = (some: readonly Pick<Sums, 'get'>[], key: string): number =>
    some.reduce((sum, one) => sum + one.get(key), 0);
  const sums: Sums = {
    ...NO_SUMS,
    get: (key) => add(all, key),
    // In text order, as the sums of one part have them.
    labels: () =>
      [...labels]
        .sort(([a], [b]) => compareText(a, b))
        .map(([label, own]) => {
          const some = own.map((one) => one.sums);
          return { label, sums: { ...NO_SUMS, get: (key) => add(some, key) } };
        }),
  };
  const last = results.at(-1);
  const valueOf = (measure: Measure): number | null =>
    last?.whole.includes(measure) === true ? measure.value(sums).value : (last?.values.get(measure.name) ?? null);
  return { sums, valueOf };
}

/** Counters, by how their keys begin, that only ever add whole numbers: weights of verdicts, and credits in millionths. */
const WHOLE_NUMBERS =
  /^(credit|hit|missed|spurious|excused-(gold|predicted)|attributes(-right)?|quotes(-found)?|verdicts|total):/;

/** Whether nothing but whole numbers goes into a measure, so that no order of adding can change a bit of it. */
export function isOfWholeNumbers({ counters, beside = [] }: Measure): boolean {
  return [...counters, ...beside].every((counter) => isCounter(counter) && WHOLE_NUMBERS.test(counter.key));
}

export type PairedCases = Readonly<ReturnType<typeof pairCases>>;

/**
 * The cases of several sets, brought together by their ids: those that all have and none failed on, and the others with
 * the places of the sets that lack them and of those that failed on them. `clustered` is the first set that knows which
 * cases belong together, −1 where none does; `clusterOf` is what a case belongs to in that set.
 */
export function pairCases(sets: readonly Pick<CaseSet, 'cases'>[]) {
  const ids = new Set<string>();
  const leftOut: { readonly case: string; readonly lacking: number[]; readonly failed: number[] }[] = [];
  const places = [...sets.keys()];
  for (const id of new Set(sets.flatMap(({ cases }) => [...cases.keys()]))) {
    const lacking = places.filter((at) => !sets[at]!.cases.has(id));
    const failed = places.filter((at) => (sets[at]!.cases.get(id)?.failed ?? null) !== null);
    if (lacking.length === 0 && failed.length === 0) ids.add(id);
    else leftOut.push({ case: id, lacking, failed });
  }
  const clustered = sets.findIndex(({ cases }) => cases.values().some(({ cluster }) => (cluster ?? null) !== null));
  const clusterOf = (id: string): string | null => sets[clustered]?.cases.get(id)?.cluster ?? null;
  return { ids, leftOut, clustered, clusterOf };
}

/** Refuses sets that have nothing to compare; `next` is what to do about it. */
export function expectPairs({ ids, leftOut }: PairedCases, sets: 'runs' | 'systems', next: string): void {
  if (ids.size > 0) return;
  const isShared = leftOut.some(({ lacking }) => lacking.length === 0);
  throw new UsageError(
    isShared ? `every case that the ${sets} share failed in one of them` : `the ${sets} have no case in common`,
    `cases are aligned by their id: ${next}`,
  );
}
