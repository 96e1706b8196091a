import { type Case, withFailure } from '../../data/case.ts';
import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { formatOf } from '../../formats/case-formats.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { ScoredCase, ScoreSink } from '../../score/score.ts';
import { count } from '../../text/figures.ts';
import { makeVariantScorer } from '../variants/score-variants.ts';
import { type Ladder, ladderOf, type LadderRow } from './ladder.ts';
import { type RowTally, rowTallies, type ScoredRow } from './row-tally.ts';
import { fatesOf, StepMoves } from './step-moves.ts';
import type { Waterfall, WaterfallStep } from './waterfall.ts';

type CaseVariants = (given: Case) => readonly (readonly ScoredRow[])[];

/** Adds up what the variants of a recipe make of cases, row by row. */
class WaterfallRows {
  readonly #plan: Plan;
  readonly #ladder: Ladder;
  /** The place of the whole recipe among the variants. */
  readonly whole: number;
  readonly #rows: readonly RowTally[];
  /** From row to row, then from the whole recipe to each less one part. */
  readonly #ways: readonly { readonly from: number; readonly to: number; readonly moves: StepMoves | null }[];
  #cases = 0;
  #failed = 0;
  #scored = 0;
  /** Answers to the same case come one after another. */
  #asked = 0;
  #lastAsked: string | null = null;

  constructor(plan: Plan, ladder: Ladder) {
    this.#plan = plan;
    this.#ladder = ladder;
    const { plans, steps, without } = ladder;
    this.#rows = plans.map(rowTallies(plan));
    this.whole = steps.at(-1)!.at;
    this.#ways = [
      ...steps.slice(1).map(({ at }, before) => ({ from: steps[before]!.at, to: at })),
      ...without.map(({ at }) => ({ from: this.whole, to: at })),
    ].map(({ from, to }) => {
      const told = countsItems(plans[from]!) && countsItems(plans[to]!);
      return { from, to, moves: told ? new StepMoves() : null };
    });
  }

  /** Adds a case with what each variant makes of it; one that failed is in no row. */
  add(given: Case, score: () => ReturnType<CaseVariants>): void {
    if (given.from === undefined || given.from !== this.#lastAsked) this.#asked += 1;
    this.#lastAsked = given.from ?? null;
    if (given.failed !== null) {
      this.#failed += 1;
      return;
    }
    const scored = score();
    this.#cases += 1;
    this.#scored += scored[this.whole]!.length;
    for (const [at, row] of scored.entries()) for (const one of row) this.#rows[at]!.add(one);
    // Mostly one: rules of `prepare` may make several cases of the one.
    const fates = scored.map((row) => new Map(row.map((one) => [one.case.id, fatesOf(one.verdicts)])));
    for (const { from, to, moves } of this.#ways) {
      if (moves === null) continue;
      for (const [id, before] of fates[from]!) moves.add(id, given, before, fates[to]!.get(id) ?? new Map());
    }
  }

  result(): Waterfall {
    const { name, measures, resolved } = this.#plan;
    const { steps, without, kept } = this.#ladder;
    const rows = this.#rows.map((row) => row.result());
    const moves = [null, ...this.#ways.map((way) => way.moves?.result() ?? null)];
    const stepOf = ({ path, setting, at }: LadderRow, place: number): WaterfallStep => ({
      path,
      setting,
      ...rows[at]!,
      moves: moves[place]!,
    });
    return {
      recipe: name,
      cases: this.#cases,
      ...(this.#failed === 0 ? {} : { failed: this.#failed }),
      ...(this.#scored === this.#cases ? {} : { scored: this.#scored }),
      ...(this.#asked === this.#cases + this.#failed ? {} : { asked: this.#asked }),
      kept,
      measures: measures.map((measure) => ({ name: measure.name, direction: measure.direction })),
      shown: (measures.find((measure) => isF1(resolved['measure'], measure.name)) ?? measures[0])?.name ?? '',
      steps: steps.map(stepOf),
      without: without.map((row, at) => stepOf(row, steps.length + at)),
    };
  }
}

/** Tokens and characters are not items of the files: between them and items nothing moves that has a name. */
function countsItems({ schemes }: Plan): boolean {
  return schemes[0]!.pair.values().every(({ unit }) => unit === 'item' || unit === 'cover');
}

function isF1(params: unknown, name: string): boolean {
  const own = isRecord(params) ? params[name] : undefined;
  return isRecord(own) && own['of'] === 'f1';
}

/** Why a recipe whose files hold no items to pair has no waterfall. */
export const NOT_PAIRED =
  'a stream recipe pairs concepts that are equal: there is no rule between strict matching and the score';

/** Items times variants that take about two seconds. */
const MOST_ITEMS = 1_000_000;

/**
 * Makes the waterfall while a run is scored; it never keeps the run from being scored. `mostItems`: gold and predicted
 * items times variants, above which there is none.
 */
export function watchWaterfall(
  plan: Plan,
  mostItems = MOST_ITEMS,
): { sink: ScoreSink; result: () => { waterfall: Waterfall | null; noWaterfall: string | null } } {
  if (!formatOf(plan).isPaired) return { sink: {}, result: () => ({ waterfall: null, noWaterfall: NOT_PAIRED }) };
  const ladder = ladderOf(plan);
  const rows = new WaterfallRows(plan, ladder);
  const variants = ladder.plans.length;
  const score: CaseVariants = makeVariantScorer(ladder.plans.toSpliced(rows.whole, 1));
  let items = 0;
  let stopped: string | null = null;
  const add = ({ given, variants: own }: ScoredCase): void => {
    if (stopped !== null) return;
    if (given.failed === null) items += (given.gold.length + given.predicted.length) * variants;
    if (items > mostItems) {
      stopped = `it would score more than ${count(mostItems)} items (items of the files times ${variants} variants of the recipe); assay waterfall RECIPE with the same files makes it whatever its size`;
      return;
    }
    try {
      // The row of the whole recipe is made of the run's own verdicts: nothing is scored twice.
      rows.add(given, () => score(given).toSpliced(rows.whole, 0, own));
    } catch (error) {
      // A variant's own trouble is not the run's.
      if (!(error instanceof UsageError)) throw error;
      stopped = `a variant of the recipe cannot be scored: ${error.message}`;
    }
  };
  return {
    sink: { scored: add },
    result: () => ({ waterfall: stopped === null ? rows.result() : null, noWaterfall: stopped }),
  };
}

/** From strict matching to the score over these cases, however many they are. */
export async function waterfallOf(plan: Plan, cases: AsyncIterable<Case> | Iterable<Case>): Promise<Waterfall> {
  if (!formatOf(plan).isPaired) throw new UsageError(NOT_PAIRED, 'assay stream measure reports what it measures');
  const ladder = ladderOf(plan);
  const rows = new WaterfallRows(plan, ladder);
  const score = makeVariantScorer(ladder.plans);
  let total = 0;
  for await (const read of cases) {
    total += 1;
    const given = withFailure(read, plan.data.failed);
    rows.add(given, () => score(given));
  }
  if (total === 0) throw new UsageError('there is no case to score');
  return rows.result();
}
