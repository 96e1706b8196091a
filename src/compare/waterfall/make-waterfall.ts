import { type Case, withFailure } from '../../data/case.ts';
import { type ItemKind, PAIRED_KINDS, SIDES } from '../../data/item.ts';
import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { shorten } from '../../data/visible.ts';
import { formatOf } from '../../formats/case-formats.ts';
import { type Verdict, VERDICTS } from '../../judge/verdict.ts';
import { hitCredit, verdictCount, WHOLE } from '../../measure/hit-measures.ts';
import { total } from '../../measure/measure.ts';
import { buildMeasures } from '../../measure/measures.ts';
import type { Plan } from '../../recipe/plan.ts';
import { makeCaseScorer } from '../../score/score-case.ts';
import type { ScoredCase } from '../../score/score.ts';
import { count } from '../../text/figures.ts';
import { makeTotals, type ScoredRow } from '../paired-sets.ts';
import { makeVariantScorer } from '../variants/score-variants.ts';
import { ladderOf } from './ladder.ts';
import type { Waterfall, WaterfallStep, Move, Moves } from './waterfall.ts';

/** Adds up what the variants of a recipe make of cases, row by row. */
function waterfallRows(plan: Plan) {
  const { plans, steps, without, kept } = ladderOf(plan);
  const whole = steps.at(-1)!.at;
  const kinds = kindMeasures(plan);
  const measures = [...kinds.flatMap((kind) => kind.measures), ...plan.measures];
  const sets = plans.map(() => makeTotals(measures, plan.interval?.cluster ?? null));
  /** From row to row, then from the whole recipe to each less one part. */
  const ways = [
    ...steps.slice(1).map(({ at }, before) => ({ from: steps[before]!.at, to: at })),
    ...without.map(({ at }) => ({ from: whole, to: at })),
  ].map(({ from, to }) => {
    const told = countsItems(plans[from]!) && countsItems(plans[to]!);
    return { from, to, moves: told ? new StepMoves() : null };
  });
  const scoreOthers: (given: Case) => readonly (readonly ScoredRow[])[] = makeVariantScorer(plans.toSpliced(whole, 1));
  const counts = { cases: 0, failed: 0, scored: 0, asked: 0 };
  let lastAsked: string | null = null;
  return {
    variants: plans.length,
    scoreWhole: makeCaseScorer(plans[whole]!),
    /** Adds a case with what the whole recipe makes of it; one that failed is in no row. */
    add(given: Case, own: readonly ScoredRow[]): void {
      // Answers to the same case come one after another.
      if (given.from === undefined || given.from !== lastAsked) counts.asked += 1;
      lastAsked = given.from ?? null;
      if (given.failed !== null) {
        counts.failed += 1;
        return;
      }
      const scored = scoreOthers(given).toSpliced(whole, 0, own);
      counts.cases += 1;
      counts.scored += scored[whole]!.length;
      for (const [at, rows] of scored.entries()) for (const row of rows) sets[at]!.add(row);
      // Mostly one: rules of `prepare` may make several cases of the one.
      const fates = scored.map((row) => new Map(row.map((one) => [one.case.id, fatesOf(one.verdicts)])));
      for (const { from, to, moves } of ways) {
        if (moves === null) continue;
        for (const [id, before] of fates[from]!) moves.add(id, given, before, fates[to]!.get(id) ?? new Map());
      }
    },
    result(): Waterfall {
      const { cases, failed, scored, asked } = counts;
      const values = sets.map((set) => rowOf(plan, kinds, set.result()));
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
  { sums, valueOf }: ReturnType<ReturnType<typeof makeTotals>['result']>,
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

/** Why a recipe whose files hold no items to pair has no waterfall. */
export const NOT_PAIRED =
  'a stream recipe pairs concepts that are equal: there is no rule between strict matching and the score';

/** Items times variants that take about two seconds. */
const MOST_ITEMS = 1_000_000;
/** Characters of cases that may wait to be scored, and of a case beside those of its text. */
const [MOST_WAITING, PER_CASE] = [1 << 24, 1000];

/**
 * Makes the waterfall while a run is scored; it never keeps the run from being scored. `mostItems`: gold and predicted
 * items times variants, above which it is left out. Cases wait until it is known that there is one.
 */
export function watchWaterfall(plan: Plan, mostItems = MOST_ITEMS) {
  if (!formatOf(plan).isPaired) return { sink: {}, result: () => ({ waterfall: null, noWaterfall: NOT_PAIRED }) };
  const rows = waterfallRows(plan);
  let waiting: ScoredCase[] = [];
  let [characters, items] = [0, 0];
  let stopped: string | null = null;
  const addWaiting = (): void => {
    try {
      // The row of the whole recipe is made of the run's own verdicts: nothing is scored twice.
      for (const { given, variants } of waiting) rows.add(given, variants);
    } catch (error) {
      // A variant's own trouble is not the run's.
      if (!(error instanceof UsageError)) throw error;
      stopped = `a variant of the recipe cannot be scored: ${error.message}`;
    }
    waiting = [];
    characters = 0;
  };
  const add = (scored: ScoredCase): void => {
    if (stopped !== null) return;
    const { failed, gold, predicted, text } = scored.given;
    if (failed === null) items += (gold.length + predicted.length) * rows.variants;
    if (items > mostItems) {
      stopped = `it would score more than ${count(mostItems)} items (items of the files times ${rows.variants} variants of the recipe); assay waterfall RECIPE with the same files makes it whatever its size`;
      waiting = [];
      return;
    }
    waiting.push(scored);
    characters += PER_CASE + (text?.length ?? 0);
    if (characters > MOST_WAITING) addWaiting();
  };
  return {
    sink: { scored: add },
    result() {
      addWaiting();
      return { waterfall: stopped === null ? rows.result() : null, noWaterfall: stopped };
    },
  };
}

/** From strict matching to the score over these cases, however many they are. */
export async function waterfallOf(plan: Plan, cases: AsyncIterable<Case> | Iterable<Case>): Promise<Waterfall> {
  if (!formatOf(plan).isPaired) throw new UsageError(NOT_PAIRED, 'assay stream measure reports what it measures');
  const rows = waterfallRows(plan);
  for await (const read of cases) {
    const given = withFailure(read, plan.data.failed);
    rows.add(given, rows.scoreWhole(given));
  }
  const made = rows.result();
  if (made.cases === 0 && made.failed === undefined) throw new UsageError('there is no case to score');
  return made;
}

/** The verdict on each item, by kind, side and index in one number. */
type Fates = ReadonlyMap<number, Verdict>;

const KIND_PLACES: ReadonlyMap<ItemKind, number> = new Map(PAIRED_KINDS.map((kind, at) => [kind, at]));
const KINDS = PAIRED_KINDS.length * SIDES.length;

/**
 * The verdict on each item of one case as the files have it: those merged into one share its verdict. Stretches of text
 * that no file names are left out. An item that several verdicts name is a hit where one of them is.
 */
export function fatesOf(verdicts: readonly Verdict[]): Fates {
  const fates = new Map<number, Verdict>();
  for (const verdict of verdicts) {
    const kind = KIND_PLACES.get(verdict.kind);
    if (kind === undefined) continue;
    for (let at = 0; at < SIDES.length; at += 1) {
      const item = verdict[SIDES[at]!];
      if (item === null || item.index < 0) continue;
      for (const part of item.parts ?? [item.index]) {
        const key = part * KINDS + kind * SIDES.length + at;
        if (verdict.verdict === 'hit' ? fates.get(key)?.verdict !== 'hit' : !fates.has(key)) fates.set(key, verdict);
      }
    }
  }
  return fates;
}

const MOST_SHOWN = 50;
const LONGEST_TEXT = 200;
const FATES = [null, ...VERDICTS];

/** What one step did to the items, added up case by case. */
export class StepMoves {
  readonly #counts = new Map<string, number>();
  readonly #shown: Move[] = [];
  #total = 0;

  add(id: string, given: Case, before: Fates, after: Fates): void {
    let moved: number[] | null = null;
    for (const [key, { verdict }] of before) if (after.get(key)?.verdict !== verdict) (moved ??= []).push(key);
    // As many and none of them gone: then none is new either.
    if (moved === null && before.size === after.size) return;
    moved ??= [];
    for (const key of after.keys()) if (!before.has(key)) moved.push(key);
    // By kind, gold before predicted, then as the file lists them.
    for (const key of moved.sort((a, b) => (a % KINDS) - (b % KINDS) || a - b)) {
      const [from, to] = [before.get(key), after.get(key)];
      const way = [SIDES[key % SIDES.length], from?.verdict, to?.verdict].join(' ');
      this.#counts.set(way, (this.#counts.get(way) ?? 0) + 1);
      this.#total += 1;
      if (this.#shown.length < MOST_SHOWN) this.#shown.push(moveOf(id, given, key, from, to));
    }
  }

  result(): Moves {
    const ways = SIDES.flatMap((side) => FATES.flatMap((from) => FATES.map((to) => ({ side, from, to }))));
    const by = ways.map((way) => ({ ...way, n: this.#counts.get([way.side, way.from, way.to].join(' ')) ?? 0 }));
    return { total: this.#total, by: by.filter(({ n }) => n > 0), shown: this.#shown };
  }
}

function moveOf(id: string, given: Case, key: number, before: Verdict | undefined, after: Verdict | undefined): Move {
  const side = SIDES[key % SIDES.length]!;
  const index = Math.floor(key / KINDS);
  const { kind, [side]: item } = (after ?? before)!;
  // Of one that was merged with others its own words, under the label of the whole.
  const part = item!.parts === null ? null : given[side].find((one) => one.kind === kind && one.index === index);
  return {
    case: id,
    kind,
    side,
    index,
    label: item!.label,
    text: shorten(part?.text ?? item!.text, LONGEST_TEXT),
    from: before?.verdict ?? null,
    to: after?.verdict ?? null,
    rule: after?.rule ?? null,
  };
}
