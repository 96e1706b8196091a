import { words } from '../../../text/words.ts';
import { SUMMARY_FIELDS } from '../run-log-records.ts';
import type { DecisionFields } from './decision-answer.ts';
import { sentencesOf } from './heuristic-model-sentences.ts';
import { clinicalWords, contentWords, isAlert, opensTopic } from './heuristic-model-words.ts';
import type { DecisionRequest } from './model.ts';
import { EMPTY_BUFFER } from './render.ts';

const WORDS_FOR_A_THOUGHT = 30;
const WORDS_FOR_SEVERAL = 150;
const CLINICAL_WORDS_TO_MATTER = 4;
const NEW_SHARE = 0.7;

const ENDS_SENTENCE = /[.!?…][)\]"'”’*_]*\s*$/;

/**
 * Answers the questions by counting words.
 *
 * - complete: the new stretch ends in a sentence mark, and at least 30 words were said since the last summary; or
 *   at least 150 were, of which some thought must have come to its end
 * - relevant: at least 4 different words look clinical
 * - novel: at least 70 % of the content words are in none of the summaries so far; without summaries always
 * - state: by a short list of phrases
 */
export function judge({ context, segment, history, novelty }: DecisionRequest): DecisionFields {
  const all = context === EMPTY_BUFFER ? segment : `${context}\n${segment}`;
  const said = words(all, 'whitespace').length;
  const sentences = sentencesOf(segment);
  return {
    state: sentences.some(({ text }) => isAlert(text))
      ? 'CRITICAL_ALERT'
      : opensTopic(segment.slice(segment.indexOf('\n') + 1))
        ? 'TOPIC_SHIFT'
        : 'SAME_TOPIC_CONTINUING',
    complete: said >= (ENDS_SENTENCE.test(segment) ? WORDS_FOR_A_THOUGHT : WORDS_FOR_SEVERAL),
    relevant: clinicalWords(all) >= CLINICAL_WORDS_TO_MATTER,
    novel: novelty ? newShare(all, history) >= NEW_SHARE : null,
  };
}

function newShare(text: string, history: DecisionRequest['history']): number {
  const known = contentWords(history.flatMap((summary) => SUMMARY_FIELDS.map((field) => summary[field])).join(' '));
  const all = contentWords(text);
  return all.size === 0 ? 0 : all.difference(known).size / all.size;
}
