import { sha256Of } from '../../../data/sha256-of.ts';
import { NO_ANSWER } from '../failed-call.ts';
import type { SummaryContent } from '../run-log-records.ts';
import type { JsonInAnswer } from './json-in-answer.ts';
import type { SummaryAnswer, SummaryRequest } from './model.ts';
import { type Ask, type Asked, type PromptedCounts, together } from './prompted-model-ask.ts';
import { rewritePrompt, summaryPrompt } from './prompts.ts';
import { cutToLimits, EMPTY_SUMMARY, noSummary, summaryFields, tooLong, tooLongText } from './summary-answer.ts';

/** One call for a summary; a second one where it is too long; what is still too long then is cut and is a failure. */
export async function askForSummary(request: SummaryRequest, ask: Ask, counts: PromptedCounts): Promise<SummaryAnswer> {
  const prompt = summaryPrompt(request);
  const first = await ask(prompt);
  const input = { inputText: prompt.user, inputHash: sha256Of(prompt.user) };
  const spent = { ...input, usage: first.usage, latencyMs: first.latencyMs };
  if ('failure' in first.answer) return { ...noSummary(NO_ANSWER, first.answer.failure), ...spent };

  const { content, wrong } = fieldsOf(first.answer);
  if (wrong.length > 0) {
    counts.unreadable += 1;
    return { ...noSummary('schema_validation_error', wrong.join('; ')), ...spent };
  }
  const whole: SummaryContent = { ...EMPTY_SUMMARY, ...content };
  if (tooLong(whole, request.limits).length === 0) return { ...good(whole), ...spent };

  counts.rewritten += 1;
  const { rewritten, call, problem } = await shortened(whole, ask, request.limits);
  const spentTwice = { ...input, ...together(first, call) };
  const still = tooLong(rewritten, request.limits);
  if (still.length === 0) return { ...good(rewritten), ...spentTwice };
  return {
    content: cutToLimits(rewritten, request.limits),
    schemaOk: false,
    schemaError: `${tooLongText(still)} (${problem ?? 'after a rewrite'}); cut at a word`,
    limitsOk: false,
    failureMode: 'length_limit_violation',
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

function good(content: SummaryContent): Omit<SummaryAnswer, 'inputText' | 'inputHash' | 'usage' | 'latencyMs'> {
  return { content, schemaOk: true, schemaError: null, limitsOk: true, failureMode: null };
}
