import {
  APICallError,
  generateText,
  type JSONSchema7,
  type LanguageModel,
  type LanguageModelUsage,
  type OutputInterface,
  streamText,
  type Warning,
} from 'ai';

import { isRecord } from '../../data/record-fields.ts';
import { errorCode } from '../../data/source.ts';
import { retryAfterMs } from '../limits/retry.ts';
import { kindOfStatus, TargetError } from '../targets/target.ts';
import { withoutKey } from './secrets.ts';
import type { AnswerFormat, TextPrompt } from './text-prompt.ts';

export interface Attempt {
  readonly model: LanguageModel;
  readonly key: string | null;
  readonly sampling: Partial<Record<'temperature' | 'topP' | 'seed' | 'maxOutputTokens', number>>;
  readonly answerFormat: AnswerFormat;
  readonly signal: AbortSignal;
}

// The SDK would print its warnings, the first with a hint on how to stop it. They are handed on instead; a program that
// has chosen for itself keeps its choice.
globalThis.AI_SDK_LOG_WARNINGS ??= false;

// OpenAI refuses a strict schema that leaves a field optional; a lenient one the model is only asked to follow.
const LENIENT = { openaiCompatible: { strictJsonSchema: false } };

export async function generate(prompt: TextPrompt, attempt: Attempt) {
  const start = performance.now();
  const result = await generateText(settingsOf(prompt, attempt));
  const spent = spentSince(start, result.usage, result.finishReason);
  // A cut-off answer without a word has no output.
  const text = spent.finish === 'stop' || result.text !== '' ? withoutKey(result.output, attempt.key) : '';
  return { text, ...spent, warnings: (result.warnings ?? []).map(warningText) };
}

/** The same, with the time at which each piece of the text arrived. A stream that breaks off is a failed attempt. */
export async function generateStreamed(prompt: TextPrompt, attempt: Attempt) {
  const start = performance.now();
  // What goes wrong comes as a part of the stream; the SDK would print it too.
  const result = streamText({ ...settingsOf(prompt, attempt), onError: () => undefined });
  const pieces: { readonly text: string; readonly time: number }[] = [];
  for await (const part of result.stream) {
    if (part.type === 'error') throw pieces.length === 0 ? withoutEvents(part.error) : part.error;
    if (part.type === 'text-delta' && part.text !== '')
      pieces.push({ text: part.text, time: Math.round(performance.timeOrigin + performance.now()) });
  }
  const spent = spentSince(start, await result.usage, await result.finishReason);
  const whole = pieces.map(({ text }) => text).join('');
  const text = withoutKey(whole, attempt.key);
  const warnings = ((await result.warnings) ?? []).map(warningText);
  // A key that is spread over pieces is in none of them: then the text comes as one.
  const clean = text === whole ? pieces : pieces.slice(-1).map(({ time }) => ({ text, time }));
  return { text, pieces: clean, ...spent, warnings };
}

/** What an answer took, and why the model stopped (`stop`, `length`, …). A withheld one is paid for too. */
function spentSince(start: number, { inputTokens, outputTokens }: LanguageModelUsage, finish: string) {
  const latencyMs = Math.round(performance.now() - start);
  const usage = { inputTokens: inputTokens ?? null, outputTokens: outputTokens ?? null, cost: null };
  if (finish !== 'content-filter')
    return { latencyMs, promptTokens: usage.inputTokens, completionTokens: usage.outputTokens, finish };
  const message = 'the provider withheld the answer (content filter)';
  throw new TargetError({ kind: 'answer', message, usage, latencyMs });
}

/** A server that answers in one piece although a stream was asked for: the SDK only misses the end. */
function withoutEvents(error: unknown): unknown {
  return error instanceof Error && error.message.includes('without a finish reason')
    ? new TargetError({ kind: 'answer', message: 'no server-sent event came: the server has to stream its answers' })
    : error;
}

function settingsOf(prompt: TextPrompt, { model, sampling, answerFormat, signal }: Attempt) {
  return {
    model,
    ...sampling,
    // Some servers refuse a text that is empty.
    ...(prompt.system === '' ? {} : { instructions: prompt.system }),
    messages: [...(prompt.messages ?? [{ role: 'user' as const, content: prompt.user }])],
    ...(prompt.strict === false ? { providerOptions: LENIENT } : {}),
    output: asItCame(prompt, answerFormat),
    // Waiting is ours: the SDK's own begins at two seconds and takes no longest wait.
    maxRetries: 0,
    abortSignal: signal,
  };
}

/** The answer's text, whatever it is: whether it fits the schema is for the caller to check. */
function asItCame(
  { schema, schemaName: name }: TextPrompt,
  format: AnswerFormat,
): OutputInterface<string, string, never> {
  const held = format === 'schema' && isSchema(schema) ? { schema, name } : {};
  return {
    name: 'text',
    responseFormat: Promise.resolve(format === 'text' ? { type: 'text' } : { type: 'json', ...held }),
    parseCompleteOutput: ({ text }) => Promise.resolve(text),
    parsePartialOutput: ({ text }) => Promise.resolve({ partial: text }),
    createElementStreamTransform: () => undefined,
  };
}

/** The content of a schema is up to its author; the SDK passes it on as it is. */
function isSchema(schema: unknown): schema is JSONSchema7 {
  return isRecord(schema);
}

function warningText(warning: Warning): string {
  if (warning.type === 'other') return warning.message;
  const how = warning.type === 'unsupported' ? 'not supported' : 'used in a compatibility mode';
  const [what, detail] =
    warning.type === 'deprecated'
      ? [`${warning.setting} is deprecated`, warning.message]
      : [`${warning.feature} is ${how}`, warning.details];
  return detail === undefined ? what : `${what}: ${detail}`;
}

// Refusals that come under statuses of other meaning: Google's bad key as 400, OpenAI's empty account as 429.
const NO_ACCESS =
  /"(?:API_KEY_INVALID|PERMISSION_DENIED|insufficient_quota|invalid_api_key|permission_error|unsupported_country_region_territory)"/;

// OpenAI's word for a setting that the model does not take: it will not take it in the next call either.
const NO_SUCH_SETTING = /"param"\s*:\s*"(?:temperature|max_tokens|response_format[^"]*)"/;

/** The first fault that a schema found: its own message is a page of JSON. */
function misfitIn(chain: readonly Error[]): string | null {
  const issues: unknown = chain.map((error): unknown => Reflect.get(error, 'issues')).find(Array.isArray);
  const first: unknown = Array.isArray(issues) ? issues[0] : null;
  if (!isRecord(first)) return null;
  const place = Array.isArray(first['path']) && first['path'].length > 0 ? ` at ${first['path'].join('.')}` : '';
  return `${String(first['message']).replace(/^Invalid input: /, '')}${place}`;
}

/** What the SDK threw, without the request. The key is removed before shortening: half a key is most of a key. */
export function callFailure(error: unknown, key: string | null): TargetError {
  const clean = (text: string): string => withoutKey(text, key);
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 10; at = at.cause) chain.push(at);
  const own = chain.find((one) => one instanceof TargetError);
  if (own instanceof TargetError) return own;
  const last = clean(chain.at(-1)?.message ?? 'an unknown error');
  // The system's own code (ECONNREFUSED) is more precise than "fetch failed".
  const code = errorCode(chain.findLast((one) => 'code' in one) ?? chain.at(-1));
  const call = chain.find((one) => APICallError.isInstance(one));
  if (call === undefined) return new TargetError({ kind: 'answer', message: `the answer cannot be used: ${last}` });
  const { statusCode: status, responseBody: body = '', responseHeaders, isRetryable } = call;
  if (status === undefined)
    return new TargetError({ kind: 'connection', message: `the server cannot be reached (${code})` });
  // The status was good, so it broke on the way or is not what such a server sends.
  const unlike = `the server's answer is not as its protocol has it: ${clean(misfitIn(chain) ?? last)}`;
  if (status < 400 && isRetryable)
    return new TargetError({ kind: 'connection', message: `the connection broke (${code})`, status });
  if (status < 400) return new TargetError({ kind: 'answer', message: unlike, status });
  return new TargetError({
    kind: NO_ACCESS.test(body) || NO_SUCH_SETTING.test(body) ? 'access' : kindOfStatus(status),
    message: `HTTP ${status}: ${clean(call.message)}`,
    status,
    retryAfterMs: retryAfterMs(responseHeaders ?? {}, body, Date.now()),
  });
}
