import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { shorten } from '../../data/visible.ts';
import { makePairer } from '../../pair/pair.ts';
import { type Plan, planRecipe } from '../../recipe/plan.ts';
import { compareNatural, compareText } from '../../text/compare.ts';
import { pairCases } from '../paired-sets.ts';
import { findFlips, UNDECIDED } from './flips.ts';
import { findGroups } from './item-groups.ts';
import { comingAndGoing, findGold, kindStability } from './item-stability.ts';
import { meaningOf, measureSpreads } from './measure-spread.ts';
import {
  readRepeatedRuns,
  type Repeated,
  type RepeatedInput,
  type RepeatedRun,
  scoreRepeatedFiles,
} from './read-runs.ts';

/** What several runs of one system on the same cases say about how far it can be relied on. Holds no time and no host. */
export type Repeats = ReturnType<typeof compareRepeats>;
export type ItemStability = NonNullable<Repeats['items']>;

export interface RepeatsOptions {
  /** Compare runs whose recipes, cases or gold differ. */
  readonly force?: boolean;
  /** Refuse cases that are not in every run or that failed, instead of leaving them out. */
  readonly strict?: boolean;
  /** Values of attributes that say "I do not know": `unknown` and `uncertain` unless told otherwise. */
  readonly undecided?: readonly string[];
  /** What is laid over the recipe, as `--set` does. */
  readonly set?: readonly string[];
}

/**
 * Compares run folders of one system. `recipe` is needed only if the runs were scored with custom code.
 *
 * @example const { items } = await repeatRuns(['runs/1', 'runs/2', 'runs/3'])
 */
export async function repeatRuns(
  folders: readonly string[],
  options: RepeatsOptions & { readonly recipe?: string | object } = {},
): Promise<Repeats> {
  const plan = options.recipe === undefined ? null : await planRecipe(options.recipe, options.set ?? []);
  return compareRepeats(await readRepeatedRuns(folders, plan, options.force ?? false), options);
}

/**
 * Compares files of predictions of one system, scored by a recipe; without gold only how steady they are.
 *
 * @example await repeatFiles('journal/ashwam', { cases: 'journals.jsonl', predictions: ['run1.jsonl', 'run2.jsonl'] })
 */
export async function repeatFiles(
  recipe: string | object,
  input: RepeatedInput,
  options: Omit<RepeatsOptions, 'force'> = {},
): Promise<Repeats> {
  return compareRepeats(await scoreRepeatedFiles(await planRecipe(recipe, options.set ?? []), input), options);
}

/** The comparison itself, of runs from anywhere. */
export function compareRepeats({ plan, hasGold, runs, notices }: Repeated, options: RepeatsOptions = {}) {
  const { compared, leftOut } = comparedCases(runs, options.strict ?? false);
  const measures = hasGold ? measureSpreads(plan.measures, runs, compared) : [];
  const noItems = reasonForNoItems(plan);
  const groups = noItems === null ? findGroups(plan, runs, compared) : null;
  const undecided = options.undecided ?? UNDECIDED;
  return {
    format: 1,
    task: plan.task,
    recipe: plan.name,
    runs: runs.map(({ name, cases }) => ({
      name,
      cases: cases.size,
      failed: [...cases.values()].filter(({ failed }) => failed !== null).length,
      unanswered: [...cases.values()].filter(({ failed, answered }) => failed === null && !answered).length,
    })),
    cases: { compared: compared.length, leftOut },
    /** What to know before believing it. Holds text from data. */
    notices: [
      ...notices,
      ...sameRuns(runs),
      leftOut.length > 0 && `${caseCount(leftOut.length)} left out, in no figure here: ${leftOutText(leftOut)}`,
      ...unanswered(runs, compared),
      plan.prepare.some(({ params }) => isRecord(params) && params['use'] === 'each') &&
        'cases are scored once per annotator, so every prediction is counted once for each of them',
      placeUnits(plan),
    ].filter((notice) => typeof notice === 'string'),
    measures,
    /** Why there are no measures. */
    noMeasures: hasGold ? null : 'no gold was given: this shows how steady the system is, not how right',
    /** Whether a difference of the size of the spread between runs means anything. */
    meaning: meaningOf(measures),
    items: groups && {
      kinds: [...plan.schemes[0]!.pair.keys()].map((kind) => kindStability(kind, groups, runs.length)),
      comeAndGo: comingAndGoing(plan, hasGold, groups),
      /** Values that say "I do not know" and contradict nothing. */
      undecided,
      ...findFlips(plan, groups, undecided),
    },
    /** Why items were not followed from run to run. */
    noItems,
    gold: hasGold && noItems === null ? findGold(runs, compared) : null,
  };
}

/** Tokens and characters are scored without pairing items: there is nothing to follow. */
function reasonForNoItems({ schemes, name }: Plan): string | null {
  const unit = [...schemes[0]!.pair.values()].map((own) => own.unit).find((own) => own !== 'item' && own !== 'cover');
  if (unit === undefined) return null;
  return `${name} scores ${unit === 'character' ? 'characters' : 'tokens'}, not items: to follow items from run to run, score by a recipe that pairs them`;
}

/**
 * The cases that every run has and none failed on, by their ids. A case that one run lacks would count as unstable though
 * nobody asked that run; one that failed gave no answer to compare. With `strict` such a case is refused.
 */
function comparedCases(runs: readonly RepeatedRun[], strict: boolean) {
  const byId = (a: string, b: string): number => compareNatural(a, b) || compareText(a, b);
  const namesOf = (places: readonly number[]): string => places.map((at) => runs[at]!.name).join(', ');
  const paired = pairCases(runs);
  const leftOut = paired.leftOut
    .toSorted((a, b) => byId(a.case, b.case))
    .map(({ case: id, lacking, failed }) => ({
      case: id,
      because: lacking.length > 0 ? `not in ${namesOf(lacking)}` : `failed in ${namesOf(failed)}`,
    }));
  if (paired.ids.size === 0)
    throw new UsageError(
      'no case is in every run without a failure',
      leftOut.length > 0
        ? `for example ${leftOutText(leftOut.slice(0, 1))}`
        : 'give runs of one system on the same cases',
    );
  if (strict && leftOut.length > 0)
    throw new UsageError(
      `${leftOut.length === 1 ? 'a case is' : `${leftOut.length} cases are`} not in every run without a failure: ${leftOutText(leftOut)}`,
      'run the system on them again, or leave --strict out to compare the others',
    );
  return { compared: [...paired.ids].sort(byId), leftOut };
}

const NAMED = 5;

/** The first few, in words. */
function leftOutText(leftOut: ReturnType<typeof comparedCases>['leftOut']): string {
  const named = leftOut.slice(0, NAMED).map(({ case: id, because }) => `${shorten(id)} (${because})`);
  return [...named, ...(leftOut.length > NAMED ? [`and ${leftOut.length - NAMED} more`] : [])].join('; ');
}

/** Nothing can be learnt about running again from runs that say the same to the letter. */
function sameRuns(runs: readonly RepeatedRun[]): string[] {
  const alike = [...Map.groupBy(runs, ({ predicted }) => predicted).values()].filter((some) => some.length > 1);
  return alike.map((some) => {
    const names = some.map(({ name }) => name).join(', ');
    return some.length === runs.length
      ? `all runs have the same predictions (${names}): the system is deterministic, or one file was copied`
      : `${names} have the same predictions: copies of one run count it several times`;
  });
}

function unanswered(runs: readonly RepeatedRun[], compared: readonly string[]): string[] {
  return runs.flatMap(({ name, cases }) => {
    const empty = compared.filter((id) => cases.get(id)?.answered === false).length;
    if (empty === 0) return [];
    return [
      `${name} has no prediction for ${empty} of ${caseCount(compared.length)}: an empty answer, so it has none of the items there`,
    ];
  });
}

/** Scoring counts characters with the text at hand; here the places are all there is. */
function placeUnits({ data: { offsets }, schemes }: Plan): string | null {
  const looksAtPlaces = schemes[0]!.pair.values().some((settings) => makePairer(settings).reach !== null);
  if (offsets === 'codepoint' || !looksAtPlaces) return null;
  const unit = offsets === 'byte' ? 'bytes' : 'UTF-16 units';
  return `places are compared in ${unit} as the files give them, where scoring compares them in characters`;
}

function caseCount(n: number): string {
  return `${n} ${n === 1 ? 'case' : 'cases'}`;
}
