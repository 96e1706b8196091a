import type { PromptBody } from '../../store/records.ts';
import type { AnswerFormat, ProviderPrompt } from '../models/text-prompt.ts';
import { textModel } from '../models/text-model.ts';
import { type JsonSchema, namesEveryField } from './answer-schema.ts';
import { type Conversation, conversationText, promptTemplate } from './prompt-template.ts';
import { type Passage, type Target, type TargetCase, TargetError } from './target.ts';
import type { TargetContext } from './target-context.ts';
import type { ModelSpec } from './target-schema.ts';
import { withinItem } from './within-item.ts';

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
