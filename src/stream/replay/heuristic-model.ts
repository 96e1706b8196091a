import { codePointLength, isFunctionWord, sha256Of, sortedJson, words } from '../../plugin.ts';
import { ctu } from '../ctu.ts';
import { SUMMARY_FIELDS, type SummaryContent, type SummaryField, type SummaryLimits } from '../run-log-records.ts';
import { type DecisionFields, decisionOf } from './decision-answer.ts';
import type { CallUsage, DecisionRequest, StreamModel } from './model.ts';
import { decisionPrompt, summaryPrompt } from './prompts.ts';
import { EMPTY_BUFFER } from './render.ts';
import { cutAtWord, EMPTY_SUMMARY, goodSummary, SUMMARY_LIMITS } from './summary-answer.ts';

/** Word lists of the stand-in for a model: English, short, and good for examples only. */

const CLINICAL_WORDS = new Set(
  `abnormal acute anemia antibiotic antibody artery biopsy bleeding blood brain breath cancer cardiac cell chest chronic
  cough culture deficiency diagnosis diagnoses diagnostic differential disease disorder dose drug edema examination
  fatigue fever findings fluid fracture genetic glucose headache heart hepatic history hospital imaging immune infection
  inflammation injury kidney laboratory lesion liver lung malignancy marker mass medication metabolic mri muscle nausea
  nerve neurological nodule oxygen pain pathogen patient pneumonia pregnancy pressure protein pulmonary pulse rash renal
  respiratory scan seizure serum shock sign signs skin spinal stroke surgery surgical swelling symptom symptoms syndrome
  test tests therapy thyroid tissue toxic trauma treatment tumor tumour ultrasound urine vaccine vascular vein viral
  virus vomiting weakness weight wound x-ray`.split(/\s+/),
);

const CLINICAL_ENDINGS =
  /(?:itis|osis|emia|aemia|oma|omas|opathy|pathic|ectomy|ostomy|algia|uria|scopy|(?<!pr)ogram|ography|plasty|penia|trophy|plegia|rrhea|rrhage|cyte|cytes|cillin|mycin|azole|sartan|statin|pril|olol|mab)$/;

/** Words that carry content, in lower case, each once, in order. */
export function topicWords(text: string): ReadonlySet<string> {
  return new Set(words(text.toLowerCase(), 'unicode').filter((word) => word.length > 2 && !isFunctionWord(word)));
}

/** How many different words look clinical. */
export function clinicalWords(text: string): number {
  let found = 0;
  for (const word of topicWords(text)) {
    if (CLINICAL_WORDS.has(word) || (word.length > 5 && CLINICAL_ENDINGS.test(word))) found += 1;
  }
  return found;
}

/** What a sentence is about, by words that are frequent in such sentences. */
const CUES = {
  differential_rationale:
    /\b(?:differentials?|diagnos[ei]s|likely|unlikely|suggest(?:s|ive|ing)?|consistent with|because|due to|points? to|rather than|explains?|rule[sd]? out|argues?)\b/gi,
  uncertainty_confidence:
    /\b(?:uncertain(?:ty)?|unclear|unknown|possibl[ey]|probabl[ey]|perhaps|may|might|could|confident|confidence|confirm(?:s|ed|ation)?|cannot|sure|doubt)\b/gi,
  recommendation_next_step:
    /\b(?:recommend(?:s|ed|ation|ations)?|should|suggest to|order|obtain|perform|start|begin|stop|refer(?:ral)?|consult|consider|monitor|repeat|next step|follow[- ]up|further (?:tests?|testing|evaluation|work-?up|investigations?)|plan)\b/gi,
} as const;

const SHIFT =
  /^[\s*#>\d.)-]*(?:turning to|moving on|next|in summary|to summari[sz]e|in conclusion|on another|separately|as for|regarding the|with regard to|differential diagnos[ei]s|recommend(?:ed|ations?)|treatment|management|conclusion|next steps?)\b/i;

const ALERT =
  /\b(?:cardiac arrest|septic shock|anaphyla(?:xis|ctic)|respiratory arrest|unresponsive|no pulse|pulseless|life-threatening emergency|act immediately|call (?:for )?(?:an ambulance|help|emergency)|code blue)\b/i;
const WEIGHED =
  /\b(?:no|not|without|den(?:y|ies|ied)|rule[sd]? out|if|risk|could|may|might|prevent|history of|avoid)\b/i;

/** Whether a text opens as one that turns to something else. */
function opensTopic(text: string): boolean {
  return SHIFT.test(text);
}

/** Whether a sentence warns of danger now; one that weighs, denies or recalls it does not. */
export function isAlert(sentence: string): boolean {
  return ALERT.test(sentence) && !WEIGHED.test(sentence);
}

/** A sentence and who said it. */
interface Sentence {
  readonly agent: string;
  readonly text: string;
}

// A separate line with an agent's name; headings of a text begin with a capital.
const AGENT_LINE = /^([a-z][\w.-]*):$/;
const FIRST_LINE = /^(\S[^\n]*):$/;
const LIST_MARK = /^\s*(?:#{1,6}\s+|[-*+•>]\s+|\(?\d{1,3}[.)]\s+)+/;
// What is left of a list or a heading that was cut in two.
const LOOSE_START = /^[^\p{L}\p{N}("'“‘]+/u;
const EMPHASIS = /\*{1,3}|_{2,3}|`+/g;
// A mark, closers, then white space and something that can begin a sentence.
const BETWEEN = /(?<=[.!?…][)\]"'”’]*)\s+(?=["'“‘([]?[\p{Lu}\p{N}])/u;
const ABBREVIATED = /(?:^|\s)(?:[Dd]r|[Mm]rs?|[Mm]s|[Pp]rof|vs|e\.g|i\.e|etc|approx|[Nn]o|[Ff]ig|cf|St)\.$/;

/** The sentences of text as it was rendered for a prompt, without Markdown's marks; headings are left out. */
export function sentencesOf(rendered: string): Sentence[] {
  const found: Sentence[] = [];
  let agent = '';
  for (const [at, line] of rendered.split('\n').entries()) {
    const name = (at === 0 ? FIRST_LINE : AGENT_LINE).exec(line)?.[1];
    if (name !== undefined) {
      agent = name;
      continue;
    }
    if (/^\s*#/.test(line)) continue;
    const plain = line
      .replace(LIST_MARK, '')
      .replaceAll(EMPHASIS, '')
      .replaceAll(/\s+/g, ' ')
      .replace(LOOSE_START, '')
      .trim();
    for (const text of split(plain)) if (/[\p{L}\p{N}]/u.test(text)) found.push({ agent, text });
  }
  return found;
}

function split(line: string): string[] {
  const found: string[][] = [];
  for (const part of line.split(BETWEEN)) {
    const last = found.at(-1);
    if (last !== undefined && ABBREVIATED.test(last.at(-1)!)) last.push(part);
    else found.push([part]);
  }
  return found.map((parts) => parts.join(' '));
}

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
  const known = topicWords(history.flatMap((summary) => SUMMARY_FIELDS.map((field) => summary[field])).join(' '));
  const all = topicWords(text);
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
