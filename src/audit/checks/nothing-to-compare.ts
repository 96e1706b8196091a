import { counted } from '../../text/figures.ts';
import type { Check, NewFinding } from '../check.ts';
import { isPaired, overallValues } from '../scores.ts';

export const nothingToCompare: Check = {
  name: 'nothing-to-compare',
  about: 'no gold at all, no predictions at all, or no measure that has a value',
  find({ totals, run }) {
    // What all failed is told by the check `dropped`.
    if (totals.scored === 0) return null;
    const rows = totals.rows(({ scored }) => scored);
    const paired = rows.filter(({ kind }) => isPaired(kind));
    const hasGold = paired.some(({ gold }) => gold !== null);
    const hasPredictions = paired.some(({ predicted }) => predicted !== null);
    const hasValue = overallValues(run).some(({ value }) => value !== null);
    // What is logged is measured without gold.
    if (hasValue && (rows.length > paired.length || (hasGold && hasPredictions))) return null;
    const all = counted(totals.scored, 'case');
    if (hasGold && hasPredictions) return nothing(['measures'], `No measure has a value, in ${all}`);
    if (hasPredictions) return nothing(['gold'], `There is no gold in any of ${all}`);
    if (hasGold) return nothing(['predictions'], `There is no prediction in any of ${all}`);
    return nothing(['gold', 'predictions'], `There is neither gold nor a prediction in any of ${all}`);
  },
};

function nothing(subjects: readonly string[], title: string): NewFinding {
  return {
    severity: 'error',
    title: `${title}: nothing was measured`,
    why: 'Values of 0, and values that are undefined, then say nothing of the system, and no other check has anything to look at.',
    todo: 'Check that the right files were given, that ids of cases are the same in all of them, and that the recipe reads the fields the items are in (data).',
    subjects,
  };
}

export const standIns: Check = {
  name: 'stand-ins',
  about: 'answers of a stand-in instead of a model, and traces that are stubs',
  find({ run }) {
    const { heuristicLogs = 0, stubTraces = 0 } = run.manifest.notices;
    const all = counted(run.measures.cases.total, 'case');
    const logs: NewFinding = {
      severity: 'error',
      title: `${counted(heuristicLogs, 'log')} of ${all} ${heuristicLogs === 1 ? 'was' : 'were'} answered by a heuristic stand-in, not by a language model`,
      why: 'The figures show that the pipeline runs. They say nothing about any model.',
      todo: 'Run the cases with the model that the report is about, or say in the first line of the report that no model was used.',
      subjects: ['heuristic-logs'],
    };
    const stubs: NewFinding = {
      severity: 'error',
      title: `${counted(stubTraces, 'trace')} of ${all} ${stubTraces === 1 ? 'is a stub' : 'are stubs'}: no real conversation`,
      why: 'What was summarised was made up by a placeholder, so coverage and support are those of the placeholder.',
      todo: 'Record real traces, or leave the stubs out.',
      subjects: ['stub-traces'],
    };
    return [heuristicLogs > 0 ? logs : null, stubTraces > 0 ? stubs : null];
  },
};
