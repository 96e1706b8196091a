import { codePointLength, sha256Of, sortedJson, words } from '../../plugin.ts';
import { ctu } from '../ctu.ts';
import { SUMMARY_FIELDS, type SummaryContent, type SummaryField, type SummaryLimits } from '../run-log-records.ts';
import { type DecisionFields, decisionOf } from './decision-answer.ts';
import {
  clinicalWords,
  contentWords,
  CUES,
  isAlert,
  opensTopic,
  type Sentence,
  sentencesOf,
} from './heuristic-text.ts';
import type { CallUsage, DecisionRequest, StreamModel } from './model.ts';
import { decisionPrompt, summaryPrompt } from './prompts.ts';
import { EMPTY_BUFFER } from './render.ts';
import { cutAtWord, EMPTY_SUMMARY, goodSummary, SUMMARY_LIMITS } from './summary-answer.ts';

const HEURISTIC_ID = 'heuristic-1';
const HEURISTIC_NOTE =
  'answers by a fixed rule over English words, not by a language model; figures made with it say nothing about a model';

/**
 * Stands in for a model: the same text always gets the same answer, without a network and at no cost. It gets what a
 * model would get, and every log states what it is.
 */
export function heuristicModel(): StreamModel {
  return {
    id: HEURISTIC_ID,
    kind: 'heuristic',
    note: HEURISTIC_NOTE,
    async decide(request) {
      const { system, user } = decisionPrompt(request);
      const fields = judge(request);
      return { ...decisionOf(fields), llm_usage: usageOf(system + user, sortedJson(fields)) };
    },
    async summarize(request) {
      const { system, user } = summaryPrompt(request);
      const content = extract(request.newBuffer, request.limits);
      return {
        ...goodSummary(content),
        summarizer_input_text: user,
        summarizer_input_hash: sha256Of(user),
        llm_usage: usageOf(system + user, sortedJson(content)),
      };
    },
  };
}

function usageOf(prompt: string, answer: string): CallUsage {
  return {
    prompt_ctu: ctu(prompt),
    completion_ctu: ctu(answer),
    provider_prompt_tokens: null,
    provider_completion_tokens: null,
    model_id: HEURISTIC_ID,
  };
}

const WORDS_FOR_A_THOUGHT = 30;
const WORDS_FOR_SEVERAL = 150;
const CLINICAL_WORDS_TO_MATTER = 4;
const NEW_SHARE = 0.7;

const ENDS_SENTENCE = /[.!?…][)\]"'”’*_]*\s*$/;

/**
 * Answers the questions by counting words.
 *
 * - complete: the new stretch ends in a sentence mark, and at least 30 words came since the last summary; or
 *   at least 150 were, of which some thought must have come to its end
 * - relevant: at least 4 different words look clinical
 * - novel: at least 70 % of the content words are in none of the summaries so far; without summaries always
 * - state: by a short list of phrases
 */
export function judge({ context, segment, history, novelty }: DecisionRequest): DecisionFields {
  const all = context === EMPTY_BUFFER ? segment : `${context}\n${segment}`;
  const length = words(all, 'whitespace').length;
  const sentences = sentencesOf(segment);
  return {
    state: sentences.some(({ text }) => isAlert(text))
      ? 'CRITICAL_ALERT'
      : opensTopic(segment.slice(segment.indexOf('\n') + 1))
        ? 'TOPIC_SHIFT'
        : 'SAME_TOPIC_CONTINUING',
    complete: length >= (ENDS_SENTENCE.test(segment) ? WORDS_FOR_A_THOUGHT : WORDS_FOR_SEVERAL),
    relevant: clinicalWords(all) >= CLINICAL_WORDS_TO_MATTER,
    novel: novelty ? newShare(all, history) >= NEW_SHARE : null,
  };
}

function newShare(text: string, history: DecisionRequest['history']): number {
  const known = contentWords(history.flatMap((summary) => SUMMARY_FIELDS.map((field) => summary[field])).join(' '));
  const all = contentWords(text);
  return all.size === 0 ? 0 : all.difference(known).size / all.size;
}

const NOT_STATED = 'Not stated.';
/** A summary that is no shorter than its text is none. */
const LONGEST_SHARE = 0.5;
/** Less than this of a sentence means nothing. */
const SHORTEST_TEXT = 60;

/** In the order in which sentences are given away. */
const FILLED = [
  'differential_rationale',
  'recommendation_next_step',
  'key_findings',
  'uncertainty_confidence',
  'status_action',
] as const satisfies readonly SummaryField[];

/**
 * Sentences of the text, at most one a field: for each field the one still free that has most of its cues and of words
 * that look clinical, cut so that all five together have half of the text at most, unless that left less than a phrase
 * to each. A field that finds none is "Not stated.". Never longer than the limits.
 */
export function extract(newBuffer: string, limits: SummaryLimits = SUMMARY_LIMITS): SummaryContent {
  const sentences = sentencesOf(newBuffer);
  const agents = [...new Set(sentences.map(({ agent }) => agent))];
  const free = new Set(sentences);
  const content: Record<SummaryField, string> = { ...EMPTY_SUMMARY };
  let room = Math.floor(codePointLength(newBuffer) * LONGEST_SHARE);
  for (const [at, field] of FILLED.entries()) {
    const best = bestOf(free, (text) => score(field, text));
    const fair = Math.max(SHORTEST_TEXT, Math.floor(room / (FILLED.length - at)));
    const lead = field === 'status_action' && agents.length > 0 ? `${agents.join(', ')}: ` : '';
    content[field] =
      best === null
        ? cutAtWord(NOT_STATED, limits[field])
        : cutAtWord(`${lead}${best.text}`, Math.min(fair, limits[field]));
    room -= codePointLength(content[field]);
    if (best !== null) free.delete(best);
  }
  content.agent_contributions = contributions(sentences, agents, limits.agent_contributions);
  return content;
}

/** How well a sentence fits a field; 0 if it does not. */
function score(field: (typeof FILLED)[number], text: string): number {
  if (field === 'status_action') return 1;
  if (field === 'key_findings') return clinicalWords(text);
  const cues = text.match(CUES[field])?.length ?? 0;
  return cues === 0 ? 0 : 2 * cues + clinicalWords(text);
}

/** The first of those with the highest score above 0. */
function bestOf(sentences: Iterable<Sentence>, scoreOf: (text: string) => number): Sentence | null {
  let best: Sentence | null = null;
  let highest = 0;
  for (const sentence of sentences) {
    const own = scoreOf(sentence.text);
    if (own > highest) [best, highest] = [sentence, own];
  }
  return best;
}

/** How many sentences each agent has. */
function contributions(sentences: readonly Sentence[], agents: readonly string[], most: number): string {
  const counts = agents.map((agent) => {
    const count = sentences.filter((sentence) => sentence.agent === agent).length;
    return `${agent}: ${count} ${count === 1 ? 'sentence' : 'sentences'}`;
  });
  return counts.length === 0 ? NOT_STATED : cutAtWord(counts.join('; '), most);
}
