import { codePointLength } from '../../../text/characters.ts';
import type { SummaryContent, SummaryField, SummaryLimits } from '../run-log-records.ts';
import { type Sentence, sentencesOf } from './heuristic-model-sentences.ts';
import { clinicalWords, CUES } from './heuristic-model-words.ts';
import { cutAtWord, EMPTY_SUMMARY, SUMMARY_LIMITS } from './summary-answer.ts';

const NOT_STATED = 'Not stated.';
/** A summary that is no shorter than its text is none. */
const LONGEST_SHARE = 0.5;
/** Less than this of a sentence tells nothing. */
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
 * to each. A field that finds none says so. Never longer than the limits.
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

/** How well a sentence goes into a field; 0 where it does not. */
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

/** How much each agent said. */
function contributions(sentences: readonly Sentence[], agents: readonly string[], most: number): string {
  const said = agents.map((agent) => {
    const count = sentences.filter((sentence) => sentence.agent === agent).length;
    return `${agent}: ${count} ${count === 1 ? 'sentence' : 'sentences'}`;
  });
  return said.length === 0 ? NOT_STATED : cutAtWord(said.join('; '), most);
}
