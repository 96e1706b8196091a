import type { CaseFormat } from './case-format.ts';
import { rows } from './rows.ts';

/**
 * Traces and run logs of conversations, which separate commands read: what they measure is in the items,
 * which are about concepts and calls and have no place in a text.
 */
export const conversationLogs: CaseFormat = {
  ...rows,
  task: 'stream',
  own: { preset: 'stream/exaid', cases: 'record_type' },
  isPaired: false,
  noWaterfall: 'a stream recipe pairs concepts that are equal: there is no rule between strict matching and the score',
  refusals: {
    waterfall: [
      'is a stream recipe: it pairs concepts that are equal, and has no rule between that and the score',
      'assay stream measure reports what it measures',
    ],
    sweep: [
      'is a stream recipe, which assay sweep does not read',
      'assay stream calibrate sweeps over the policies of a gate',
    ],
    'sweep of a run': [
      'is a stream run: it is measured from its own files, and has no pairing to sweep over',
      'assay stream measure --set changes one setting at a time',
    ],
    validate: ['scores traces and run logs, which have a separate check', 'assay stream validate'],
    experiment: ['scores logs of conversations, not the outputs of an experiment', 'assay stream measure takes it'],
  },
};
