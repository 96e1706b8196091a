import { resolve } from 'node:path';

import { z } from 'zod';

import { InputError, UsageError } from '../../data/problems.ts';
import { readText } from '../../data/read-file.ts';
import { describe } from '../../data/record-fields.ts';
import { visible } from '../../data/visible.ts';
import type { PromptBody } from '../../store/records.ts';
import type { TextPrompt } from '../models/text-prompt.ts';
import { parseJson } from './answer-json.ts';
import { parseTemplate, render, type Scope, type Template, variableValue, variablesIn } from './template.ts';

const named = z.strictObject({
  name: z.string().trim().min(1).describe('of a stored prompt'),
  label: z.string().trim().min(1).optional(),
  version: z.int().min(1).optional(),
});

/** The source of the words for a model: here, in a file, or in the store under a name. */
export const promptSchema = z.union([
  z.string().describe('the prompt itself, with {{ variables }}'),
  z.strictObject({ text: z.string() }),
  z.strictObject({ file: z.string().trim().min(1) }),
  named.refine(({ label, version }) => label === undefined || version === undefined, {
    message: 'expected a label or a version, not both',
  }),
]);

/** Which stored prompt is meant; with neither label nor version, the one labelled `production`. */
export type NamedPrompt = z.infer<typeof named>;

/** The stored prompt that a target needs; null if its words are in the experiment, in a file, or built in. */
export function promptOf(target: object): NamedPrompt | null {
  return 'prompt' in target ? (named.safeParse(target.prompt).data ?? null) : null;
}

const MOST_BYTES = 1 << 20;

const message = z.object({ role: z.string(), content: z.string() });
const chat = z.array(z.union([message, z.object({ type: z.literal('placeholder'), name: z.string() })])).readonly();

/** A prompt as it was found under its name; without a name, one that is in the experiment or built in. */
export const resolvedPrompt = z.object({
  name: z.string().nullable(),
  label: z.string().nullable(),
  version: z.number().nullable(),
  body: z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), prompt: z.string() }),
    z.object({ type: z.literal('chat'), prompt: chat }),
  ]),
});
export type ResolvedPrompt = Readonly<z.infer<typeof resolvedPrompt>>;

/** The words for a model: as resolved, as in the experiment or its files, else the built-in ones. */
export async function promptBody(
  { prompt }: { readonly prompt?: z.infer<typeof promptSchema> | undefined },
  context: { readonly folder: string; readonly prompt: ResolvedPrompt | null },
  builtIn: PromptBody,
): Promise<PromptBody> {
  if (context.prompt !== null) return context.prompt.body;
  if (prompt === undefined) return builtIn;
  if (typeof prompt === 'string') return { type: 'text', prompt };
  if ('text' in prompt) return { type: 'text', prompt: prompt.text };
  if ('name' in prompt) throw new UsageError(`the prompt ${prompt.name} has not been looked up`);
  const file = resolve(context.folder, prompt.file);
  const { text } = await readText(file, MOST_BYTES);
  if (!file.endsWith('.json')) return { type: 'text', prompt: text };
  const { value, fault } = parseJson(text);
  if (fault !== undefined) throw new InputError([{ file, line: null, message: fault }]);
  const parsed = chat.safeParse(value);
  if (parsed.success) return { type: 'chat', prompt: parsed.data };
  const expected = 'a prompt in a .json file is a list of messages {role, content}';
  const next = 'a prompt that is one text goes into a .txt or .md file';
  throw new InputError([{ file, line: null, message: expected, next }]);
}

/** The input of a model: what holds throughout, and the turns of the conversation, which the model continues. */
type Conversation = Pick<Required<TextPrompt>, 'system' | 'messages'>;

type Role = (typeof ROLES)[keyof typeof ROLES];
type Part = { readonly role: Role; readonly template: Template } | { readonly placeholder: string };

// `developer` is OpenAI's newer word for what holds throughout, `model` is Google's for the assistant.
const ROLES = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  model: 'assistant',
} as const;

/** With the names of its variables; `where` is what messages call it. */
export function promptTemplate(body: PromptBody, where: string) {
  if (body.type === 'text' && body.prompt.trim() === '') throw new UsageError(`${where}: the prompt is empty`);
  const messages = body.type === 'text' ? [{ role: 'user', content: body.prompt }] : body.prompt;
  const parts = messages.map((one): Part =>
    'type' in one
      ? { placeholder: one.name }
      : { role: roleOf(one.role, where), template: parseTemplate(one.content, where) },
  );
  const names = new Set(parts.flatMap((part) => ('role' in part ? variablesIn(part.template) : [part.placeholder])));
  if (names.size > 0 && parts.every((part) => 'role' in part && part.role === 'system'))
    throw new UsageError(`${where}: it has system messages only`, 'add a user message');
  return {
    names,
    /** `text` is what the item is about: it follows a prompt that has no variable, which would not see the item else. */
    filled(scope: Scope, text: string): Conversation {
      const filled = parts.flatMap((part) => fillPart(part, scope, where));
      const isInstruction = body.type === 'text' && names.size === 0;
      const instructions = filled.filter(({ role }) => isInstruction || role === 'system');
      const turns = filled.flatMap(({ role, content }) =>
        isInstruction || role === 'system' ? [] : [{ role, content }],
      );
      if (names.size === 0) turns.push({ role: 'user', content: text });
      return { system: instructions.map(({ content }) => content).join('\n\n'), messages: turns };
    },
  };
}

export function turnsOf({ system, messages }: Conversation): readonly { role: string; content: string }[] {
  return [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages];
}

function roleOf(given: string, where: string): Role {
  const role = Object.entries(ROLES).find(([name]) => name === given)?.[1];
  if (role !== undefined) return role;
  const expected = `expected one of ${Object.keys(ROLES).join(', ')}`;
  throw new UsageError(`${where}: there is no role ${visible(given)}`, expected);
}

function fillPart(part: Part, scope: Scope, where: string): readonly { role: Role; content: string }[] {
  if ('role' in part) return [{ role: part.role, content: render(part.template, scope, where) }];
  const value = variableValue([part.placeholder], scope, where);
  return [value].flat().map((one: unknown) => {
    const { data } = message.safeParse(one);
    if (data !== undefined) return { role: roleOf(data.role, where), content: data.content };
    const needed = `the placeholder ${part.placeholder} needs messages {role, content}`;
    throw new UsageError(`${where}: ${needed}, found ${describe(value)}`);
  });
}
