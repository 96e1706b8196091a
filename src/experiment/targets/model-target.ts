import { resolve } from 'node:path';

import { z } from 'zod';

import { InputError, UsageError } from '../../data/problems.ts';
import { readText } from '../../data/read-file.ts';
import type { PromptBody } from '../../store/records.ts';
import { textModel } from '../models/text-model.ts';
import type { AnswerFormat, ProviderPrompt } from '../models/text-prompt.ts';
import type { JsonSchema } from '../json-schema.ts';
import { type AnswerCheck, namesEveryField } from './answer-schema.ts';
import { parseJson, parseModelJson } from './json-text.ts';
import { type Conversation, conversationText, promptTemplate } from './prompt-template.ts';
import { count, type Passage, type Target, type TargetCase, type TargetContext, TargetError } from './target.ts';

const named = z.strictObject({
  name: z.string().trim().min(1).meta({ description: 'of a stored prompt' }),
  label: z.string().trim().min(1).optional(),
  version: z.int().min(1).optional(),
});

/** Where the words for a model come from: they stand here, in a file, or in the store under a name. */
const promptSchema = z.union([
  z.string().meta({ description: 'the prompt itself, with {{ variables }}' }),
  z.strictObject({ text: z.string() }),
  z.strictObject({ file: z.string().trim().min(1) }),
  named.refine(({ label, version }) => label === undefined || version === undefined, {
    message: 'expected a label or a version, not both',
  }),
]);

/** Which stored prompt is meant; with neither label nor version, the one labelled `production`. */
export type NamedPrompt = z.infer<typeof named>;

/** Settings of targets that ask a model. */
export const modelSettings = {
  model: z.string().trim().min(1).meta({ description: 'PROVIDER/NAME, such as google/gemini-2.5-flash' }),
  prompt: promptSchema.optional(),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .default(0)
    .meta({ description: 'null sends none, for models that take none' }),
  maxOutputTokens: count(10_000_000).optional(),
  baseUrl: z.string().optional().meta({ description: "address of the server, where it is not the provider's own" }),
};

export const answerFormatSetting = z.enum(['schema', 'json', 'text']).meta({
  description: 'what the server is held to: the JSON Schema, any JSON, or nothing but the words of the prompt',
});

/** Targets that ask a model. */
export type ModelSpec = z.infer<z.ZodObject<typeof modelSettings>> & { readonly use: string };

/** What a model said, and what it took. */
export interface ModelAnswer {
  readonly text: string;
  /** It ran out of tokens before it was done. */
  readonly isCut: boolean;
}

/** One item, made ready for a model. */
export interface Question {
  /** What the prompt may name beside the fields of the input. */
  readonly known: Readonly<Record<string, unknown>>;
  /** What the item is about, for prompts without a variable. */
  readonly text: string;
  /** What the model is held to; what its answer is checked against may be less. */
  readonly schema: JsonSchema | null;
  readonly passages: readonly Passage[] | null;
}

/** What became of an answer: an output, or what is wrong with it. */
export type Reading =
  | { readonly output: unknown; readonly fault?: undefined }
  | { readonly fault: string; readonly output?: undefined };

/** What is special to a target that asks a model. */
export interface ModelTask {
  readonly answerFormat: AnswerFormat;
  readonly schemaName: string;
  readonly prompt: PromptBody;
  /** What affects its answers beside model, settings and prompt. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** Throws TargetError where nothing can be asked about the item. */
  question(given: TargetCase): Question;
  read(answer: ModelAnswer, question: Question): Reading;
}

/** A target that puts one prompt to a model and reads its answer. */
export async function modelTarget(spec: ModelSpec, context: TargetContext, task: ModelTask): Promise<Target> {
  const { temperature, maxOutputTokens, baseUrl } = spec;
  const { answerFormat, prompt } = task;
  const template = promptTemplate(prompt, 'prompt');
  const model = await textModel(spec.model, {
    temperature,
    answerFormat,
    timeoutMs: context.timeoutMs,
    environment: context.environment,
    // Whoever runs the experiment sees all items, and knows better when to try one again.
    retries: 0,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(baseUrl === undefined ? {} : { baseUrl, isBaseUrlFromFile: true }),
  });
  const ask = (given: TargetCase): { readonly question: Question; readonly conversation: Conversation } => {
    const question = task.question(given);
    const known = { ...question.known, input: given.input };
    return { question, conversation: template.filled({ input: given.input, known }, question.text) };
  };
  return {
    kind: spec.use,
    model: model.id,
    modelParameters: {
      ...(temperature === null ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    },
    identity: {
      kind: spec.use,
      model: model.id,
      server: model.baseUrl,
      temperature,
      maxOutputTokens: maxOutputTokens ?? null,
      answerFormat,
      prompt,
      ...task.identity,
    },
    cacheable: true,
    request(given) {
      const { system, messages } = ask(given).conversation;
      return [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages];
    },
    preview(given) {
      const { question, conversation } = ask(given);
      const isHeld = answerFormat === 'schema' && question.schema !== null;
      const schema = isHeld ? `\n\n[schema of the answer]\n${JSON.stringify(question.schema, null, 2)}` : '';
      return Promise.resolve(`${conversationText(conversation)}${schema}`);
    },
    async answer(given, signal) {
      const { question, conversation } = withinItem(() => ask(given));
      const asked = providerPrompt(task, question, conversation);
      const { text, latencyMs, promptTokens, completionTokens, finish } = await model.complete(asked, { signal });
      const usage = { inputTokens: promptTokens, outputTokens: completionTokens, cost: null };
      const isCut = finish === 'length';
      const { fault, output } = task.read({ text, isCut }, question);
      if (fault === undefined) return { output, usage, latencyMs, passages: question.passages, raw: text };
      const message = isCut
        ? `the model ran out of tokens before it was done, and its answer cannot be used: ${fault}`
        : `the model's answer cannot be used: ${fault}`;
      throw new TargetError({ kind: 'schema', message, usage, latencyMs, raw: text });
    },
    close: () => Promise.resolve(),
  };
}

function providerPrompt(
  { schemaName }: ModelTask,
  { schema }: Question,
  { system, messages }: Conversation,
): ProviderPrompt {
  const [only] = messages;
  const isPlain = messages.length === 1 && only?.role === 'user';
  return {
    system,
    user: isPlain ? only.content : '',
    ...(isPlain ? {} : { messages }),
    schema,
    schemaName,
    strict: namesEveryField(schema),
  };
}

/** The answer as JSON that fits, or what is wrong with it. */
export function readJsonAnswer({ text }: ModelAnswer, check: AnswerCheck | null): Reading {
  const { value, fault } = parseModelJson(text);
  if (fault !== undefined) return { fault };
  const violations = check?.(value) ?? [];
  return violations.length === 0 ? { output: value } : { fault: violations.join('; ') };
}

/** The answer as it is. Half an answer would be judged as if the model had meant to stop there. */
export function readTextAnswer({ text, isCut }: ModelAnswer): Reading {
  if (text.trim() === '') return { fault: 'it is empty' };
  return isCut ? { fault: 'it ends in the middle (maxOutputTokens says how long it may be)' } : { output: text };
}

/** A template that does not fit an item is a mistake when one looks, but no reason to end a run that goes well. */
export function withinItem<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new TargetError({ kind: 'request', message: error.message });
  }
}

const MOST_BYTES = 1 << 20;

const chat = z.array(
  z.union([
    z.object({ role: z.string(), content: z.string() }),
    z.object({ type: z.literal('placeholder'), name: z.string() }),
  ]),
);

/** The words for a model: as resolved, as they stand in the experiment or its files, else those that come with Assay. */
export async function promptBody(
  { prompt }: ModelSpec,
  context: TargetContext,
  builtIn: PromptBody,
): Promise<PromptBody> {
  if (context.prompt !== null) return context.prompt.body;
  if (prompt === undefined) return builtIn;
  if (typeof prompt === 'string') return { type: 'text', prompt };
  if ('text' in prompt) return { type: 'text', prompt: prompt.text };
  if ('file' in prompt) return fromFile(resolve(context.folder, prompt.file));
  throw new UsageError(`the prompt ${prompt.name} has not been looked up`);
}

async function fromFile(file: string): Promise<PromptBody> {
  const { text } = await readText(file, MOST_BYTES);
  if (!file.endsWith('.json')) return { type: 'text', prompt: text };
  const { value, fault } = parseJson(text);
  if (fault !== undefined) throw new InputError([{ file, line: null, message: fault }]);
  const parsed = chat.safeParse(value);
  if (parsed.success) return { type: 'chat', prompt: parsed.data };
  throw new InputError([
    {
      file,
      line: null,
      message: 'a prompt in a .json file is a list of messages {role, content}',
      next: 'a prompt that is one text goes into a .txt or .md file',
    },
  ]);
}
