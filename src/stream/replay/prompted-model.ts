import type { TextModel, TextPrompt } from '../../experiment.ts';
import { isRecord, sha256Of } from '../../plugin.ts';
import { ctu } from '../ctu.ts';
import { NO_ANSWER } from '../failed-call.ts';
import type { SummaryContent } from '../run-log-records.ts';
import { decisionFields, decisionOf, failedDecision } from './decision-answer.ts';
import type {
  CallUsage,
  DecisionAnswer,
  DecisionRequest,
  StreamModel,
  SummaryAnswer,
  SummaryRequest,
} from './model.ts';
import { decisionPrompt, promptsHash, rewritePrompt, summaryPrompt } from './prompts.ts';
import {
  cutToLimits,
  EMPTY_SUMMARY,
  goodSummary,
  noSummary,
  summaryFields,
  tooLong,
  tooLongText,
} from './summary-answer.ts';

/** A model that is asked in words, with an account of how it went. */
export interface PromptedModel extends StreamModel {
  readonly kind: 'provider';
  /** `sha256:…` of the wording, for signatures. */
  readonly promptsHash: string;
  readonly counts: Readonly<PromptedCounts>;
}

/** Puts the middleware's two questions to a text model in our own words, and reads its answers. */
export function promptedModel(text: TextModel, options: PromptedOptions = {}): PromptedModel {
  const counts: PromptedCounts = { calls: 0, failed: 0, wrapped: 0, unreadable: 0, rewritten: 0 };
  const ask = asker(text, options, counts);
  return {
    id: text.id,
    kind: 'provider',
    note: null,
    promptsHash: promptsHash(),
    counts,
    decide: (request) => askForDecision(request, ask, counts),
    summarize: (request) => askForSummary(request, ask, counts),
  };
}

async function askForDecision(request: DecisionRequest, ask: Ask, counts: PromptedCounts): Promise<DecisionAnswer> {
  const { answer, ...spent } = await ask(decisionPrompt(request));
  if ('failure' in answer) return { ...failedDecision(answer.failure), ...spent };
  const fields = answer.error === undefined ? decisionFields(answer.value, request.novelty) : { error: answer.error };
  if ('state' in fields) return { ...decisionOf(fields), ...spent };
  counts.unreadable += 1;
  return { ...failedDecision(`the answer cannot be used: ${fields.error}`), ...spent };
}

interface PromptedOptions {
  /** Failures with which it is of no use to go on (a refused key, a run given up): they are thrown, not logged. */
  readonly endsTheRun?: (error: unknown) => boolean;
}

interface PromptedCounts {
  calls: number;
  failed: number;
  /** Answers with more around the JSON object than there should be, read anyway. */
  wrapped: number;
  /** Answers that could not be read, or lacked something. */
  unreadable: number;
  rewritten: number;
}

interface Asked extends Pick<SummaryAnswer, 'latency_ms'> {
  readonly answer: JsonInAnswer | { readonly failure: string };
  readonly llm_usage: Required<CallUsage>;
}

type Ask = (prompt: TextPrompt) => Promise<Asked>;

/** Puts a prompt to a model, counts, and makes a failed call a fact like any other. */
function asker(model: TextModel, options: PromptedOptions, counts: PromptedCounts): Ask {
  return async (prompt) => {
    counts.calls += 1;
    const prompt_ctu = ctu(prompt.system + prompt.user);
    const spent = (
      completion_ctu: number,
      provider_prompt_tokens: number | null,
      provider_completion_tokens: number | null,
    ) => ({
      llm_usage: { prompt_ctu, completion_ctu, provider_prompt_tokens, provider_completion_tokens, model_id: model.id },
    });
    try {
      const { text, latencyMs, promptTokens, completionTokens } = await model.complete(prompt);
      const answer = jsonInAnswer(text);
      if (answer.error === undefined && answer.wrapped) counts.wrapped += 1;
      return { answer, ...spent(ctu(text), promptTokens, completionTokens), ...latency(latencyMs) };
    } catch (error) {
      if (options.endsTheRun?.(error) === true) throw error;
      counts.failed += 1;
      const failure = `the call failed: ${error instanceof Error ? error.message : String(error)}`;
      // No text came back, and no text has no units; what the provider counted is not known.
      return { answer: { failure }, ...spent(0, null, null) };
    }
  };
}

function latency(ms: number | null): Pick<Asked, 'latency_ms'> {
  return ms === null ? {} : { latency_ms: ms };
}

/** Two calls for one answer. What is not known of one of them is not known of both. */
function together(a: Asked, b: Asked): Pick<Asked, 'llm_usage' | 'latency_ms'> {
  const [one, other] = [a.llm_usage, b.llm_usage];
  return {
    ...latency(sum(a.latency_ms ?? null, b.latency_ms ?? null)),
    llm_usage: {
      prompt_ctu: one.prompt_ctu + other.prompt_ctu,
      completion_ctu: one.completion_ctu + other.completion_ctu,
      provider_prompt_tokens: sum(one.provider_prompt_tokens, other.provider_prompt_tokens),
      provider_completion_tokens: sum(one.provider_completion_tokens, other.provider_completion_tokens),
      model_id: one.model_id,
    },
  };
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** One call for a summary; a second one if it is too long; what is still too long then is cut and is a failure. */
async function askForSummary(request: SummaryRequest, ask: Ask, counts: PromptedCounts): Promise<SummaryAnswer> {
  const prompt = summaryPrompt(request);
  const first = await ask(prompt);
  const input = { summarizer_input_text: prompt.user, summarizer_input_hash: sha256Of(prompt.user) };
  const { answer, ...spent } = { ...first, ...input };
  if ('failure' in answer) return { ...noSummary(NO_ANSWER, answer.failure), ...spent };

  const { content, wrong } = fieldsOf(answer);
  if (wrong.length > 0) {
    counts.unreadable += 1;
    return { ...noSummary('schema_validation_error', wrong.join('; ')), ...spent };
  }
  const whole: SummaryContent = { ...EMPTY_SUMMARY, ...content };
  if (tooLong(whole, request.limits).length === 0) return { ...goodSummary(whole), ...spent };

  counts.rewritten += 1;
  const { rewritten, call, problem } = await shortened(whole, ask, request.limits);
  const spentTwice = { ...input, ...together(first, call) };
  const still = tooLong(rewritten, request.limits);
  if (still.length === 0) return { ...goodSummary(rewritten), ...spentTwice };
  return {
    summary_content: cutToLimits(rewritten, request.limits),
    schema_ok: false,
    schema_error: `${tooLongText(still)} (${problem ?? 'after a rewrite'}); cut at a word`,
    limits_ok: false,
    failure_mode: 'length_limit_violation',
    ...spentTwice,
  };
}

interface Shortened {
  readonly rewritten: SummaryContent;
  readonly call: Asked;
  /** Why there is no rewrite, or only part of one. */
  readonly problem: string | null;
}

/** Only the fields that were too long are taken from the rewrite: it was asked for no others. */
async function shortened(whole: SummaryContent, ask: Ask, limits: SummaryRequest['limits']): Promise<Shortened> {
  const over = tooLong(whole, limits);
  const call = await ask(rewritePrompt(whole, over, limits));
  if ('failure' in call.answer) return { rewritten: whole, call, problem: `no rewrite: ${call.answer.failure}` };
  const { content, wrong } = fieldsOf(
    call.answer,
    over.map(({ field }) => field),
  );
  const problem = wrong.length === 0 ? null : `the rewrite cannot be used: ${wrong.join('; ')}`;
  return { rewritten: { ...whole, ...content }, call, problem };
}

function fieldsOf(
  answer: JsonInAnswer,
  wanted?: Parameters<typeof summaryFields>[1],
): ReturnType<typeof summaryFields> {
  return answer.error === undefined ? summaryFields(answer.value, wanted) : { content: {}, wrong: [answer.error] };
}

/** The object that an answer holds, or why it holds none. `wrapped`: there was more around it than white space. */
type JsonInAnswer =
  | { readonly value: Readonly<Record<string, unknown>>; readonly wrapped: boolean; readonly error?: undefined }
  | { readonly error: string; readonly value?: undefined };

const LONGEST_ANSWER = 1_000_000;
// From each opening bracket the text may be walked to its end, so a text of nothing else must not be tried at every one.
const MOST_STARTS = 64;

/**
 * The one JSON object of a model's answer. A fence and prose around it are common and do no harm; two objects leave it
 * open which one is meant.
 *
 * @example jsonInAnswer('Here: {"a": 1}') // { value: { a: 1 }, wrapped: true }
 */
export function jsonInAnswer(answer: string): JsonInAnswer {
  if (answer.trim() === '') return { error: 'the answer is empty' };
  if (answer.length > LONGEST_ANSWER) return { error: `not JSON: the answer has ${answer.length} characters` };
  const whole = parsed(answer);
  if (isRecord(whole)) return { value: whole, wrapped: false };
  const found = objectsIn(answer);
  if (found.length === 1) return { value: found[0]!, wrapped: true };
  return { error: found.length === 0 ? 'not JSON' : `${found.length} JSON objects in one answer` };
}

function objectsIn(text: string): Readonly<Record<string, unknown>>[] {
  const found: Readonly<Record<string, unknown>>[] = [];
  let start = text.indexOf('{');
  for (let starts = 0; start >= 0 && starts < MOST_STARTS; starts += 1) {
    const end = closing(text, start);
    const value = end === null ? undefined : parsed(text.slice(start, end));
    if (isRecord(value)) found.push(value);
    start = text.indexOf('{', end ?? start + 1);
  }
  return found;
}

/** Just after the bracket that closes the one at `start`; null if none does. Brackets in strings do not count. */
function closing(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
