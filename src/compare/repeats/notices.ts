import { makePairer } from '../../pair/pair.ts';
import { type ComparedCases, leftOutText } from './compared-cases.ts';
import type { RepeatedQuestion, RepeatedRun } from './repeated-run.ts';

/** What a reader must know before believing the comparison, one sentence each. Holds text from data: escape it. */
export function repeatNotices(
  question: RepeatedQuestion,
  runs: readonly RepeatedRun[],
  { compared, leftOut }: ComparedCases,
): string[] {
  return [
    ...sameRuns(runs),
    ...(leftOut.length === 0 ? [] : [`${cases(leftOut.length)} left out, in no figure here: ${leftOutText(leftOut)}`]),
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
      `${name} has no prediction for ${empty} of ${cases(compared.length)}: an empty answer, so it has none of the items there`,
    ];
  });
}

/** Scoring counts characters with the text at hand; here the places are all there is. */
function placeUnits({ offsets, pair }: RepeatedQuestion): string[] {
  if (offsets === 'codepoint' || [...pair.values()].every((settings) => makePairer(settings).reach === null)) return [];
  const unit = offsets === 'byte' ? 'bytes' : 'UTF-16 units';
  return [`places are compared in ${unit} as the files give them, where scoring compares them in characters`];
}

function cases(n: number): string {
  return `${n} ${n === 1 ? 'case' : 'cases'}`;
}
