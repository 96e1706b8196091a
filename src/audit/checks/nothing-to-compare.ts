import type { Check, NewFinding } from '../check.ts';
import { NO_EVIDENCE } from '../evidence.ts';
import { overallValues } from '../overall-values.ts';
import { isPaired } from '../plain-score.ts';
import { counted } from '../../text/figures.ts';

/** With one side empty everywhere, or no measure that has a value, nothing was measured, however clean the rest is. */
export const nothingToCompare: Check = {
  name: 'nothing-to-compare',
  about: 'no gold at all, no predictions at all, or no measure that has a value',
  open() {
    const totals = { cases: 0, gold: 0, predicted: 0, logged: 0 };
    return {
      add({ failed, verdicts }) {
        // What all failed is told by the check `dropped`.
        if (failed !== null) return;
        totals.cases += 1;
        for (const { kind, gold, predicted } of verdicts) {
          if (!isPaired(kind)) totals.logged += 1;
          else {
            if (gold !== null) totals.gold += 1;
            if (predicted !== null) totals.predicted += 1;
          }
        }
      },
      finish({ run }) {
        const { cases, gold, predicted, logged } = totals;
        if (cases === 0) return [];
        const all = counted(cases, 'case');
        // What is logged is measured without gold.
        const isMeasured = logged > 0 && overallValues(run).some(({ value }) => value !== null);
        if (gold === 0 && predicted === 0)
          return isMeasured
            ? []
            : [empty(['gold', 'predictions'], `There is neither gold nor a prediction in any of ${all}`)];
        if (isMeasured) return [];
        if (gold === 0) return [empty(['gold'], `There is no gold in any of ${all}`)];
        if (predicted === 0) return [empty(['predictions'], `There is no prediction in any of ${all}`)];
        if (overallValues(run).every(({ value }) => value === null))
          return [empty(['measures'], `No measure has a value, in ${all}`)];
        return [];
      },
    };
  },
};

function empty(subjects: readonly string[], title: string): NewFinding {
  return {
    severity: 'error',
    title: `${title}: nothing was measured`,
    why: 'Values of 0, and values that are undefined, then say nothing of the system, and no other check has anything to look at.',
    todo: 'Check that the right files were given, that ids of cases are the same in all of them, and that the recipe reads the fields the items are in (data).',
    subjects,
    ...NO_EVIDENCE,
  };
}
