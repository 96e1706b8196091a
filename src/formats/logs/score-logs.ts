import { InputError, UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { CaseFormat } from '../case-format.ts';
import { wordOf } from './log-text.ts';

const INSTEAD = 'assay import LOG --out RUN';

function refuse(): never {
  throw new UsageError('the scores of a log are imported, not scored again', INSTEAD);
}

/** Scores that another tool gave and logged: they are read by `assay import`, which makes the plan from the log. */
export const scoreLogs: CaseFormat = {
  task: 'scores',
  read: refuse,
  open: refuse,
  async *texts(source, _role, resolved) {
    const { scores } = resolved;
    const tool = isRecord(scores) ? wordOf(scores['tool']) : null;
    if (tool === null) return;
    // Only for runs of such logs: most calls have none.
    const [{ readLogs }, { logRun }] = await Promise.all([import('./read-logs.ts'), import('./log-run.ts')]);
    try {
      for (const log of await readLogs([source], tool)) {
        const { cases } = await logRun(log);
        for await (const { id, from, text } of cases) yield [{ id: from ?? id, text }];
      }
    } catch (error) {
      // One file of several need not make sense by itself.
      if (!(error instanceof InputError || error instanceof UsageError)) throw error;
    }
  },
  goldIs: 'the log has the scores',
  isPaired: false,
  noWaterfall: 'the scores are another tool’s: there is no pairing, and no rule between it and the score',
  refusals: {
    waterfall: ['holds scores of another tool: no rule of a recipe made them', 'assay report shows what they come to'],
    sweep: ['takes scores from a log: it has no parameter to sweep over', INSTEAD],
    'sweep of a run': [
      'holds scores of another tool: there is no parameter to sweep over',
      'assay repeats compares repeated runs',
    ],
    validate: ['is filled in from a log', INSTEAD],
    experiment: ['takes scores from a log, not the outputs of an experiment', INSTEAD],
  },
};
