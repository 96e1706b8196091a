import { type Case, withFailure } from '../../data/case.ts';
import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { formatOf } from '../../formats/case-formats.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { SchemeVerdicts } from '../../score/score-case.ts';
import type { ScoredCase, ScoreSink } from '../../score/score.ts';
import { makeVariantScorer } from '../variants/score-variants.ts';
import { type Fates, fatesOf, StepMoves } from './step-moves.ts';
import { type Ladder, ladderOf, type LadderRow } from './ladder.ts';
import { RowTally, rowShape } from './row-tally.ts';
import type { Waterfall, WaterfallStep } from './waterfall.ts';
import { count } from '../../text/figures.ts';

/** Scores cases under the variants of a recipe and adds up the rows. */
class WaterfallMaker {
  readonly #plan: Plan;
  readonly #ladder: Ladder;
  /** The place of the whole recipe among the variants. */
  readonly #whole: number;
  /** Under every variant but the whole recipe. */
  readonly #score: (given: Case) => readonly (readonly SchemeVerdicts[])[];
  readonly #rows: readonly RowTally[];
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
    const whole = ladder.steps.at(-1)!.at;
    this.#whole = whole;
    this.#score = makeVariantScorer(ladder.plans.filter((_, at) => at !== whole));
    const shape = rowShape(plan);
    this.#rows = ladder.plans.map(() => new RowTally(shape));
    this.#ways = [
      ...ladder.steps.slice(1).map(({ at }, before) => ({ from: ladder.steps[before]!.at, to: at })),
      ...ladder.without.map(({ at }) => ({ from: whole, to: at })),
    ].map((way) => {
      const told = countsItems(ladder.plans[way.from]!) && countsItems(ladder.plans[way.to]!);
      return { ...way, moves: told ? new StepMoves() : null };
    });
  }

  get variants(): number {
    return this.#ladder.plans.length;
  }

  /** What the variants make of a case that did not fail. */
  scored(given: Case): readonly (readonly SchemeVerdicts[])[] {
    return this.#score(given);
  }

  /** Counts a case that was read. */
  count({ from, failed }: Case): void {
    if (from === undefined || from !== this.#lastAsked) this.#asked += 1;
    this.#lastAsked = from ?? null;
    if (failed !== null) this.#failed += 1;
  }

  /** Adds a case: what the variants made of it, and what the recipe itself did. A failed case is in no row. */
  add(given: Case, variants: readonly (readonly SchemeVerdicts[])[], own: readonly SchemeVerdicts[]): void {
    this.#cases += 1;
    this.#scored += own.length;
    const scored = variants.toSpliced(this.#whole, 0, own);
    scored.forEach((row, at) => {
      for (const one of row) this.#rows[at]!.add(one);
    });
    // Mostly one: rules of `prepare` may make several cases of the one.
    const fates = scored.map((row) => new Map(row.map((one) => [one.case.id, fatesOf(one.verdicts)])));
    for (const { from, to, moves } of this.#ways) {
      if (moves === null) continue;
      for (const [id, before] of fates[from]!) moves.add(id, given, before, fates[to]!.get(id) ?? NO_FATES);
    }
  }

  result(): Waterfall {
    const { name, measures, resolved } = this.#plan;
    const { steps, without, kept } = this.#ladder;
    const rows = this.#rows.map((row) => row.result());
    const stepOf = ({ path, setting, at }: LadderRow, move: number | null): WaterfallStep => ({
      path,
      setting,
      ...rows[at]!,
      moves: move === null ? null : (this.#ways[move]!.moves?.result() ?? null),
    });
    return {
      recipe: name,
      cases: this.#cases,
      ...(this.#failed === 0 ? {} : { failed: this.#failed }),
      ...(this.#scored === this.#cases ? {} : { scored: this.#scored }),
      ...(this.#asked === this.#cases + this.#failed ? {} : { asked: this.#asked }),
      kept,
      measures: measures.map((measure) => ({ name: measure.name, direction: measure.direction })),
      shown: shownMeasure(
        resolved['measure'],
        measures.map((measure) => measure.name),
      ),
      steps: steps.map((row, at) => stepOf(row, at === 0 ? null : at - 1)),
      without: without.map((row, at) => stepOf(row, steps.length - 1 + at)),
    };
  }
}

const NO_FATES: Fates = new Map();

/** Tokens and characters are not items of the files: between them and items nothing moves that has a name. */
function countsItems({ schemes }: Plan): boolean {
  return [...schemes[0]!.pair.values()].every(({ unit }) => unit === 'item' || unit === 'cover');
}

/** The first F1 of the recipe, or its first measure. */
function shownMeasure(params: unknown, names: readonly string[]): string {
  const isF1 = (name: string): boolean => {
    const own = isRecord(params) ? params[name] : undefined;
    return isRecord(own) && own['of'] === 'f1';
  };
  return names.find(isF1) ?? names[0] ?? '';
}

/** Why a recipe whose files hold no items to pair has no waterfall. */
export const NOT_PAIRED =
  'a stream recipe pairs concepts that are equal: there is no rule between strict matching and the score';

/** Items times variants that take about two seconds. */
const MOST_ITEMS = 1_000_000;

export interface WaterfallOptions {
  /** Gold and predicted items times variants, above which there is no waterfall while scoring. */
  readonly mostItems?: number;
}

/** Makes the waterfall while a run is scored; it never keeps the run from being scored. */
export class WaterfallWatch {
  /** Null once it has stopped, for the reason given. */
  #maker: WaterfallMaker | null;
  #none: string | null;
  readonly #mostItems: number;
  #items = 0;

  private constructor(maker: WaterfallMaker | null, none: string | null, mostItems: number) {
    this.#maker = maker;
    this.#none = none;
    this.#mostItems = mostItems;
  }

  static async open(plan: Plan, { mostItems = MOST_ITEMS }: WaterfallOptions = {}): Promise<WaterfallWatch> {
    if (!formatOf(plan).isPaired) return new WaterfallWatch(null, NOT_PAIRED, mostItems);
    return new WaterfallWatch(new WaterfallMaker(plan, await ladderOf(plan)), null, mostItems);
  }

  /** The row of the whole recipe is made of the run's own verdicts: nothing is scored twice. */
  readonly sink: ScoreSink = { scored: (scored) => this.#add(scored) };

  result(): { waterfall: Waterfall | null; noWaterfall: string | null } {
    return { waterfall: this.#maker?.result() ?? null, noWaterfall: this.#none };
  }

  #add({ given, variants }: ScoredCase): void {
    const maker = this.#maker;
    maker?.count(given);
    if (maker === null || given.failed !== null) return;
    this.#items += (given.gold.length + given.predicted.length) * maker.variants;
    if (this.#items > this.#mostItems)
      return this.#stop(
        `it would score more than ${count(this.#mostItems)} items (items of the files times ${maker.variants} variants of the recipe); assay waterfall RECIPE with the same files makes it whatever its size`,
      );
    const own = variants.map(({ case: scored, verdicts }) => ({ case: scored, scheme: null, verdicts }));
    try {
      maker.add(given, maker.scored(given), own);
    } catch (error) {
      // A variant's own trouble is not the run's.
      if (!(error instanceof UsageError)) throw error;
      this.#stop(`a variant of the recipe cannot be scored: ${error.message}`);
    }
  }

  #stop(reason: string): void {
    this.#maker = null;
    this.#none = reason;
  }
}

/** From strict matching to the score over these cases, however many they are. */
export async function waterfallOf(plan: Plan, cases: AsyncIterable<Case> | Iterable<Case>): Promise<Waterfall> {
  if (!formatOf(plan).isPaired) throw new UsageError(NOT_PAIRED, 'assay stream measure reports what it measures');
  const ladder = await ladderOf(plan);
  const maker = new WaterfallMaker(plan, ladder);
  const score = makeVariantScorer([ladder.plans[ladder.steps.at(-1)!.at]!]);
  let total = 0;
  for await (const read of cases) {
    const given = withFailure(read, plan.data.failed);
    total += 1;
    maker.count(given);
    if (given.failed === null) maker.add(given, maker.scored(given), score(given)[0]!);
  }
  if (total === 0) throw new UsageError('there is no case to score');
  return maker.result();
}
