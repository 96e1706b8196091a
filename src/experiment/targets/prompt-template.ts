import { UsageError } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import { visible } from '../../data/visible.ts';
import type { PromptBody } from '../../store/records.ts';
import type { PromptMessage } from '../models/text-prompt.ts';
import { hasVariables, namesIn, parseTemplate, render, type Scope, type Template, valueOf } from './template.ts';

/** What a model is told: what holds throughout, and the turns of the conversation, which the model goes on with. */
export interface Conversation {
  readonly system: string;
  readonly messages: readonly PromptMessage[];
}

export interface PromptTemplate {
  /** First names of the variables in it. */
  readonly names: ReadonlySet<string>;
  /** `text` is what the item is about: it follows a prompt that has no variable, which would not see the item else. */
  filled(scope: Scope, text: string): Conversation;
}

type Role = PromptMessage['role'] | 'system';
type Part =
  | { readonly role: Role; readonly template: Template }
  | { readonly role: null; readonly placeholder: string };

// `developer` is OpenAI's newer word for what holds throughout, `model` is Google's for the assistant.
const ROLES: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  model: 'assistant',
};

/** `where` is what messages call it. */
export function promptTemplate(body: PromptBody, where: string): PromptTemplate {
  const parts = body.type === 'text' ? [textPart(body.prompt, where)] : body.prompt.map((one) => partOf(one, where));
  const names = new Set(parts.flatMap((part) => (part.role === null ? [part.placeholder] : namesIn(part.template))));
  const seesItem = parts.some((part) => part.role === null || hasVariables(part.template));
  if (seesItem && parts.every(({ role }) => role === 'system'))
    throw new UsageError(`${where}: it has system messages only`, 'add a user message');
  return {
    names,
    filled(scope, text) {
      const filled = parts.flatMap((part) => fillPart(part, scope, where));
      const systems = filled.filter(({ role }) => role === 'system').map(({ content }) => content);
      const messages = filled.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }]));
      if (seesItem) return { system: systems.join('\n\n'), messages };
      const told = body.type === 'text' ? filled.map(({ content }) => content) : systems;
      const before = body.type === 'text' ? [] : messages;
      return { system: told.join('\n\n'), messages: [...before, { role: 'user', content: text }] };
    },
  };
}

/** The conversation as a person reads it. */
export function conversationText({ system, messages }: Conversation): string {
  const turns = [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages];
  return turns.map(({ role, content }) => `[${role}]\n${content}`).join('\n\n');
}

function textPart(text: string, where: string): Part {
  if (text.trim() === '') throw new UsageError(`${where}: the prompt is empty`);
  return { role: 'user', template: parseTemplate(text, where) };
}

function partOf(message: Extract<PromptBody, { type: 'chat' }>['prompt'][number], where: string): Part {
  if ('type' in message) return { role: null, placeholder: message.name };
  return { role: roleOf(message.role, where), template: parseTemplate(message.content, where) };
}

function roleOf(given: string, where: string): Role {
  const role = Object.hasOwn(ROLES, given) ? ROLES[given] : undefined;
  if (role !== undefined) return role;
  throw new UsageError(
    `${where}: there is no role ${visible(given)}`,
    `expected one of ${Object.keys(ROLES).join(', ')}`,
  );
}

function fillPart(part: Part, scope: Scope, where: string): { readonly role: Role; readonly content: string }[] {
  if (part.role !== null) return [{ role: part.role, content: render(part.template, scope, where) }];
  const value = valueOf({ path: [part.placeholder] }, scope, where);
  const messages = Array.isArray(value) ? value : [value];
  return messages.map((message: unknown) => {
    if (isRecord(message) && typeof message['role'] === 'string' && typeof message['content'] === 'string')
      return { role: roleOf(message['role'], where), content: message['content'] };
    throw new UsageError(
      `${where}: the placeholder ${part.placeholder} needs messages {role, content}, found ${describe(value)}`,
    );
  });
}
