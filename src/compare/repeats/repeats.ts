import { planRecipe } from '../../recipe/plan.ts';
import { comingAndGoing, type ComingAndGoing, type KindStability, kindStability } from './item-stability.ts';
import { comparedCases, type LeftOutCase, repeatNotices } from './compared-cases.ts';
import { type AttributeFlips, findFlips, type Flip, UNDECIDED } from './flips.ts';
import { findGold, type FoundGold } from './found-gold.ts';
import { findGroups } from './found-groups.ts';
import { meaningOf, type MeasureSpread, measureSpreads } from './measure-spread.ts';
import { openRepeated, readRepeatedRuns, type Repeated, type RepeatedInput, scoreRepeatedFiles } from './read-runs.ts';
import type { RepeatedQuestion } from './repeated-run.ts';

export const REPEATS_FORMAT = 1;

/** What several runs of one system on the same cases say about how far it can be relied on. Holds no time and no host. */
export interface Repeats {
  readonly format: number;
  readonly task: string;
  readonly recipe: string;
  readonly runs: readonly {
    readonly name: string;
    readonly cases: number;
    readonly failed: number;
    readonly unanswered: number;
  }[];
  readonly cases: { readonly compared: number; readonly leftOut: readonly LeftOutCase[] };
  /** What to know before believing it. Holds text from data. */
  readonly notices: readonly string[];
  readonly measures: readonly MeasureSpread[];
  /** Why there are no measures. */
  readonly noMeasures: string | null;
  /** Whether a difference of the size of the spread between runs means anything. */
  readonly meaning: string | null;
  readonly items: ItemStability | null;
  /** Why items were not followed from run to run. */
  readonly noItems: string | null;
  readonly gold: FoundGold | null;
}

export interface ItemStability {
  readonly kinds: readonly KindStability[];
  readonly comeAndGo: readonly ComingAndGoing[];
  /** Values that say "I do not know" and contradict nothing. */
  readonly undecided: readonly string[];
  readonly attributes: readonly AttributeFlips[];
  readonly flips: readonly Flip[];
}

export interface RepeatsOptions {
  /** Compare runs whose recipes, cases or gold differ. */
  readonly force?: boolean;
  /** Refuse cases that are not in every run or that failed, instead of leaving them out. */
  readonly strict?: boolean;
  /** Values of attributes that say "I do not know": `unknown` and `uncertain` unless told otherwise. */
  readonly undecided?: readonly string[];
}

/** What is laid over a recipe, as `--set` does. */
interface SetOption {
  readonly set?: readonly string[];
}

/**
 * Compares run folders of one system. `recipe` is needed only where the runs were scored with code of your own.
 *
 * @example const { items } = await repeatRuns(['runs/1', 'runs/2', 'runs/3'])
 */
export async function repeatRuns(
  folders: readonly string[],
  options: RepeatsOptions & SetOption & { readonly recipe?: string | object } = {},
): Promise<Repeats> {
  const plan = options.recipe === undefined ? null : await planRecipe(options.recipe, options.set ?? []);
  return compareRepeats(await readRepeatedRuns(folders, { plan, force: options.force ?? false }), options);
}

/**
 * Compares files of predictions of one system, scored by a recipe; without gold only how steady they are.
 *
 * @example await repeatFiles('journal/ashwam', { cases: 'journals.jsonl', predictions: ['run1.jsonl', 'run2.jsonl'] })
 */
export async function repeatFiles(
  recipe: string | object,
  input: RepeatedInput,
  options: Omit<RepeatsOptions, 'force'> & SetOption = {},
): Promise<Repeats> {
  const plan = await planRecipe(recipe, options.set ?? []);
  return compareRepeats(await scoreRepeatedFiles(plan, await openRepeated(input)), options);
}

/** The comparison itself, of runs from anywhere. */
export function compareRepeats({ question, runs, notices }: Repeated, options: RepeatsOptions = {}): Repeats {
  const cases = comparedCases(runs, options.strict ?? false);
  const measures = question.hasGold ? measureSpreads(question.measures, runs, cases.compared) : [];
  const noItems = reasonForNoItems(question);
  return {
    format: REPEATS_FORMAT,
    task: question.task,
    recipe: question.recipe,
    runs: runs.map(({ name, cases: own }) => ({
      name,
      cases: own.size,
      failed: [...own.values()].filter(({ failed }) => failed !== null).length,
      unanswered: [...own.values()].filter(({ failed, answered }) => failed === null && !answered).length,
    })),
    cases: { compared: cases.compared.length, leftOut: cases.leftOut },
    notices: [...notices, ...repeatNotices(question, runs, cases)],
    measures,
    noMeasures: question.hasGold ? null : 'no gold was given: this says how steady the system is, not how right',
    meaning: meaningOf(measures),
    items: noItems === null ? stabilityOf(question, runs, cases.compared, options.undecided ?? UNDECIDED) : null,
    noItems,
    gold: question.hasGold && noItems === null ? findGold(runs, cases.compared) : null,
  };
}

function stabilityOf(
  question: RepeatedQuestion,
  runs: Repeated['runs'],
  cases: readonly string[],
  undecided: readonly string[],
): ItemStability {
  const groups = findGroups(question, runs, cases);
  return {
    kinds: [...question.pair.keys()].map((kind) => kindStability(kind, groups, runs.length)),
    comeAndGo: comingAndGoing(question, groups),
    undecided,
    ...findFlips(question, groups, undecided),
  };
}

/** Tokens and characters are scored without pairing items: there is nothing to follow. */
function reasonForNoItems({ pair, recipe }: RepeatedQuestion): string | null {
  const unit = [...pair.values()].map((settings) => settings.unit).find((own) => own !== 'item' && own !== 'cover');
  if (unit === undefined) return null;
  return `${recipe} scores ${unit === 'character' ? 'characters' : 'tokens'}, not items: to follow items from run to run, score by a recipe that pairs them`;
}
