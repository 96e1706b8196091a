import type { ErrorType } from '../judge/error-type.ts';
import type { Ceiling } from '../figures/run-figures.ts';

/** What a type of error means, in one line. */
export const ERROR_MEANINGS: Readonly<Record<ErrorType, string>> = {
  boundary: 'the right label, but not the right place',
  type: 'the right place, but another label',
  both: 'near the right place, and with another label',
  split: 'one gold item answered in several pieces',
  merged: 'several gold items answered as one',
  duplicate: 'where something else was found already',
  missed: 'in gold, and no prediction like it is left',
  spurious: 'predicted, and no gold like it is left',
  ungrounded: 'predicted with words or a place that are not in the text',
};

/** What the comparison with people comes to, in a sentence. */
export const CEILING_MEANINGS: Readonly<Record<Ceiling['verdict'], string>> = {
  'above people': 'The system agrees with people more than they do with each other.',
  'below people': 'The system agrees with people less than they do with each other.',
  'no difference shown': 'No difference between the system and people is shown.',
  'too little data': 'There is too little data to tell the system from people.',
};
