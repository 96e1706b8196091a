import { generateText, type JSONSchema7, type LanguageModel, type OutputInterface, streamText, type Warning } from 'ai';

import { isRecord } from '../../data/record-fields.ts';
import { callFailure } from './call-failure.ts';
import { ModelError } from './model-error.ts';
import type { ProviderPrompt } from './provider-prompt.ts';
import { withoutKey } from './secret.ts';

/**
 * - `schema`: the server is held to the JSON Schema of the answer
 * - `json`: it is held to JSON, for servers that know no schemas
 * - `text`: it is held to nothing; the prompt says what is wanted
 */
export type AnswerFormat = 'schema' | 'json' | 'text';

export interface Attempt {
  readonly model: LanguageModel;
  readonly key: string | null;
  readonly temperature: number | null;
  readonly topP?: number | undefined;
  readonly seed?: number | undefined;
  readonly timeoutMs: number;
  readonly maxOutputTokens: number | undefined;
  readonly answerFormat: AnswerFormat;
  /** Any of these gives the call up. */
  readonly signals: readonly AbortSignal[];
}

export interface Generated {
  readonly text: string;
  readonly latencyMs: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly finish: string;
  readonly warnings: readonly string[];
}

export interface StreamedPiece {
  readonly text: string;
  /** When it arrived, in milliseconds since 1970. */
  readonly time: number;
}

export interface Streamed extends Generated {
  /** The text as it came, piece by piece. */
  readonly pieces: readonly StreamedPiece[];
}

// The SDK would print its warnings, the first with a hint on how to stop it. They are handed on instead; a program that
// has chosen for itself keeps its choice.
globalThis.AI_SDK_LOG_WARNINGS ??= false;

// OpenAI refuses a strict schema that leaves a field optional; a lenient one the model is only asked to follow.
const LENIENT = { openaiCompatible: { strictJsonSchema: false } };

/** One attempt at one call. */
export async function generate(prompt: ProviderPrompt, attempt: Attempt): Promise<Generated> {
  return attempted(attempt, async (abortSignal, start) => {
    const { key } = attempt;
    const result = await generateText({ ...settingsOf(prompt, attempt), abortSignal });
    const spent = {
      latencyMs: Math.round(performance.now() - start),
      promptTokens: result.usage.inputTokens ?? null,
      completionTokens: result.usage.outputTokens ?? null,
    };
    if (result.finishReason === 'content-filter')
      throw new ModelError({ kind: 'answer', message: 'the provider withheld the answer (content filter)', spent });
    return {
      // A cut-off answer without a word has no output.
      text: result.finishReason === 'stop' || result.text !== '' ? withoutKey(result.output, key) : '',
      ...spent,
      finish: result.finishReason,
      warnings: (result.warnings ?? []).map(warningText),
    };
  });
}

/** The same, with the time at which each piece of the text arrived. A stream that breaks off is a failed attempt. */
export async function generateStreamed(prompt: ProviderPrompt, attempt: Attempt): Promise<Streamed> {
  return attempted(attempt, async (abortSignal, start) => {
    // What goes wrong comes as a part of the stream; the SDK would print it too.
    const result = streamText({ ...settingsOf(prompt, attempt), abortSignal, onError: () => undefined });
    const pieces: StreamedPiece[] = [];
    for await (const part of result.stream) {
      if (part.type === 'error') throw pieces.length === 0 ? withoutEvents(part.error) : part.error;
      if (part.type === 'text-delta' && part.text !== '')
        pieces.push({ text: part.text, time: Math.round(performance.timeOrigin + performance.now()) });
    }
    const usage = await result.usage;
    const spent = {
      latencyMs: Math.round(performance.now() - start),
      promptTokens: usage.inputTokens ?? null,
      completionTokens: usage.outputTokens ?? null,
    };
    const finish = await result.finishReason;
    if (finish === 'content-filter')
      throw new ModelError({ kind: 'answer', message: 'the provider withheld the answer (content filter)', spent });
    const whole = pieces.map(({ text }) => text).join('');
    const text = withoutKey(whole, attempt.key);
    const last = pieces.at(-1);
    return {
      text,
      // A key that is spread over pieces is in none of them: then the text comes as one.
      pieces: text === whole || last === undefined ? pieces : [{ text, time: last.time }],
      ...spent,
      finish,
      warnings: ((await result.warnings) ?? []).map(warningText),
    };
  });
}

/** A server that answers in one piece although a stream was asked for: the SDK only misses the end. */
function withoutEvents(error: unknown): unknown {
  return error instanceof Error && error.message.includes('without a finish reason')
    ? new ModelError({ kind: 'answer', message: 'no server-sent event came: the server has to stream its answers' })
    : error;
}

function settingsOf(prompt: ProviderPrompt, attempt: Attempt) {
  const { model, temperature, topP, seed, maxOutputTokens } = attempt;
  return {
    model,
    // Some servers refuse a text that is empty.
    ...(prompt.system === '' ? {} : { instructions: prompt.system }),
    ...(prompt.messages === undefined ? { prompt: prompt.user } : { messages: [...prompt.messages] }),
    ...(prompt.strict === false ? { providerOptions: LENIENT } : {}),
    output: asItCame(prompt, attempt.answerFormat),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(seed === undefined ? {} : { seed }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    // Waiting is ours: the SDK's own begins at two seconds and takes no longest wait.
    maxRetries: 0,
  };
}

/** What goes wrong is a failure of the call, whoever ended it. */
async function attempted<T>(
  { timeoutMs, signals, key }: Attempt,
  call: (abortSignal: AbortSignal, start: number) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const start = performance.now();
  try {
    return await call(AbortSignal.any([...signals, timeout]), start);
  } catch (error) {
    if (signals.some(({ aborted }) => aborted))
      throw new ModelError({ kind: 'aborted', message: 'the call was given up' });
    if (timeout.aborted) throw new ModelError({ kind: 'timeout', message: `no answer within ${timeoutMs / 1000} s` });
    throw callFailure(error, (text) => withoutKey(text, key));
  }
}

/** The answer's text, whatever it is: whether it fits the schema is for whoever asked to say. */
function asItCame(prompt: ProviderPrompt, format: AnswerFormat): OutputInterface<string, string, never> {
  return {
    name: 'text',
    responseFormat: Promise.resolve(responseFormat(prompt, format)),
    parseCompleteOutput: ({ text }) => Promise.resolve(text),
    parsePartialOutput: ({ text }) => Promise.resolve({ partial: text }),
    createElementStreamTransform: () => undefined,
  };
}

function responseFormat({ schema, schemaName }: ProviderPrompt, format: AnswerFormat) {
  if (format === 'text') return { type: 'text' as const };
  if (format === 'json' || !isSchema(schema)) return { type: 'json' as const };
  return { type: 'json' as const, schema, name: schemaName };
}

/** What a schema says is up to whoever wrote it; the SDK hands it on as it is. */
function isSchema(schema: unknown): schema is JSONSchema7 {
  return isRecord(schema);
}

function warningText(warning: Warning): string {
  switch (warning.type) {
    case 'unsupported':
      return `${warning.feature} is not supported${detailOf(warning.details)}`;
    case 'compatibility':
      return `${warning.feature} is used in a compatibility mode${detailOf(warning.details)}`;
    case 'deprecated':
      return `${warning.setting} is deprecated${detailOf(warning.message)}`;
    case 'other':
      return warning.message;
  }
}

function detailOf(detail: string | undefined): string {
  return detail === undefined ? '' : `: ${detail}`;
}
