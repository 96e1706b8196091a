import { UsageError } from '../../data/problems.ts';
import { shorten } from '../../data/visible.ts';
import { makePairer } from '../../pair/pair.ts';
import { compareNatural, compareText } from '../../text/compare.ts';
import { pairCases } from '../paired-sets.ts';
import type { RepeatedQuestion, RepeatedRun } from './repeated-run.ts';

/** A case that cannot be compared, and why. */
export interface LeftOutCase {
  readonly case: string;
  readonly because: string;
}

export interface ComparedCases {
  readonly compared: readonly string[];
  readonly leftOut: readonly LeftOutCase[];
}

const NAMED = 5;

/**
 * The cases that every run has and none failed on, by their ids. A case that one run lacks would count as unstable though
 * nobody asked that run; one that failed gave no answer to compare. With `strict` such a case is refused.
 */
export function comparedCases(runs: readonly RepeatedRun[], strict: boolean): ComparedCases {
  const byId = (a: string, b: string): number => compareNatural(a, b) || compareText(a, b);
  const namesOf = (places: readonly number[]): string => places.map((at) => runs[at]!.name).join(', ');
  const paired = pairCases(runs.map(({ cases }) => cases));
  const compared = [...paired.ids].sort(byId);
  const leftOut = paired.leftOut
    .toSorted((a, b) => byId(a.case, b.case))
    .map(({ case: id, lacking, failed }): LeftOutCase => ({
      case: id,
      because: lacking.length > 0 ? `not in ${namesOf(lacking)}` : `failed in ${namesOf(failed)}`,
    }));
  if (compared.length === 0)
    throw new UsageError(
      'no case is in every run without a failure',
      leftOut.length > 0 ? `for example ${describe(leftOut[0]!)}` : 'give runs of one system on the same cases',
    );
  if (strict && leftOut.length > 0)
    throw new UsageError(
      `${leftOut.length === 1 ? 'a case is' : `${leftOut.length} cases are`} not in every run without a failure: ${leftOutText(leftOut)}`,
      'run the system on them again, or leave --strict out to compare the others',
    );
  return { compared, leftOut };
}

/** The first few, in words. */
export function leftOutText(leftOut: readonly LeftOutCase[]): string {
  const rest = leftOut.length - NAMED;
  return `${leftOut.slice(0, NAMED).map(describe).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

function describe({ case: id, because }: LeftOutCase): string {
  return `${shorten(id)} (${because})`;
}

/** What a reader must know before believing the comparison, one sentence each. Holds text from data: escape it. */
export function repeatNotices(
  question: RepeatedQuestion,
  runs: readonly RepeatedRun[],
  { compared, leftOut }: ComparedCases,
): string[] {
  return [
    ...sameRuns(runs),
    ...(leftOut.length === 0
      ? []
      : [`${caseCount(leftOut.length)} left out, in no figure here: ${leftOutText(leftOut)}`]),
    ...unanswered(runs, compared),
    ...(question.eachAnnotator
      ? ['cases are scored once per annotator, so every prediction is counted once for each of them']
      : []),
    ...placeUnits(question),
  ];
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
  return runs.flatMap(({ name, cases: own }) => {
    const empty = compared.filter((id) => own.get(id)?.answered === false).length;
    if (empty === 0) return [];
    return [
      `${name} has no prediction for ${empty} of ${caseCount(compared.length)}: an empty answer, so it has none of the items there`,
    ];
  });
}

/** Scoring counts characters with the text at hand; here the places are all there is. */
function placeUnits({ offsets, pair }: RepeatedQuestion): string[] {
  if (offsets === 'codepoint' || [...pair.values()].every((settings) => makePairer(settings).reach === null)) return [];
  const unit = offsets === 'byte' ? 'bytes' : 'UTF-16 units';
  return [`places are compared in ${unit} as the files give them, where scoring compares them in characters`];
}

function caseCount(n: number): string {
  return `${n} ${n === 1 ? 'case' : 'cases'}`;
}
