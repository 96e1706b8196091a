import { counted } from '../../text/figures.ts';
import type { Check, NewFinding } from '../check.ts';
import { isPaired, overallValues } from '../totals.ts';

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
    words: 'nothing-to-compare/nothing',
    subjects,
  };
}

export const standIns: Check = {
  name: 'stand-ins',
  about: 'answers of a stand-in instead of a model, and traces that are stubs',
  find({ run }) {
    const { heuristicLogs: logs = 0, stubTraces: stubs = 0 } = run.manifest.notices;
    const all = counted(run.measures.cases.total, 'case');
    const finding = (n: number, subject: 'heuristic-logs' | 'stub-traces', title: string): NewFinding | null =>
      n === 0 ? null : { severity: 'error', title, words: `stand-ins/${subject}`, subjects: [subject] };
    const answered = `${logs === 1 ? 'was' : 'were'} answered by a heuristic stand-in, not by a language model`;
    const madeUp = `${stubs === 1 ? 'is a stub' : 'are stubs'}: no real conversation`;
    return [
      finding(logs, 'heuristic-logs', `${counted(logs, 'log')} of ${all} ${answered}`),
      finding(stubs, 'stub-traces', `${counted(stubs, 'trace')} of ${all} ${madeUp}`),
    ];
  },
};
