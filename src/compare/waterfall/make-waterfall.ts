import { type Case, withFailure } from '../../data/case.ts';
import { type Foldable, FoldState } from '../../data/fold-state.ts';
import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { formatOf } from '../../formats/case-formats.ts';
import { hitCredit, verdictCount, WHOLE } from '../../measure/hit-measures.ts';
import { total } from '../../measure/measure.ts';
import { buildMeasures } from '../../measure/measures.ts';
import type { Plan } from '../../recipe/plan.ts';
import { makeCaseScorer } from '../../score/score-case.ts';
import type { ScoredCase } from '../../score/score.ts';
import { count } from '../../text/figures.ts';
import { isOfWholeNumbers, joinTotals, makeTotals, type ScoredRow } from '../paired-sets.ts';
import { makeVariantScorer } from '../variants/score-variants.ts';
import { ladderOf } from './ladder.ts';
import { sameResult } from './same-result.ts';
import { type PairedCase, spanRows } from './span-rows.ts';
import { fatesOf, StepMoves } from './step-moves.ts';
import type { Waterfall, WaterfallStep } from './waterfall.ts';

/** A case with what the whole recipe makes of it: plain spans in their columns, or verdicts. */
type WholeCase = Readonly<{ given: Case; spans?: PairedCase; variants: readonly ScoredRow[] }>;

/** Adds up what the variants of a recipe make of cases, row by row. */
function waterfallRows(plan: Plan) {
  const { plans, steps, without, kept } = ladderOf(plan);
  const whole = steps.at(-1)!.at;
  const kinds = kindMeasures(plan);
  const measures = [...kinds.flatMap((kind) => kind.measures), ...plan.measures];
  const cluster = plan.interval?.cluster ?? null;
  const state = new FoldState();
  const newTotals = () => makeTotals(measures, cluster);
  /** What each other variant makes of cases that it sees otherwise; what the recipe makes of cases, by those who do. */
  const sets = plans.map(() => state.keep(newTotals()));
  const shared = state.keep(new Map<string, ReturnType<typeof newTotals>>(), newTotals);
  const scorers = new Map<string, ReturnType<typeof makeVariantScorer>>();
  const others = [...plans.keys()].filter((at) => at !== whole);
  const isSame = measures.every(isOfWholeNumbers)
    ? plans.map((own) => sameResult(own, plans[whole]!))
    : plans.map(() => () => false);
  /** From row to row, then from the whole recipe to each less one part. */
  const ways = [
    ...steps.slice(1).map(({ at }, before) => ({ from: steps[before]!.at, to: at })),
    ...without.map(({ at }) => ({ from: whole, to: at })),
  ].map(({ from, to }) => {
    const told = countsItems(plans[from]!) && countsItems(plans[to]!);
    return { from, to, moves: told ? state.keep(new StepMoves()) : null };
  });
  /** Scores the variants that differ, and adds what they make of a case. */
  const score = (
    given: Case,
    own: readonly ScoredRow[],
    differing: readonly number[],
    scoreThem: ReturnType<typeof makeVariantScorer>,
  ): void => {
    const scored = new Map(scoreThem(given).map((made, place) => [differing[place]!, made]));
    for (const [at, made] of scored) for (const row of made) sets[at]!.add(row);
    // Mostly one: rules of `prepare` may make several cases of the one.
    const fatesIn = (made: readonly ScoredRow[]) => new Map(made.map((one) => [one.case.id, fatesOf(one.verdicts)]));
    const ownFates = fatesIn(own);
    const fates = new Map(scored.entries().map(([at, made]) => [at, fatesIn(made)]));
    for (const { from, to, moves } of ways) {
      if (moves === null || !(fates.has(from) || fates.has(to))) continue;
      const [before, after] = [fates.get(from) ?? ownFates, fates.get(to) ?? ownFates];
      for (const [id, verdicts] of before) moves.add(id, given, verdicts, after.get(id) ?? new Map());
    }
  };
  const counts = state.keep({ cases: 0, failed: 0, scored: 0, asked: 0 });
  /** Of each part, which case its first and its last answer is to. */
  const ends = state.keep<(string | null)[]>([]);
  let isBegun = false;
  const countAsked = (from: string | null): void => {
    // Answers to the same case come one after another.
    if (from === null || !isBegun || ends.at(-1) !== from) counts.asked += 1;
    if (isBegun) ends[ends.length - 1] = from;
    else ends.push(from, from);
    isBegun = true;
  };
  const scoreCase = makeCaseScorer(plans[whole]!);
  const spans = measures.every(isOfWholeNumbers) ? spanRows(plans, whole) : null;
  const inColumns = spans === null ? [] : plans.map(() => state.keep(newTotals()));
  const drainColumns = (): void => spans?.drain((at, verdict, n) => inColumns[at]!.addLike(verdict, n));
  return {
    save(): unknown {
      drainColumns();
      return state.save();
    },
    merge: (saved: unknown) => state.merge(saved),
    variants: plans.length,
    /** What the whole recipe makes of a case. */
    scoreWhole(given: Case): WholeCase {
      const paired = spans?.pairedCase(given) ?? null;
      return paired === null ? { given, variants: scoreCase(given) } : { given, spans: paired, variants: [] };
    },
    /**
     * Adds a case with what the whole recipe makes of it; one that failed is in no row. What has to be scored may wait,
     * and what comes to the same is added at once. Plain spans are quick: they need to wait only for what waits already.
     */
    add(scored: WholeCase, later: (work: () => void, isQuick: boolean) => void = (work) => work()): void {
      const { given } = scored;
      countAsked(given.from ?? null);
      if (given.failed !== null) {
        counts.failed += 1;
        return;
      }
      counts.cases += 1;
      if (scored.spans !== undefined && spans !== null) {
        const facts = scored.spans;
        counts.scored += 1;
        later(() => spans.add(facts, ways), true);
        return;
      }
      // Variants that come to the same are not scored.
      const own = scored.variants;
      const differing = others.filter((at) => own.length === 0 || !own.every((row) => isSame[at]!(row)));
      const key = differing.join();
      const rows = shared.get(key) ?? newTotals();
      shared.set(key, rows);
      counts.scored += own.length;
      const addOwn = (): void => own.forEach((row) => rows.add(row));
      if (differing.length === 0) return addOwn();
      const scoreThem = scorers.get(key) ?? makeVariantScorer(differing.map((at) => plans[at]!));
      scorers.set(key, scoreThem);
      later(() => {
        addOwn();
        score(given, own, differing, scoreThem);
      }, false);
    },
    result(): Waterfall {
      const { cases, failed, scored } = counts;
      // A case whose answers are in two parts was counted in both.
      const cut = ends.filter(
        (from, place) => place > 0 && place % 2 === 0 && from !== null && from === ends[place - 1],
      );
      const asked = counts.asked - cut.length;
      drainColumns();
      const values = sets.map((set, at) => {
        const same = [...shared].filter(([differing]) => !differing.split(',').includes(String(at)));
        const parts = [...same.map(([, totals]) => totals), ...(at === whole ? [] : [set])];
        return rowOf(plan, kinds, joinTotals([...parts, ...inColumns.slice(at, at + 1)]));
      });
      const moves = [null, ...ways.map((way) => way.moves?.result() ?? null)];
      const stepOf = ({ at, ...row }: (typeof steps)[number], place: number): WaterfallStep => {
        return { ...row, ...values[at]!, moves: moves[place]! };
      };
      return {
        recipe: plan.name,
        cases,
        ...(failed === 0 ? {} : { failed }),
        ...(scored === cases ? {} : { scored }),
        ...(asked === cases + failed ? {} : { asked }),
        kept,
        measures: plan.measures.map(({ name, direction }) => ({ name, direction })),
        shown: (plan.measures.find(({ name }) => isF1(plan, name)) ?? plan.measures[0])?.name ?? '',
        steps: steps.map(stepOf),
        without: without.map((row, at) => stepOf(row, steps.length + at)),
      };
    },
  };
}

/** What is measured of each kind of item. */
function kindMeasures({ schemes, resolved: { zeroDivision } }: Plan) {
  return [...schemes[0]!.pair.keys()].map((kind) => {
    const asked = {
      precision: { of: 'precision', kind },
      recall: { of: 'recall', kind },
      f1: { of: 'f1', kind },
      excused: { of: 'count', kind, verdict: 'excused' },
      partly: { of: 'count', kind, verdict: 'hit', credit: 'part' },
    };
    return { kind, ...buildMeasures(asked, typeof zeroDivision === 'number' ? zeroDivision : null) };
  });
}

function rowOf(
  plan: Plan,
  kinds: ReturnType<typeof kindMeasures>,
  { sums, valueOf }: ReturnType<typeof joinTotals>,
): Pick<WaterfallStep, 'kinds' | 'measures'> {
  return {
    kinds: kinds.map(({ kind, measures }) => {
      const scope = { ...WHOLE, kind };
      const counted = (verdict: 'hit' | 'missed' | 'spurious'): number => total(sums, verdictCount(verdict, scope));
      const [precision = null, recall = null, f1 = null, excused, partly] = measures.map(valueOf);
      return {
        kind,
        hit: total(sums, hitCredit(scope)),
        missed: counted('missed'),
        spurious: counted('spurious'),
        excused: excused ?? 0,
        precision,
        recall,
        f1,
        ...((partly ?? 0) === 0 ? {} : { hits: counted('hit'), partly: partly! }),
      };
    }),
    measures: Object.fromEntries(plan.measures.map((measure) => [measure.name, valueOf(measure)])),
  };
}

/** Tokens and characters are not items of the files: between them and items nothing moves that has a name. */
function countsItems({ schemes }: Plan): boolean {
  return schemes[0]!.pair.values().every(({ unit }) => unit === 'item' || unit === 'cover');
}

function isF1({ resolved: { measure } }: Plan, name: string): boolean {
  const own = isRecord(measure) ? measure[name] : undefined;
  return isRecord(own) && own['of'] === 'f1';
}

/** Items times variants that take about two seconds. */
const MOST_ITEMS = 1_000_000;
/** Characters of cases that may wait to be scored, and of a case beside those of its text. */
const [MOST_WAITING, PER_CASE] = [1 << 24, 1000];

/**
 * Makes the waterfall while a run is scored; it never keeps the run from being scored. `mostItems`: gold and predicted
 * items times variants, above which it is left out. Cases wait until it is known that there is one.
 */
export function watchWaterfall(plan: Plan, mostItems = MOST_ITEMS) {
  const state = new FoldState();
  const { isPaired, noWaterfall: why = null } = formatOf(plan);
  if (!isPaired) return { sink: {}, state, result: () => ({ waterfall: null, noWaterfall: why }) };
  const rows = state.keep(waterfallRows(plan));
  const seen = state.keep<{ items: number; fault: string | null }>({ items: 0, fault: null });
  let waiting: (() => void)[] = [];
  let characters = 0;
  // By size before all else: that does not depend on when the cases that wait are scored.
  const stopped = (): string | null =>
    seen.items > mostItems
      ? `it would score more than ${count(mostItems)} items (items of the files times ${rows.variants} variants of the recipe); assay waterfall RECIPE with the same files makes it whatever its size`
      : seen.fault;
  const doWaiting = (): void => {
    try {
      for (const work of waiting) work();
    } catch (error) {
      // A variant's own trouble is not the run's.
      if (!(error instanceof UsageError)) throw error;
      seen.fault = `a variant of the recipe cannot be scored: ${error.message}`;
    }
    waiting = [];
    characters = 0;
  };
  const add = (scored: ScoredCase): void => {
    const { given, spans } = scored;
    const [golds, predicteds] = spans
      ? [spans.given.spans.gold.count, spans.given.spans.predicted.count]
      : [given.gold.length, given.predicted.length];
    if (given.failed === null) seen.items += (golds + predicteds) * rows.variants;
    if (seen.items > mostItems || seen.fault !== null) {
      waiting = [];
      return;
    }
    // The row of the whole recipe is made of the run's own verdicts: nothing is scored twice.
    rows.add(scored, (work, isQuick) => {
      if (isQuick && waiting.length === 0) return work();
      waiting.push(work);
      characters += PER_CASE + (isQuick ? 0 : (given.text?.length ?? 0));
    });
    if (characters > MOST_WAITING) doWaiting();
  };
  return {
    sink: { scored: add },
    state: savedAfter(doWaiting, state),
    result() {
      doWaiting();
      const noWaterfall = stopped();
      return { waterfall: noWaterfall === null ? rows.result() : null, noWaterfall };
    },
  };
}

/** A state that needs something done before it is saved. */
function savedAfter(settle: () => void, state: Foldable): Foldable {
  return {
    save() {
      settle();
      return state.save();
    },
    merge: (saved) => state.merge(saved),
  };
}

/** From strict matching to the score over these cases, however many they are. */
export async function waterfallOf(plan: Plan, cases: AsyncIterable<Case> | Iterable<Case>): Promise<Waterfall> {
  const { isPaired, noWaterfall, refusals } = formatOf(plan);
  if (!isPaired) throw new UsageError(noWaterfall ?? `${plan.name} has no waterfall`, refusals.waterfall?.[1]);
  const rows = waterfallRows(plan);
  for await (const read of cases) {
    rows.add(rows.scoreWhole(withFailure(read, plan.data.failed)));
  }
  const made = rows.result();
  if (made.cases === 0 && made.failed === undefined) throw new UsageError('there is no case to score');
  return made;
}
