import { resolve } from 'node:path';

import { z } from 'zod';

import { InputError, UsageError } from '../../data/problems.ts';
import { readText } from '../../data/read-file.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { PromptBody } from '../../store/records.ts';
import { defined } from '../defined.ts';
import type { JsonSchema } from '../json-schema.ts';
import { textModel } from '../models/text-model.ts';
import type { AnswerFormat } from '../models/text-prompt.ts';
import { answerCheck, type AnswerCheck, namesEveryField, parseJson, parseModelJson } from './answer-json.ts';
import BUILT_IN from './built-in-targets.json' with { type: 'json' };
import { promptBody, promptSchema, promptTemplate, turnsOf } from './prompt.ts';
import {
  countSetting,
  defineTarget,
  filePath,
  type Passage,
  type Target,
  type TargetCase,
  type TargetContext,
  TargetError,
} from './target.ts';
import { asText } from './template.ts';

export const modelSettings = {
  model: z.string().trim().min(1).describe('PROVIDER/NAME, such as google/gemini-2.5-flash'),
  prompt: promptSchema.optional(),
  temperature: z.number().min(0).max(2).nullable().default(0).describe('null sends none, for models that take none'),
  maxOutputTokens: countSetting(10_000_000).optional(),
  baseUrl: z.string().optional().describe("address of the server, where it is not the provider's own"),
};

export const answerFormatSetting = z
  .enum(['schema', 'json', 'text'])
  .describe('what the server enforces: the JSON Schema, any JSON, or nothing');

export type ModelSpec = z.infer<z.ZodObject<typeof modelSettings>> & { readonly use: string };

export interface ModelAnswer {
  readonly text: string;
  /** It ran out of tokens before it was done. */
  readonly isCut: boolean;
}

export interface Question {
  /** What the prompt may name beside the fields of the input. */
  readonly known?: Readonly<Record<string, unknown>>;
  /** What the item is about, for prompts without a variable. */
  readonly text: string;
  /** What the model is held to; what its answer is checked against may be less. */
  readonly schema?: JsonSchema | null;
  readonly passages?: readonly Passage[];
}

export interface ModelTask {
  readonly answerFormat: AnswerFormat;
  readonly schemaName: string;
  readonly prompt: PromptBody;
  /** What affects its answers beside model, settings and prompt. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** Throws TargetError where nothing can be asked about the item. */
  question(given: TargetCase): Question;
  /** The output. Throws AnswerFault. */
  read(answer: ModelAnswer, question: Question): unknown;
}

class AnswerFault extends Error {}

export async function modelTarget(spec: ModelSpec, context: TargetContext, task: ModelTask): Promise<Target> {
  const { temperature, maxOutputTokens, baseUrl } = spec;
  const { answerFormat, prompt, schemaName } = task;
  const template = promptTemplate(prompt, 'prompt');
  const { environment, timeoutMs, batches } = context;
  // Without retries: the run sees all items, and knows better when to try one again.
  const how = { temperature, answerFormat, timeoutMs, environment, retries: 0, isBaseUrlFromFile: true, batches };
  const model = await textModel(spec.model, { ...how, ...defined({ maxOutputTokens, baseUrl }) });
  const ask = (given: TargetCase) => {
    const question = task.question(given);
    const known = { ...question.known, input: given.input };
    return { question, conversation: template.filled({ input: given.input, known }, question.text) };
  };
  return {
    kind: spec.use,
    model: model.id,
    modelParameters: { ...(temperature === null ? {} : { temperature }), ...defined({ maxOutputTokens }) },
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
    rateKey: model.rateKey,
    request: (given) => turnsOf(ask(given).conversation),
    preview(given) {
      const { question, conversation } = ask(given);
      const turns = turnsOf(conversation).map(({ role, content }) => `[${role}]\n${content}`);
      if (answerFormat === 'schema' && isRecord(question.schema))
        turns.push(`[schema of the answer]\n${JSON.stringify(question.schema, null, 2)}`);
      return Promise.resolve(turns.join('\n\n'));
    },
    async answer(given, signal) {
      const { question, conversation } = withinItem(() => ask(given));
      const { schema = null } = question;
      const asked = { user: '', ...conversation, schema, schemaName, strict: namesEveryField(schema) };
      const { text, latencyMs, promptTokens, completionTokens, finish } = await model.complete(asked, { signal });
      const usage = { inputTokens: promptTokens, outputTokens: completionTokens, cost: null };
      const isCut = finish === 'length';
      try {
        const output = task.read({ text, isCut }, question);
        return { output, usage, latencyMs, passages: question.passages ?? null, raw: text };
      } catch (error) {
        if (!(error instanceof AnswerFault)) throw error;
        const what = isCut ? 'the model ran out of tokens before it was done, and its' : "the model's";
        const message = `${what} answer cannot be used: ${error.message}`;
        throw new TargetError({ kind: 'schema', message, usage, latencyMs, raw: text });
      }
    },
    close: () => Promise.resolve(),
  };
}

export function readJsonAnswer({ text }: ModelAnswer, check: AnswerCheck | null): unknown {
  const { value, fault } = parseModelJson(text);
  const violations = fault === undefined ? (check?.(value) ?? []) : [fault];
  if (violations.length > 0) throw new AnswerFault(violations.join('; '));
  return value;
}

/** The answer as it is. Half an answer would be judged as if the model had meant to stop there. */
export function readTextAnswer({ text, isCut }: ModelAnswer): string {
  if (text.trim() === '') throw new AnswerFault('it is empty');
  if (isCut) throw new AnswerFault('it ends in the middle (maxOutputTokens limits its length)');
  return text;
}

/** Fields of the input that may be missing: a prompt that names them finds nothing there, not a mistake. */
export function optionalFields(names: readonly string[]): Record<string, null> {
  return Object.fromEntries(names.map((name) => [name, null]));
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

export const plainModelSection = z.strictObject({
  use: z.literal('model'),
  ...modelSettings,
  schema: z
    .union([z.record(z.string(), z.unknown()), filePath])
    .optional()
    .describe('JSON Schema of the answer, or a .json file that holds it'),
  answerFormat: answerFormatSetting.optional(),
  output: z
    .enum(['json', 'text'])
    .optional()
    .describe('what the answer is taken for (default: json where a schema or JSON is asked for)'),
});
export type PlainModelSpec = z.infer<typeof plainModelSection>;

/** A prompt, a schema, a model: the answer is the output. */
export const plainModel = defineTarget(
  plainModelSection,
  async (spec, context) => {
    const schema = await schemaOf(spec, context.folder);
    // JSON where anything speaks for it: a schema, a format of the answer, or the built-in prompt.
    const wantsJson = spec.schema !== undefined || ['json', 'schema'].includes(spec.answerFormat ?? '');
    const output = spec.output ?? (wantsJson || spec.prompt === undefined ? 'json' : 'text');
    const check = schema === null ? null : answerCheck(schema, 'schema');
    return modelTarget(spec, context, {
      answerFormat: spec.answerFormat ?? (output === 'json' && schema !== null ? 'schema' : output),
      schemaName: 'answer',
      prompt: await promptBody(spec, context, { type: 'chat', prompt: BUILT_IN.model.prompt }),
      identity: { output, schema },
      question: ({ input }) => ({ text: asText(input), schema }),
      read: (answer) => (output === 'json' ? readJsonAnswer(answer, check) : readTextAnswer(answer)),
    });
  },
  BUILT_IN.model.promptName,
);

const MOST_SCHEMA_BYTES = 1 << 20;

async function schemaOf({ schema }: PlainModelSpec, folder: string): Promise<JsonSchema | null> {
  if (typeof schema !== 'string') return schema ?? null;
  const file = resolve(folder, schema);
  const { value, fault } = parseJson((await readText(file, MOST_SCHEMA_BYTES)).text);
  if (isRecord(value)) return value;
  const message = fault ?? 'expected a JSON Schema (an object)';
  throw new InputError([{ file, line: null, message, next: 'target.schema names this file' }]);
}
