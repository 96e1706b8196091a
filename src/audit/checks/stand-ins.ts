import type { Check, NewFinding } from '../check.ts';
import { NO_EVIDENCE } from '../evidence.ts';
import { counted } from '../../text/figures.ts';

/** Figures of a placeholder look like any others. */
export const standIns: Check = {
  name: 'stand-ins',
  about: 'answers of a stand-in instead of a model, and traces that are stubs',
  open: () => ({
    finish({ run }) {
      const { heuristicLogs = 0, stubTraces = 0 } = run.manifest.notices;
      const { total } = run.measures.cases;
      const found: NewFinding[] = [];
      if (heuristicLogs > 0)
        found.push({
          severity: 'error',
          title: `${counted(heuristicLogs, 'log')} of ${counted(total, 'case')} ${heuristicLogs === 1 ? 'was' : 'were'} answered by a heuristic stand-in, not by a language model`,
          why: 'The figures show that the pipeline runs. They say nothing about any model.',
          todo: 'Run the cases with the model that the report is about, or say in the first line of the report that no model was used.',
          subjects: ['heuristic-logs'],
          ...NO_EVIDENCE,
        });
      if (stubTraces > 0)
        found.push({
          severity: 'error',
          title: `${counted(stubTraces, 'trace')} of ${counted(total, 'case')} ${stubTraces === 1 ? 'is a stub' : 'are stubs'}: no real conversation`,
          why: 'What was summarised was made up by a placeholder, so coverage and support are those of the placeholder.',
          todo: 'Record real traces, or leave the stubs out.',
          subjects: ['stub-traces'],
          ...NO_EVIDENCE,
        });
      return found;
    },
  }),
};
